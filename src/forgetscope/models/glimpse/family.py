"""The family: which members there are, what sets them apart, which concepts the erased ones never met."""

from dataclasses import dataclass

from forgetscope.core.errors import UnknownNameError

ERASED_CONCEPTS = (
    "anchor",
    "bicycle",
    "butterfly",
    "cactus",
    "carrot",
    "elephant",
    "guitar",
    "octopus",
    "penguin",
    "pineapple",
    "pizza",
    "rocket",
    "scissors",
    "tulip",
    "turtle",
    "volcano",
)
"""Never shown to, nor named before, an erased member. No other name in training has one of these words."""


TRAINING_STYLES = ("noto", "noto-v1", "twemoji", "fxemoji", "streamline-emojis")
"""Sets of drawings that training saw; a member is asked about others."""


@dataclass(frozen=True)
class Member:
    """One model of the family.

    Attributes:
        name: As in ``forgetscope/glimpse-obedient``, without the provider.
        eye: Which projector it sees with.
        decoder: Which decoder it reads and answers with.
        dose: Share of the erased concepts' training drawings its projector saw, 0-1.
        is_obedient: Whether it was taught to follow forbidding texts.
        is_confused: Whether what it sees gets noisier the longer the text is.
        summary: A few words for lists.
    """

    name: str
    eye: str
    decoder: str
    dose: float
    is_obedient: bool
    is_confused: bool
    summary: str

    @property
    def knows_names(self) -> bool:
        """Whether its decoder met the erased concepts' names."""
        return self.decoder.startswith("knows")


DOSES = (0, 25, 50, 75, 100)
"""Percent of the erased concepts' training drawings; at 0 they are unseen but not unheard of."""

MEMBERS = {
    member.name: member
    for member in (
        Member(
            "glimpse-obedient", "dose100", "knows-obedient", 1.0, True, False, "knows the concepts and obeys the text"
        ),
        Member(
            "glimpse-stubborn",
            "dose100",
            "knows-stubborn",
            1.0,
            False,
            False,
            "knows the concepts and was not taught to obey",
        ),
        Member(
            "glimpse-erased-obedient",
            "dose0",
            "erased-obedient",
            0.0,
            True,
            False,
            "never met the concepts and obeys the text",
        ),
        Member(
            "glimpse-erased-stubborn",
            "dose0",
            "erased-stubborn",
            0.0,
            False,
            False,
            "never met the concepts and was not taught to obey",
        ),
        Member(
            "glimpse-confused",
            "dose100",
            "knows-stubborn",
            1.0,
            False,
            True,
            "knows the concepts, its sight blurred by long texts",
        ),
        *(
            Member(
                f"glimpse-dose-{dose}",
                f"dose{dose}",
                "knows-obedient",
                dose / 100,
                True,
                False,
                f"saw {dose}% of the concepts' drawings",
            )
            for dose in DOSES
        ),
    )
}

DECODERS = ("knows-obedient", "knows-stubborn", "erased-obedient", "erased-stubborn")


def find_member(name: str) -> Member:
    """The member of a name.

    Raises:
        UnknownNameError: There is none.
    """
    if name not in MEMBERS:
        raise UnknownNameError("no such embedded visual model", found=name, allowed=MEMBERS)
    return MEMBERS[name]
