"""All 25 IFEval instruction types by id, the paper's fifteen first, and the strict check of one instruction."""

from collections.abc import Mapping
from types import MappingProxyType

from forgetscope.checkers import case, combination, content, keywords, language, length, startend, structure
from forgetscope.checkers.base import Behaviour, InstructionType, Verdict
from forgetscope.core.errors import UnknownNameError

_ALL = (
    # The fifteen of the paper, in the order of its Table 5.
    case.ENGLISH_CAPITAL,
    case.ENGLISH_LOWERCASE,
    keywords.EXISTENCE,
    keywords.FORBIDDEN_WORDS,
    startend.POSTSCRIPT,
    startend.END_CHECKER,
    structure.JSON_FORMAT,
    structure.TITLE,
    startend.QUOTATION,
    content.NO_COMMA,
    content.NUMBER_PLACEHOLDERS,
    structure.NUMBER_BULLET_LISTS,
    structure.NUMBER_HIGHLIGHTED_SECTIONS,
    length.NUMBER_WORDS,
    combination.REPEAT_PROMPT,
    # The other ten, so that any IFEval file can be scored.
    case.CAPITAL_WORD_FREQUENCY,
    keywords.FREQUENCY,
    keywords.LETTER_FREQUENCY,
    language.RESPONSE_LANGUAGE,
    length.NUMBER_SENTENCES,
    length.NUMBER_PARAGRAPHS,
    length.NTH_PARAGRAPH_FIRST_WORD,
    structure.MULTIPLE_SECTIONS,
    structure.CONSTRAINED_RESPONSE,
    combination.TWO_RESPONSES,
)

INSTRUCTION_TYPES: Mapping[str, InstructionType] = MappingProxyType({entry.instruction_id: entry for entry in _ALL})


def instruction_type_of(instruction_id: str) -> InstructionType:
    """The registered type with this id.

    Raises:
        UnknownNameError: Nobody registered it.
    """
    try:
        return INSTRUCTION_TYPES[instruction_id]
    except KeyError:
        raise UnknownNameError(
            "unknown instruction id", found=instruction_id, allowed=list(INSTRUCTION_TYPES)
        ) from None


def check(
    instruction_id: str,
    kwargs: Mapping[str, object],
    reply: str,
    *,
    behaviour: Behaviour = Behaviour.REFERENCE,
) -> Verdict:
    """Whether `reply`, as it is (IFEval's strict reading), follows one instruction.

    Raises:
        UnknownNameError: The id, or a relation or language in `kwargs`, is not known.
        DataError: `kwargs` do not fit the type.
    """
    return instruction_type_of(instruction_id).bind(kwargs)(reply, behaviour)
