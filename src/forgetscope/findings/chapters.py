"""How a chapter of the report is put together from its sections: what was found first, then where it comes from."""

from collections.abc import Sequence
from dataclasses import replace

from forgetscope.findings.figures import Finding, Section


def decided(section: Section) -> tuple[Finding, ...]:
    """The findings of a section that say what this run shows, or does not."""
    return tuple(
        block for block in section.blocks if isinstance(block, Finding) and block.verdict not in ("note", "warning")
    )


def gathered(sections: Sequence[Section], otherwise: Sequence[Finding] = ()) -> tuple[Section, ...]:
    """A section "What was found" with every decided finding, then the sections without them.

    Notes and warnings stay where they belong. `otherwise` is said where nothing was decided.
    """
    found = tuple(finding for section in sections for finding in decided(section))
    return (Section("What was found", found or tuple(otherwise), slug="findings"), *_without_decided(sections))


def gathered_beside(headlines: Sequence[Finding], sections: Sequence[Section]) -> tuple[Section, ...]:
    """The same, without what the headlines say already; no section of findings where they say it all."""
    found = tuple(finding for section in sections for finding in decided(section) if finding not in headlines)
    first = (Section("What else was found", found, slug="findings"),) if found else ()
    return (*first, *_without_decided(sections))


def _without_decided(sections: Sequence[Section]) -> tuple[Section, ...]:
    return tuple(
        replace(section, blocks=tuple(block for block in section.blocks if block not in decided(section)))
        for section in sections
    )
