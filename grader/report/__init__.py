"""Results into what people and other systems read. Pure functions: they know results, never
pytest."""
