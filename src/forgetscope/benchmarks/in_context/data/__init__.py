"""Items of the three scenarios (`items`), their dialogues and the samples sent (`forms`), filler (`context`).

`loading` reads the embedded items or a folder, `sources` the public sets that items are built from, `wordings` compares
texts word by word. To add a source: a module in `sources` and its line there.
"""
