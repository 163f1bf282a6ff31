"""Write the pages of `docs/reference/` that follow from the program: commands, Python, statistics, the sample table.

    python -m tools.reference

They are kept in the repository, so that they read wherever it is hosted; a test says when one is out of date.
"""

from tools.reference.pages import DOCS, PAGES

for name, page in PAGES.items():
    text = page()
    (DOCS / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{name}: {len(text.splitlines())} lines")
