"""`python -m autograder` is the command `autograder`."""

import signal
import sys


def main() -> None:
    """Run the command; one that is interrupted while it is still being loaded ends in silence."""
    try:
        from autograder.cli import main as run
        from autograder.cli.ctrl_c import hear_after_imports

        hear_after_imports()
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        run()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ending: a second one would only show where


if __name__ == "__main__":
    main()
