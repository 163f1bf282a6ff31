"""`glimpse`: small vision-language models of known truth, in this process, without torch.

A frozen eye (`encoder`), a linear projector into token identities (`perception`), and a small decoder (`network`) over
a cut vocabulary (`vocabulary`). `family` says which members there are; `provider` makes them Inspect models. How they
were made is `training`, the only part that imports torch.
"""
