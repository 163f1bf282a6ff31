"""What is built for each scenario, stage by stage; the gates an item has to pass (`gates`); filler for all (`filler`).

A stage asks the builder, reads its answer in a form, and adds to the item or says why it was refused. To add one: a
module here, its prompts in `construction.prompts`, its place in `construction.plan`.
"""
