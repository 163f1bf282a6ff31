"""Reading and writing, each in one way.

`received` reads what others wrote, within limits: text, JSON, YAML, TOML, Parquet; no other room opens such a file.
`spreadsheets` is CSV both ways. `records` makes rows, naming file and line; `hub` reads published sets;
`sources` is what a benchmark declares of its data. `files` writes whole or not at all, `tables` the sample table,
`journal` appends. `asking` gets JSON from a model, `completions` reads what came back, `tokens` measures a text.
A new data set is a `DataSource` in its benchmark's `data/catalogue.py`; a new format is a reader in `records`.
"""
