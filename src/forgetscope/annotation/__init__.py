"""Judge against people: a blind sample of replies for annotators, and what their answers say of judge and rules.

Knows no benchmark beyond the columns of the sample table that an `AnnotationDesign` names. `sampling` draws,
`handout` writes a page and a spreadsheet for each annotator, `files` reads them back, `agreement` and `correction`
compute figures, `tables` shows them.
"""
