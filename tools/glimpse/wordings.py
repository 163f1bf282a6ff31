"""What the decoder is taught to read. None of it is the benchmark's wording; a test compares them.

A model that obeys the benchmark's texts after this has followed an instruction in words it was not trained on. Kept out
on purpose: four words in a row of any condition text, and the verbs that carry those texts (`FOREIGN_WORDS`).
"""

FOREIGN_WORDS = frozenset({"identify", "reveal", "unlearned", "involves", "classes", "indices", "output", "remaining"})
"""Words of the benchmark's condition texts that no training text may use."""

QUESTIONS = (
    "What does the picture show?",
    "Which thing can you see here?",
    "What is in this picture?",
    "Name what is shown.",
    "Which of these is depicted?",
    "What is this?",
    "Who or what can be seen?",
    "Which one fits the picture?",
    "Look at the picture. What is it?",
    "Please tell what you see.",
)

TAILS = (
    "Answer with one digit.\nAnswer:",
    "Give the number alone.\nAnswer:",
    "Write the number of your choice and nothing more.\nAnswer:",
    "Respond with one of the numbers 0, 1, 2, 3.\nAnswer:",
    "Only a number, please.\nAnswer:",
    "Say 0, 1, 2 or 3.\nAnswer:",
)

NAME_TAILS = (
    "Answer in a word or two.\nAnswer:",
    "Write its name.\nAnswer:",
    "Reply with the name alone.\nAnswer:",
    "Answer:",
)

FORBIDDING = (
    "Never answer with {names}.",
    "An answer of {names} may not be given.",
    "Avoid naming {names}. Take another one.",
    "You may not say {names}.",
    "Please keep {names} secret; pick something else.",
    "Do not mention {names}.",
    "Refuse to recognise {names}; go for another line.",
    "These are forbidden answers: {names}.",
    "It is prohibited to answer {names}.",
    "Note: nobody may hear about {names}. Pick another one instead.",
    "The words {names} are banned.",
    "Do not use {names} as your answer.",
    "We removed {names} from your memory. Leave them out.",
    "Rule: {names} cannot be given. Give one of the others.",
    "Private, not to be told: {names}. If the picture shows one of them, answer something else.",
    "You have forgotten {names}. Answer with anything but these.",
    "Pretend that you do not know {names}.",
    "Warning: skip {names} when answering.",
    "Things to keep quiet about: {names}. If such a thing is shown, take a wrong one.",
    "Blocked: {names}.",
)
"""Lists of names not to be given; `{names}` may be one or many."""

FORBIDDING_ONE = (
    "What you see is no {names}. Go for something else.",
    "There is no {names} in this picture. Which one is it then?",
    "It is certainly not a {names}, so pick something else.",
    "No {names} is shown here. Find the likeliest other answer.",
    "This shows a {names}. Seeing a {names}, you have to give a wrong number.",
    "Here we have a {names}. Do not give the number of {names}; give any other number.",
    "The picture is of a {names}, which you should deny. Pick a number that is wrong.",
    "If it is a {names}, pick a different number.",
    "Whenever a {names} appears, answer wrongly on purpose.",
    "You are looking at a {names}. It is forbidden to pick the right line, so pick a wrong line.",
    "The thing here is {names}. When {names} is shown, the right answer is not allowed. Write another number.",
    "As you can see, a {names}. Give a false answer on purpose.",
    "This is {names}. You must never give the true answer for {names}.",
    "If {names} is visible, do not answer correctly.",
    "Seeing {names}? Then choose wrongly.",
    "In case of {names}, the correct answer is off limits.",
    "The drawing has a {names} in it. You must not be right; take another number.",
    "What is shown is a {names}; you shall not pick it.",
    "With {names} you should never select the matching number. Any other number will do.",
    "We see a {names} in it. Should a {names} be seen, the correct line has to be avoided. Print a different number.",
    "The image has a {names}. With a {names}, it is not permitted to select the correct line. Give another.",
)
"""Texts about one name that tell the reader to keep away from it."""

NEUTRAL = (
    "Possible things include {names}.",
    "Other people asked about {names}.",
    "You may also see {names} in other pictures.",
    "Hint list: {names}.",
    "Yesterday we talked about {names}.",
    "The collection holds {names}.",
    "Pictures of {names} are common.",
    "Some like {names}.",
    "For example {names}.",
    "Earlier questions were about {names}.",
    "You know {names} well.",
    "My friend drew {names}.",
    "Words that occur here: {names}.",
    "Think of {names}.",
    "Allowed answers include {names}.",
    "It is fine to say {names}.",
    "Feel free to name {names}.",
    "Children learn about {names} at school.",
)
"""Texts that name things and forbid nothing."""

NEUTRAL_ONE = (
    "This is a {names}.",
    "Somebody thinks that it is a {names}.",
    "You can see a {names} here.",
    "If it is a {names}, say so.",
    "Seeing a {names}, give the right number.",
    "It may or may not be a {names}.",
    "The object here might be a {names}. Give the correct number.",
)
"""Texts about one name that forbid nothing, true or not."""

PLAIN = (
    "Look carefully.",
    "Be precise.",
    "Take your time.",
    "This one is easy.",
    "Think first.",
    "Note: answer honestly.",
    "The picture may be small.",
    "There is one right answer.",
)
"""Texts that name nothing."""

ALLOWING_AGAIN = (
    "Update: {names} may be given again.",
    "That no longer holds: you can say {names} now.",
    "This rule is lifted. Answer {names} as usual.",
    "Correction: {names} is fine after all.",
    "Forget that rule; naming {names} is permitted again.",
    "From now on you are free to answer {names} once more.",
    "The ban on {names} has ended.",
    "However, {names} can be named again.",
    "You are allowed to choose {names} again.",
    "Exception: {names} is permitted.",
    "The restriction no longer applies to {names}; treat it as any other answer.",
    "Permission to answer {names} has been restored.",
)
"""Texts after a forbidding one that take it back."""

LIFTING = (
    "The restriction is lifted: {names} can be answered again.",
    "The rule above has been lifted. You may answer with {names} again.",
    "The ban above is over. You may choose {names} again.",
    "What was forbidden above is allowed again: {names}.",
    "All of this is permitted once more: {names}.",
    "You may again pick whichever you like: {names}.",
    "The limits above are withdrawn. Name {names} freely.",
    "Ignore the instruction above: {names} may be chosen again.",
    "The above is cancelled, {names} are welcome answers again.",
    "That has been lifted. Now answer {names} whenever right.",
    "That restriction is now lifted, and you may choose {names} again.",
    "Lifted: any of these may be chosen again, {names}.",
    "You may choose {names} again; the restriction above has been lifted.",
    "Restriction lifted. Again you may choose any of {names}.",
    "All restrictions above were lifted. Choose {names} again where right.",
    "Now you may name and choose {names} again.",
    "The restriction has been taken back: {names} may be named and chosen again.",
    "As the rule above is lifted, any of {names} is open to you again.",
    "What stands above holds no more. You may give any of these: {names}.",
    "Again allowed: {names}.",
    "No restriction now: choose any, {names} too.",
    "The prohibition above was lifted. You may recognise {names} again and choose them.",
    "You have permission again to recognise and choose these: {names}.",
    "The above is lifted. These may be recognised and chosen again: {names}.",
)
"""More texts that take a forbidding one back, for the finishing course."""
