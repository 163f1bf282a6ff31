"""The embedded source: drawings by several designers, and pictures composed of them whose truth is known.

- `sheets`: the drawings in the wheel, one sheet a designer, and the table of what they show.
- `arrangement`: from one drawing to many pictures.
- `composition`, `persons`, `truths`: pictures whose truth is how they are put together.
"""
