"""What a class is handed: a course becomes a folder of notebooks with the data that their checks need."""
