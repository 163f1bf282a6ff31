"""Whatever is read from others, damaged and made hostile: `make fuzz`, and a short fixed slice among the tests.

Every outcome is a value, or a `UserError` of one line; nothing is read or written outside the folder that was named. To
add a format: a `Target` in `targets`.
"""
