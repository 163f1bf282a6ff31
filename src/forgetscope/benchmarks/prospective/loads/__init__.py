"""What a model has to do besides keeping its format: a load is one record, all that anything here knows of it.

To add one, write its record (`load.LoadTask`: items, wording, scorers, answers of the reference models) in a file of
its own here and its name into `registry.py`. From another package: an entry point `"name" = "package.module:RECORD"` in
the group `forgetscope.loads`, as in `examples/plugins/load/`; it is run when it is named, `--loads name`.
"""
