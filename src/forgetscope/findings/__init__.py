"""What benchmarks hand to the report: figures, tables, charts and sentences, and what papers printed."""
