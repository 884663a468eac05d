"""The command line: reads arguments, calls the framework, prints; heavy imports wait for their command."""

from __future__ import annotations

from autograder.cli.app import app
from autograder.cli.command_line import main

__all__ = ["app", "main"]
