"""What is imported before any test: as little as the commands import."""

from autograder.light_imports import import_lightly

import_lightly()
