"""IFBench's constraints: for each a reply that follows and one that does not; and odd ones, in both readings.

The odd ones were worked out by reading the published checks (allenai/IFBench, instructions.py, commit 6fffd61).
"""

import re

from forgetscope.checkers.ifbench.texts import word_list

REFERENCE_TEXT = "Rivers carve valleys over many thousands of years, and the sea takes what they carry."
TITLES = (
    "Where was Dada",
    "Where did Klee teach for years",
    "Where did Picasso paint Guernica in 1937",
    "In which city did the first show of Futurist painting take place",
)


def questions(*titles: str) -> str:
    """Multiple-choice questions with these titles."""
    options = "A) Paris\nB) Berlin\nC) Rome\nD) Vienna\nE) Madrid"
    return "\n\n".join(f"Question {number}: {title}?\n{options}" for number, title in enumerate(titles, start=1))


QUESTIONS = questions(*TITLES)
COUNTRIES = "\n".join(word_list("african_countries"))
CAPITALS = ", ".join(word_list("capitals"))
_PEOPLE = (
    "Anna Ben Clara Dan Eve Finn Gina Hugo Iris Jack Kara Luis "
    "Mona Nils Olga Paul Quinn Rosa Seth Tina Ugo Vera Walt Xena Yuri Zora"
)
STORY = " ".join(
    f"{name} {'walked' if place % 2 == 0 else 'drove'} home." for place, name in enumerate(_PEOPLE.split())
)
CITIES = "ID,Country,City,Year,Count\n" + "\n".join(f"{row},Peru,Lima,200{row},{row}" for row in range(1, 8))
_BRANDS = ("Leaf", '"Tom & Co"')
PRODUCTS = "ProductID,Category,Brand,Price,Stock\n" + "\n".join(
    f"{row},Tea,{_BRANDS[row == 3]},4.50,{row}" for row in range(1, 15)
)
STUDENTS = '"StudentID"\t"Subject"\t"Grade"\t"Semester"\t"Score"\n' + "\n".join(
    f'"{row}"\t"Art"\t"B"\t"2"\t"8{row}"' for row in range(1, 4)
)

