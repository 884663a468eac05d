"""What a wrong function is: recognised from its values."""
