"""Reports as self-contained HTML: feedback for a student, an overview for the instructor."""
