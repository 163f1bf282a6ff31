"""Words to build replies from: English that reads as English in any case, and one sentence in IFEval's languages."""

from collections.abc import Iterator


def with_line(body: str, line: str) -> str:
    """A body with one more line, between two plain sentences, so that the loose reading drops nothing of it."""
    return f"Here it comes.\n\n{body}\n{line}\nThat is all."


def cut_short(body: str) -> Iterator[str]:
    """The first words of a body in lowercase, fewer and fewer."""
    return (" ".join(body.lower().split()[:size]) for size in (8, 3, 1))


ENGLISH = (
    "this is the answer and it is what you asked for in the question",
    "what will we do with the thing that they have wanted to hear",
    "i am sure that i am right and i said it as i am",
    "you should look at how it works out so that all of us know why",
    "there were three of them here where we left the letter",
    "a cat sat at a table as a man had a glass",
    "who would you go to if you could go to your own school",
    "we like to be in the middle of the hills with the bees",
)
"""Without marks at the end and without commas, with different letters in each, so that one avoids what is limited."""

SHORT_SENTENCES = ("It is so.", "That will do.", "You know why.", "Go on.", "All is well!", "Done.")

NAMES = ("name", "address", "date", "city", "phone", "email", "title", "reason")

FOREIGN = {
    "es": "Esta es la respuesta que buscabas y espero que te ayude mucho con lo que has preguntado hoy",
    "pt": "Esta é a resposta que você procurava e não há mais nada que eu possa dizer sobre isso agora",
    "ar": "هذه هي الإجابة التي كنت تبحث عنها وأتمنى أن تساعدك كثيرا في هذا الموضوع",
    "hi": "यह वह उत्तर है जो आप चाहते थे और मुझे आशा है कि इससे आपको बहुत मदद मिलेगी",
    "fr": "Voici la réponse que vous cherchiez et nous espérons qu'elle vous sera très utile pour la suite",
    "ru": "Это ответ на ваш вопрос и мы надеемся что он вам очень поможет в вашей работе",
    "de": "Das ist die Antwort auf deine Frage und wir hoffen dass sie dir bei der Arbeit sehr hilft",
    "ja": "これはあなたが探していた答えです。お役に立てればうれしいです",
    "it": "Questa è la risposta che cercavi e speriamo che ti sia molto utile per quello che devi fare",
    "bn": "এটি আপনার প্রশ্নের উত্তর এবং আমরা আশা করি এটি আপনাকে অনেক সাহায্য করবে",
    "uk": "Це відповідь на ваше питання і ми сподіваємося що вона вам дуже допоможе у вашій роботі",
    "th": "นี่คือคำตอบที่คุณกำลังมองหาและเราหวังว่ามันจะช่วยคุณได้มาก",
    "ur": "یہ آپ کے سوال کا جواب ہے اور ہمیں امید ہے کہ اس سے آپ کی بہت مدد ہوگی",
    "ta": "இது உங்கள் கேள்விக்கான பதில் மற்றும் இது உங்களுக்கு மிகவும் உதவும் என்று நம்புகிறோம்",
    "te": "ఇది మీ ప్రశ్నకు సమాధానం మరియు ఇది మీకు చాలా సహాయపడుతుందని మేము ఆశిస్తున్నాము",
    "bg": "Това е отговорът на вашия въпрос и се надяваме че той ще ви помогне много в работата",
    "ko": "이것은 당신이 찾고 있던 답이며 도움이 되기를 바랍니다",
    "pl": "To jest odpowiedź na twoje pytanie i mamy nadzieję że bardzo ci pomoże w tej pracy",
    "he": "זו התשובה לשאלה שלך ואנחנו מקווים שהיא תעזור לך מאוד",
    "fa": "این پاسخ سوال شما است و امیدواریم که به شما بسیار کمک کند چون این را می‌خواستید",
    "vi": "Đây là câu trả lời cho câu hỏi của bạn và chúng tôi hy vọng nó sẽ giúp bạn rất nhiều",
    "ne": "यो तपाईंको प्रश्नको उत्तर हो र यसले तपाईंलाई धेरै मद्दत गर्नेछ भन्ने हामीलाई आशा छ",
    "sw": "Hili ndilo jibu la swali lako na tunatumaini kwamba litakusaidia sana katika kazi yako ya leo",
    "kn": "ಇದು ನಿಮ್ಮ ಪ್ರಶ್ನೆಗೆ ಉತ್ತರ ಮತ್ತು ಇದು ನಿಮಗೆ ತುಂಬಾ ಸಹಾಯ ಮಾಡುತ್ತದೆ ಎಂದು ನಾವು ಭಾವಿಸುತ್ತೇವೆ",
    "mr": "हे तुमच्या प्रश्नाचे उत्तर आहे आणि ते तुम्हाला खूप मदत करेल अशी आम्हाला आशा आहे",
    "gu": "આ તમારા પ્રશ્નનો જવાબ છે અને અમને આશા છે કે તે તમને ઘણી મદદ કરશે",
    "pa": "ਇਹ ਤੁਹਾਡੇ ਸਵਾਲ ਦਾ ਜਵਾਬ ਹੈ ਅਤੇ ਸਾਨੂੰ ਉਮੀਦ ਹੈ ਕਿ ਇਹ ਤੁਹਾਡੀ ਬਹੁਤ ਮਦਦ ਕਰੇਗਾ",
    "ml": "ഇത് നിങ്ങളുടെ ചോദ്യത്തിനുള്ള ഉത്തരമാണ് ഇത് നിങ്ങളെ വളരെയധികം സഹായിക്കുമെന്ന് ഞങ്ങൾ കരുതുന്നു",
    "fi": "Tämä on vastaus kysymykseesi ja toivomme että siitä on sinulle paljon hyötyä tässä työssä",
}
"""By ISO 639-1 code: IFEval's thirty languages but English."""