# instruction, kwargs, a reply that follows, one that does not, why not, and what the span covers (none has one)
CASES: list[tuple[str, dict[str, object], str, str, str, str | None]] = [
    (
        "count:word_count_range",
        {"min_words": 4, "max_words": 6},
        "Tea is best served hot.",
        "Tea is hot.",
        "3 words, 4 to 6 asked",
        None,
    ),
    (
        "count:unique_word_count",
        {"N": 4},
        "The cat saw the dog.",
        "The cat, the cat!",
        "2 different words, at least 4 asked",
        None,
    ),
    (
        "count:conjunctions",
        {"small_n": 2},
        "Tea and milk, but no sugar.",
        "Tea and milk and sugar.",
        "1 different conjunction, at least 2 asked",
        None,
    ),
    (
        "count:person_names",
        {"N": 2},
        "Emma met Liam at the station.",
        "Emma met emily, and Emma again.",
        "1 name, at least 2 asked",
        None,
    ),
    (
        "count:numbers",
        {"N": 2},
        "It opened in 1931 and has 102 floors.",
        "It has 102 floors.",
        "1 number, 2 asked",
        None,
    ),
    (
        "count:punctuation",
        {},
        "Wait: you did what?! Yes; I left, finally. Why? Done!",
        "Wait: you did what?! Yes, I left.",
        "no ! ? ; beside the interrobang",
        None,
    ),
    (
        "count:pronouns",
        {"N": 2},
        "She gave him a book.",
        "Ann gave Tom a book for herself.",
        "1 pronoun, at least 2 asked",
        None,
    ),
    (
        "count:words_japanese",
        {"N": 3},
        "I drink お茶 every day 毎日.",
        "I drink tea every day.",
        "word 3 is not Japanese: 'tea'",
        None,
    ),
    (
        "count:keywords_multiple",
        {"keyword1": "oak", "keyword2": "elm", "keyword3": "ash", "keyword4": "fir", "keyword5": "yew"},
        "Oak, elm elm, ash ash ash, fir fir fir fir fir, yew yew yew yew yew yew yew.",
        "Oak oak, elm elm, ash ash ash, fir fir fir fir fir, yew.",
        "'oak' 2 times, 1 asked; 'yew' 1 time, 7 asked",
        None,
    ),
    (
        "ratio:stop_words",
        {"percentage": 30},
        "Rivers carve deep valleys and carry sand.",
        "It is what it is, and that was all of it.",
        "100.0% stop words, at most 30% asked",
        None,
    ),
    (
        "ratio:sentence_type",
        {},
        "It rained. We stayed in. Did you?",
        "It rained. We stayed in. They read.",
        "3 statements, 0 questions, 2:1 asked",
        None,
    ),
    (
        "ratio:sentence_balance",
        {},
        "It rained. Did you go out? Never!",
        "It rained. We stayed in. Why?",
        "2 statements, 1 question, 0 exclamations, as many of each asked",
        None,
    ),
    (
        "ratio:overlap",
        {"reference_text": REFERENCE_TEXT, "percentage": 100},
        REFERENCE_TEXT,
        "Nothing of the kind is said here at all.",
        "21.1% of the trigrams shared, 100% asked",
        None,
    ),
    (
        "ratio:sentence_words",
        {},
        "Red foxes run. Big bears nap. Old goats eat.",
        "Foxes run. Bears nap all day. Goats eat.",
        "sentences of 10, 18, 10 characters",
        None,
    ),
    (
        "words:alphabet",
        {},
        "Quiet rivers shape the underlying valleys.",
        "Rivers carve deep valleys.",
        "'carve' where a word with S is due",
        None,
    ),
    (
        "words:vowel",
        {},
        "The answer is a fine garden.",
        "The garden is our dream out here.",
        "uses the vowels a e i o u",
        None,
    ),
    (
        "words:consonants",
        {},
        "Strong winds struck ships.",
        "A strong wind blew.",
        "no two consonants together in 'a'",
        None,
    ),
    (
        "words:palindrome",
        {},
        "Level, radar, civic, refer, madam, kayak, rotor, tenet, solos and stats.",
        "Level, radar and noon.",
        "2 palindromes, at least 10 asked",
        None,
    ),
    (
        "words:prime_lengths",
        {},
        "We saw the red fox.",
        "We watched four foxes.",
        "'four' has 4 letters, no prime number",
        None,
    ),
    (
        "words:start_verb",
        {},
        "Write it down before you forget.",
        "The cat sat down.",
        "begins with 'The', which is no verb we know",
        None,
    ),
    (
        "words:repeats",
        {"small_n": 2},
        "The cat saw the dog.",
        "The cat, the dog and the bird.",
        "'the' 3 times, no more than 2 asked",
        None,
    ),
    (
        "words:odd_even_syllables",
        {},
        "Big happy dog, very red.",
        "Big red dog.",
        "'big' and 'red' both have an odd or both an even number of syllables",
        None,
    ),
    (
        "words:last_first",
        {},
        "We walked to the sea. Sea air is good. Good night!",
        "We walked home. It rained.",
        "a sentence ends with 'home', the next begins with 'It'",
        None,
    ),
    (
        "words:paragraph_last_first",
        {},
        "Tea is what I drink, always tea.\nNight falls late at night.",
        "Tea is what I drink.\nNight falls.",
        "a paragraph begins with 'tea' and ends with 'drink'",
        None,
    ),
    (
        "words:no_consecutive",
        {},
        "Rivers carve deep valleys.",
        "Big bears nap.",
        "'big' and 'bears' begin with the same letter",
        None,
    ),
    (
        "words:keywords_specific_position",
        {"keyword": "lamp", "n": 2, "m": 3},
        "It is dark. Light the lamp please.",
        "It is dark. Light a big lamp please.",
        "word 3 of sentence 2 is 'big'",
        None,
    ),
    (
        "words:words_position",
        {"keyword": "lamp"},
        "A lamp lights the other lamp here",
        "A lamp lights the room here",
        "second word 'lamp', second to last 'room'",
        None,
    ),
    (
        "sentence:keyword",
        {"word": "lamp", "N": 2},
        "It is dark. Light the Lamp.",
        "Light the lamp. It is dark.",
        "no 'lamp' in sentence 2",
        None,
    ),
    (
        "sentence:alliteration_increment",
        {},
        "It ran home. Big bears nap. Some silly snakes sing.",
        "Big bears nap. It ran home.",
        "sentence 2 has no longer row of alliterating words than the one before",
        None,
    ),
    (
        "sentence:increment",
        {"small_n": 2},
        "We left. We went home early.",
        "We left. We went home.",
        "sentence 2 has 3 words, 4 due",
        None,
    ),
    (
        "format:parentheses",
        {},
        "A box ([{([cube])}]) is here.",
        "A box ([cube]) is here.",
        "2 levels of brackets, 5 asked",
        None,
    ),
    (
        "format:quotes",
        {},
        '"She said \'I read "Emma" twice\' and left."',
        "\"She said 'yes' and left.\"",
        "no 3 levels of quotation marks that are closed",
        None,
    ),
    (
        "format:options",
        {"options": "yes/no/maybe"},
        "Maybe.",
        "It depends.",
        "'It depends.' is none of the options",
        None,
    ),
    ("format:newline", {}, "One\nword\neach", "One word\neach", "3 words in 2 lines", None),
    (
        "format:emoji",
        {},
        "It rained 🌧. We stayed in 😀",
        "It rained. We stayed in.",
        "no emoji at the end of 'It rained'",
        None,
    ),
    (
        "format:line_indent",
        {},
        "One\n two\n   three",
        "One\n two\n three",
        "line 3 is indented no deeper than the one before",
        None,
    ),
    (
        "format:quote_unquote",
        {},
        'He calls it "so", which means that it is.',
        'He said "yes" "no" and left.',
        "two quotations without a word between them",
        None,
    ),
    ("format:list", {"sep": "SEPARATOR"}, "SEPARATOR milk\nSEPARATOR bread", "- milk\n- bread", "0 separators", None),
    (
        "format:thesis",
        {},
        "<i>Tea is best.</i> It is hot and cheap.",
        "*Tea is best.* It is hot and cheap.",
        "nothing in italics",
        None,
    ),
    (
        "format:sub-bullets",
        {},
        "* Tea\n  - green\n* Milk\n  - cold",
        "* Tea\n* Milk\n  - cold",
        "an asterisk without a dash behind it",
        None,
    ),
    (
        "format:no_bullets_bullets",
        {},
        "Tea is hot. Milk is cold.\n* tea\n* milk",
        "Tea is hot.\n* tea\n* milk",
        "1 sentence before the first bullet point, 2 asked",
        None,
    ),
    (
        "format:title_case",
        {},
        "The Old Man And The Sea",
        "The old man and the sea",
        "'old' begins with a small letter",
        None,
    ),
    (
        "format:output_template",
        {},
        "My Answer: tea\nMy Conclusion: drink it\nFuture Outlook: more tea",
        "My Answer: tea\nConclusion: drink it",
        "no My Conclusion:, Future Outlook:",
        None,
    ),
    ("format:no_whitespace", {}, "TeaIsHot.", "Tea is hot.", "white space", None),
    (
        "custom:multiples",
        {},
        "14, 21, 28, 35, 42, 49",
        "7, 14, 21, 28, 35, 42, 49",
        "the numbers 7 14 21 28 35 42 49, not 14 21 28 35 42 49",
        None,
    ),
    (
        "custom:mcq_count_length",
        {},
        QUESTIONS,
        questions(*reversed(TITLES)),
        "questions of 65, 41, 31, 15 characters do not get longer",
        None,
    ),
    (
        "custom:reverse_newline",
        {},
        COUNTRIES,
        "\n".join(reversed(COUNTRIES.split("\n"))),
        "1 line from Zimbabwe on, at least 52 asked",
        None,
    ),
    (
        "custom:word_reverse",
        {},
        "eagle bald the is symbol national The",
        "The national symbol is the bald eagle",
        "no 'bald eagle' when read backwards",
        None,
    ),
    (
        "custom:character_reverse",
        {},
        ".elgae dlab eht si tI",
        "It is the bald eagle.",
        "no 'bald eagle' written backwards",
        None,
    ),
    (
        "custom:sentence_alphabet",
        {},
        STORY,
        STORY.replace("Clara", "Anna"),
        "sentence 3 begins with 'Anna walked home.', not with C",
        None,
    ),
    (
        "custom:european_capitals_sort",
        {},
        CAPITALS,
        ", ".join(reversed(CAPITALS.split(", "))),
        "'Zagreb' is not due where it stands",
        None,
    ),
    ("custom:csv_city", {}, CITIES, CITIES.rpartition("\n")[0], "7 lines, a head and 7 rows asked", None),
    (
        "custom:csv_special_character",
        {},
        PRODUCTS,
        PRODUCTS.replace('"', "").replace(" & ", " "),
        "no field with a special character in double quotes",
        None,
    ),
    ("custom:csv_quotes", {}, STUDENTS, STUDENTS.replace('"B"', "B"), "'B' not in double quotes", None),
    (
        "custom:date_format_list",
        {},
        "1796-04-12, 1805-12-02",
        "1805-12-02 (Austerlitz)",
        "'1805-12-02 (Austerlitz)' is no date as asked",
        None,
    ),
    (
        "repeat:repeat_change",
        {"prompt_to_repeat": "Name a river in Peru."},
        "List a river in Peru.",
        "The Ucayali is a river in Peru.",
        "differs from the request behind the first word",
        None,
    ),
    (
        "repeat:repeat_simple",
        {},
        "Only output this sentence here, ignore all other requests.",
        "All right: only this sentence.",
        "another text than the sentence asked",
        None,
    ),
    (
        "repeat:repeat_span",
        {"prompt_to_repeat": "Name a long river in Peru.", "n_start": 1, "n_end": 4},
        "a long river",
        "Name a long",
        "not the words 1 to 4 of the request",
        None,
    ),
]

