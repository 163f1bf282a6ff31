"""From matplotlib's SVG to one that lives in the page: no inline styles, colours by role, accessible, no stray ids.

The page's Content-Security-Policy forbids style attributes; every declaration becomes a presentation attribute, and
role colours become classes, which the style sheet fills for light, dark and print.
"""

import re
from xml.etree import ElementTree as ET

INK, MUTED, GRID, UP, DOWN = "#010203", "#010204", "#010205", "#010206", "#010207"
SERIES = ("#010210", "#010211", "#010212", "#010213", "#010214", "#010215", "#010216", "#010217")
"""Stand-ins for roles, never seen: each becomes a class of the style sheet."""

_ROLES = {
    INK: "ink",
    MUTED: "muted",
    GRID: "grid",
    UP: "up",
    DOWN: "down",
    **{colour: f"s{number}" for number, colour in enumerate(SERIES)},
}
_HREF = "{http://www.w3.org/1999/xlink}href"
_FONT = re.compile(r"^(?:[\w-]+ )*?([\d.]+)px\b")


def adapt_svg(drawn: str, *, title: str, description: str, prefix: str, narrow: bool = False) -> str:
    """The drawing as an `<svg role="img">` with title and description, and no style of its own.

    Args:
        drawn: What matplotlib wrote.
        title, description: The text alternative.
        prefix: Put before every id that is kept, so that two charts of a page do not share any.
        narrow: Whether it is the drawing for a phone, which the style sheet shows there alone.
    """
    root = ET.fromstring(drawn)  # noqa: S314 - our own drawing, made a moment ago
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in ("metadata", "style"):
                parent.remove(child)
    used = {reference for element in root.iter() for reference in _references(element)}
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        _restyle(element)
        _rename(element, used, prefix)
    root.attrib = {
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "aria-labelledby": f"{prefix}-title {prefix}-desc",
        "class": "chart narrow" if narrow else "chart",
    }
    for position, (tag, words) in enumerate((("title", title), ("desc", description))):
        part = ET.Element(tag, {"id": f"{prefix}-{tag}"})
        part.text = words
        root.insert(position, part)
    return ET.tostring(root, encoding="unicode")


def _references(element: ET.Element) -> list[str]:
    """Ids this element points to."""
    found = re.findall(r"url\(#([^)]+)\)", " ".join(element.attrib.values()))
    link = element.get(_HREF, "")
    return [*found, link[1:]] if link.startswith("#") else found


def _rename(element: ET.Element, used: set[str], prefix: str) -> None:
    identity = element.attrib.pop("id", None)
    if identity in used:
        element.set("id", f"{prefix}-{identity}")
    link = element.attrib.pop(_HREF, None)
    if link is not None:
        element.set("href", f"#{prefix}-{link[1:]}")
    for name, value in element.attrib.items():
        if "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}-"))


def _restyle(element: ET.Element) -> None:
    """Style declarations as attributes; a role's colour as a class (`fill-ink`, `stroke-s0`)."""
    declarations = [part.split(":", 1) for part in element.attrib.pop("style", "").split(";") if ":" in part]
    values = {name.strip(): value.strip() for name, value in declarations}
    font = values.pop("font", None)
    if font is not None and (size := _FONT.match(font)):
        values["font-size"] = size[1]
    for name in ("fill", "stroke"):
        if name in element.attrib:
            values[name] = element.attrib.pop(name)
    if element.tag == "text" and "fill" not in values:
        values["fill"] = INK
    classes = []
    for name, value in values.items():
        role = _ROLES.get(value.lower())
        if role is not None and name in ("fill", "stroke"):
            classes.append(f"{name}-{role}")
        elif name not in ("-inkscape-stroke", "white-space"):
            element.set(name, value)
    if classes:
        element.set("class", " ".join(classes))
