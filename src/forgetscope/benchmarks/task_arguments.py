"""What the tasks do alike with arguments that Inspect hands them."""


def joined(value: int | str | list[str]) -> str:
    """Names as settings hold them, separated by commas. (Inspect's `-T` makes a list of whatever holds a comma.)"""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def require_planned(found: str, planned: str, source: str) -> None:
    """Refuse data that are not those a run was planned with.

    Args:
        found: Hash of the data as they are.
        planned: As they were; empty where nothing was planned.
        source: Where they come from.

    Raises:
        ValueError: they differ.
    """
    if planned and found != planned:
        raise ValueError(f"the data of {source} are not what the run was planned with")
