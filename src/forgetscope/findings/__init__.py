"""What benchmarks hand to the report: figures, tables, charts and sentences, and what papers printed.

Metrics make figures (`measures`), an index finds them by name and factors; tables (`tables`) and charts (`charts`) are
specifications over that index. To add one: a call of `table(...)` or `chart(...)` in a section of the benchmark's
`report/`.
"""
