"""What a class is handed: a course becomes a folder of notebooks with the data that their checks need."""

from __future__ import annotations

from autograder.release.bundle import build_bundle, choose_sets, write_bundle, write_zip

__all__ = ["build_bundle", "choose_sets", "write_bundle", "write_zip"]