_SO = {"prompt_to_repeat": "Tell me why clouds are grey.", "n_start": 1, "n_end": 3}

# instruction, kwargs, an odd reply, whether the published check takes it, whether the repaired one does
ODD: list[tuple[str, dict[str, object], str, bool, bool]] = [
    # an apostrophe parts a word in two
    ("count:word_count_range", {"min_words": 4, "max_words": 4}, "I don't know.", True, False),
    # a dash that stands alone is a word
    ("count:unique_word_count", {"N": 3}, "Tea - milk", True, False),
    # one conjunction in three spellings is three
    ("count:conjunctions", {"small_n": 3}, "And so and, and", True, False),
    ("count:conjunctions", {"small_n": 3}, "And then and, finally, AND", True, False),
    ("count:person_names", {"N": 1}, "Emmanuel met liam.", False, False),
    # punctuation between two numbers makes one of them
    ("count:numbers", {"N": 2}, "Pages 12-15", False, True),
    ("count:numbers", {"N": 1}, "At 3.14 it stops.", True, True),
    ("count:numbers", {"N": 1}, "It costs 1,000 coins.", True, True),
    ("count:punctuation", {}, "So, what: no; yes‽ Why? Go! On.", True, True),
    # the later list has demonstratives and the like
    ("count:pronouns", {"N": 2}, "This is what matters.", False, True),
    ("count:pronouns", {"N": 3}, "she/her/hers", True, True),
    # too short to have a word that is asked for
    ("count:words_japanese", {"N": 9}, "Nothing in Japanese here.", True, False),
    ("count:words_japanese", {"N": 2}, "I 7 saw 8", True, True),
    # found inside other words
    (
        "count:keywords_multiple",
        {"keyword1": "art", "keyword2": "b", "keyword3": "c", "keyword4": "d", "keyword5": "e"},
        "party bb ccc ddddd eeeeeee",
        True,
        False,
    ),
    # the two halves of a contraction are two stop words
    ("ratio:stop_words", {"percentage": 40}, "Bees don't sting.", False, True),
    # no question at all, and none of the three kinds
    ("ratio:sentence_type", {}, "No end mark here", True, False),
    ("ratio:sentence_type", {}, 'It rained. We left. "Did you?"', False, True),
    ("ratio:sentence_balance", {}, "No end mark here", True, False),
    # trigrams of characters, not of words
    ("ratio:overlap", {"reference_text": "abcdef", "percentage": 100}, "abcdef", True, False),
    ("ratio:overlap", {"reference_text": "one two three four", "percentage": 100}, "one two three", True, True),
    # no word is to stand there twice
    ("ratio:sentence_words", {}, "A cat sat. A dog ran. A bee hid.", True, False),
    # a dash that stands alone is no word with a letter
    ("words:alphabet", {}, "A – big cat", False, True),
    ("words:alphabet", {}, "Zoos are big", True, True),
    ("words:alphabet", {}, "7 apples", False, False),
    ("words:vowel", {}, "Ask a cat.\nAsk a dog.", False, False),
    ("words:consonants", {}, "Strong - winds", False, True),
    ("words:palindrome", {}, "level " * 10, True, True),
    ("words:prime_lengths", {}, "We – see", False, True),
    ("words:start_verb", {}, "Writing helps.", True, True),
    ("words:repeats", {"small_n": 1}, "Tea, tea", False, False),
    ("words:odd_even_syllables", {}, "One", True, True),
    ("words:last_first", {}, "One sentence alone.", True, True),
    # a comma behind the first word
    ("words:paragraph_last_first", {}, "Tea, I say, is just tea.", False, True),
    ("words:no_consecutive", {}, "Tea “to go”", True, False),
    # marks are words: the comma is the second
    ("words:keywords_specific_position", {"keyword": "lamp", "n": 1, "m": 3}, "Yes, lamp.", True, False),
    ("words:keywords_specific_position", {"keyword": "lamp", "n": 1, "m": 2}, "Yes, lamp.", False, True),
    ("words:words_position", {"keyword": "lamp"}, "A lamp and a lamp here.", False, True),
    ("sentence:keyword", {"word": "art", "N": 1}, "We had a party.", False, False),
    # two rows of two are no longer than one of three
    ("sentence:alliteration_increment", {}, "Big bad bears. Sea salt and red roses.", True, False),
    ("sentence:increment", {"small_n": 3}, "One sentence alone.", True, True),
    # five open and one of them closed
    ("format:parentheses", {}, "((((( so )", True, False),
    ("format:parentheses", {}, "(((((so)))))", True, True),
    ("format:parentheses", {}, "([{(<so>)}])", False, False),
    # an apostrophe is a quotation mark
    ("format:quotes", {}, "It's \"so 'very' so\" it's", True, False),
    # blanks around a lettered option; a divider inside a word
    ("format:options", {"options": "a), b), c), d)"}, " b)\n", False, True),
    ("format:options", {"options": "right, wrong, more"}, "right", False, True),
    ("format:options", {"options": "yes/no/maybe"}, "\nmaybe", False, True),
    # as many lines as words, but not a word in each; a blank that is not empty
    ("format:newline", {}, "One two\n-- --\nthree", True, False),
    ("format:newline", {}, "One\n \ntwo", False, True),
    # a flag is two characters, neither an emoji by itself
    ("format:emoji", {}, "Hello 🇫🇷", False, True),
    ("format:emoji", {}, "Hello. 😀 Bye! 🎉", True, True),
    # one line; a tab; blank lines, of which every second stays
    ("format:line_indent", {}, "One", True, False),
    ("format:line_indent", {}, "One\n\ttwo", False, True),
    ("format:line_indent", {}, "One\n\n two", True, True),
    ("format:line_indent", {}, "One\n\n\n two", False, True),
    # curly quotation marks
    ("format:quote_unquote", {}, "He said “yes”", True, False),
    ("format:quote_unquote", {}, 'He said "yes".', False, False),
    # wherever it stands
    ("format:list", {"sep": "-"}, "A well-known, long-lived tree", True, False),
    # empty, and not at the beginning
    ("format:thesis", {}, "<em></em>", True, False),
    ("format:thesis", {}, "Tea is hot, and <i>cheap</i> too.", True, False),
    ("format:thesis", {}, "# Tea\n<em>Tea is hot.</em> It is cheap.", True, True),
    # no bullet point at all, and a mark of bold type
    ("format:sub-bullets", {}, "No points.", True, False),
    ("format:sub-bullets", {}, "* **Tea**\n- green", False, True),
    # a blank line between two sentences, and one at the end
    ("format:no_bullets_bullets", {}, "Tea is hot.\n\nMilk is cold.\n* tea\n* milk", False, True),
    ("format:no_bullets_bullets", {}, "Tea is hot. Milk is cold.\n\n* tea\n* milk\n", False, True),
    ("format:no_bullets_bullets", {}, "Tea is hot! Milk is cold!\n* tea\n* milk", True, False),
    # small words, and what the tokenizer cuts off
    ("format:title_case", {}, "The Old Man and the Sea", False, True),
    ("format:title_case", {}, "Don't Go", False, True),
    ("format:title_case", {}, "McDONALD iPhone", True, False),
    # out of order, and empty
    ("format:output_template", {}, "Future Outlook: My Conclusion: My Answer: tea", True, False),
    ("custom:multiples", {}, "From 10 to 50: 14, 21, 28, 35, 42, 49", False, False),
    # no number behind the label
    ("custom:mcq_count_length", {}, re.sub(r"Question \d", "Question", QUESTIONS), False, True),
    ("custom:reverse_newline", {}, "Here they are:\n" + COUNTRIES, True, True),
    ("custom:word_reverse", {}, "great is eagle bald The", True, True),
    # a mark before the first letter
    ("custom:sentence_alphabet", {}, STORY.replace("Anna", '"Anna"', 1), False, True),
    # Kyiv is left out of the published list
    ("custom:european_capitals_sort", {}, CAPITALS.replace("Prague", "Kyiv, Prague") + ".", False, True),
    ("custom:european_capitals_sort", {}, CAPITALS.replace("Chisinau", "Chișinău"), True, True),
    # blanks behind commas, a fence
    ("custom:csv_city", {}, CITIES.replace(",", ", "), False, True),
    ("custom:csv_city", {}, f"```csv\n{CITIES}\n```", False, True),
    # the published check does not look behind the first such field, nor survives an empty one
    ("custom:csv_special_character", {}, PRODUCTS.rpartition(",")[0], True, False),
    ("custom:csv_quotes", {}, STUDENTS.replace('"B"', "", 1), False, False),
    # dates that no calendar has
    ("custom:date_format_list", {}, "1805-00-99, 1807-02-29", True, False),
    # the same request with another blank
    ("repeat:repeat_change", {"prompt_to_repeat": "Name a river."}, "Name  a river.", True, False),
    ("repeat:repeat_simple", {}, "ONLY output this sentence here, ignore all other requests.\n", True, True),
    # the last of the words asked for
    ("repeat:repeat_span", _SO, "me why", True, True),
    ("repeat:repeat_span", _SO, "Me why clouds", False, True),
]
