"""A command is run, and what goes wrong becomes one sentence and an exit code: nobody reads a traceback."""

from __future__ import annotations

import logging
import sys

from autograder.cli.app import app
from autograder.cli.docs_pages import more_of
from autograder.cli.misuse import MISUSE, tell
from autograder.docs_at_hand import says_more
from autograder.errors import CourseError, UsageError, reason

log = logging.getLogger(__name__)


def main() -> None:
    """Run a command; faults of the course and of the call are sentences, not tracebacks."""
    try:
        sys.exit(app(prog_name="autograder", standalone_mode=False) or 0)
    except MISUSE as error:
        sys.exit(tell(error))
    except CourseError as error:
        for fault in error.faults:
            print(fault, file=sys.stderr)
        count = len(error.faults)
        more = says_more("authors")
        print(
            f"{count} fault{'' if count == 1 else 's'} in the course{more and f'; {more}'}", file=sys.stderr
        )
        sys.exit(2)
    except UsageError as error:
        print(f"autograder: {error}", file=sys.stderr)
        if more := more_of(sys.argv[1:]):
            print(more, file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: that is its right.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        print(f"autograder: cannot use {error.filename or 'a file'}: {reason(error)}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("autograder: stopped", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        log.debug("a fault of autograder's own", exc_info=error)
        print(
            f"autograder: a fault of its own: {type(error).__name__}: {error}; "
            "autograder --verbose … tells where, please report it",
            file=sys.stderr,
        )
        sys.exit(2)
