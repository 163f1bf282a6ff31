"""How a chapter of the report is put together from its sections: what was found first, then where it comes from."""

from collections.abc import Sequence
from dataclasses import replace

from forgetscope.findings.figures import Finding, Section


def decided(section: Section) -> tuple[Finding, ...]:
    """The findings of a section that have a badge: what this run shows, or does not."""
    return tuple(
        block for block in section.blocks if isinstance(block, Finding) and block.verdict not in ("note", "warning")
    )


def gathered_beside(headlines: Sequence[Finding], sections: Sequence[Section]) -> tuple[Section, ...]:
    """A section "Further findings" with every finding that has a badge, then the sections without them.

    What the headlines say already is in none of them; notes and warnings stay where they belong. No section of
    findings where the headlines say it all.
    """
    found = tuple(finding for section in sections for finding in decided(section) if finding not in headlines)
    first = (Section("Further findings", found, slug="findings"),) if found else ()
    rest = (
        replace(
            section,
            blocks=tuple(block for block in section.blocks if block not in decided(section) and block not in headlines),
        )
        for section in sections
    )
    return (*first, *rest)
