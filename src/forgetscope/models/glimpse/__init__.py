"""`glimpse`: small vision-language models of known truth, in this process, without torch.

A frozen eye (`encoder`), a linear projector into token identities (`perception`), and a small decoder (`network`) over
a cut vocabulary (`vocabulary`). `family` says which members there are; `provider` makes them Inspect models. They are
trained by `tools/glimpse/`, which ships with the source and not with the package.
"""
