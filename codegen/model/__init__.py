"""What a schema means, as frozen records, and what follows from them without any C."""
