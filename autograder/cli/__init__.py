"""The command line: reads arguments, calls the framework, prints; heavy imports wait for their command."""

from __future__ import annotations

import sys

from autograder.cli.app import app
from autograder.errors import CourseError, UsageError

__all__ = ["app", "main"]


def main() -> None:
    """Run a command; faults of the course and of the call are sentences, not tracebacks."""
    try:
        app()
    except CourseError as error:
        for fault in error.faults:
            print(fault, file=sys.stderr)
        count = len(error.faults)
        print(f"{count} fault{'' if count == 1 else 's'} in the course", file=sys.stderr)
        sys.exit(2)
    except UsageError as error:
        print(f"autograder: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: that is its right.
        sys.stderr.close()
        sys.exit(0)
    except KeyboardInterrupt:
        print("autograder: stopped", file=sys.stderr)
        sys.exit(130)
