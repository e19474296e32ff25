"""Results for other systems, each in its own format. Pure functions from score files to text."""
