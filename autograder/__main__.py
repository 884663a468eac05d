"""`python -m autograder` is the command `autograder`."""

import sys


def main() -> None:
    """Run the command; one that is interrupted while it is still being loaded ends in silence."""
    try:
        from autograder.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
