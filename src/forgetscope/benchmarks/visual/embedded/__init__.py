"""The embedded source: drawings by several designers, and pictures composed of them whose truth is known.

- `source`: which axes have drawings and what they show; `splits`: the embedded split of each.
- `painting`: from an axis to its pictures; `sheets`: the drawings in the wheel, one sheet a designer.
- `arrangement`, `composition`, `persons`, `truths`: how a picture is put together, which is its truth.

To draw for another axis: a function in `painting` and a `DrawnAxis` in `source`.
"""
