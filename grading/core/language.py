"""What a critic may not say, whatever it was told: praise, points, words against a person. And text made plain."""

import re
import unicodedata

from grading.core.verification import comparable, unmasked, without_invisible

_PRAISE = re.compile(
    r"\bwell done\b|\bkudos\b|\bbravo\b|\bcongratulat\w*|\bexcellent\b|\bimpressive\w*|\bbrilliant\w*|\bsuperb\w*|"
    r"\bwonderful\w*|\bfantastic\w*|\bawesome\b|\belegant\w*|\bpraiseworthy\b|\bcommend\w*|\badmir\w+|\binsightful\b|"
    r"\bthoughtful\w*|\bto your credit\b|\bhats off\b|\bbeautiful\w*|\bterrific\b|"
    r"\b(?:good|great|nice|fine|strong|solid|perfect|outstanding|smart|amazing) (?:job|work|start|answer|point|call|"
    r"choice|thinking|idea|instincts?|design|submission|effort|reasoning|grasp|understanding|foundation|question|"
    r"analysis|derivation|catch|observation)\b|"
    r"\b(?:this|that|it|design|answer|submission|section|part) (?:is|looks|was|are) (?:very |really |quite |so )?"
    r"(?:good|great|perfect|nice|solid|strong|right on)\b|"
    r"\bwell[- ](?:thought|reasoned|written|designed|structured|argued|explained|considered|researched|made)\b|"
    r"\b(?:i|we) (?:really |do )?(?:like|love|appreciate|enjoyed)\b|\bthank you\b|\bthanks for\b",
)
_COUNT = r"(?:[0-9]+(?:\.[0-9]+)?|zero|one|two|three|four|five|ten|full|half|top|maximum|max|no|all)"
_POINTS = re.compile(
    r"(?<![\w./])[0-9]+(?:\.[0-9]+)?\s?/\s?(?:4|5|10|100)(?![\w/]|\.[0-9])(?!\s+of\b)|"
    rf"\b{_COUNT} out of (?:4|5|10|100|four|five|ten)(?=\s*(?:$|[.,;:!?)]|for\b|on\b|here\b|points?\b|marks?\b))|"
    rf"\b{_COUNT} (?:bonus |extra )?(?:points?(?! of\b| where\b| at\b| in\b| to\b)|marks?|credit)\b|"
    r"\b(?:partial|extra|full|half) (?:credit|marks?|score)\b|"
    r"\b(?:earn|earns|earned|deserves?|merits?|scores?|scored) (?:you |it |this |a |an |the )*"
    r"(?:nothing|zero|none|points?|marks?|full|half|level|[0-4](?![\w.%])|four|three)\b|\bdeserves? credit\b|"
    r"\b(?:gets?|gives?|giving) (?:you |it |this |a |an |the )*"
    r"(?:points?|marks?|level|[0-4](?= (?:for|on|here)\b|\.?$))|"
    r"\baward\w*\b|\b(?:score|grade|rating|mark)(?: of| is| at| as)?\s?[:=]?\s?[0-4](?![\w.%])|"
    r"\b(?:i|we)(?:'d| would| will|'ll)? (?:score|grade|mark) (?:this|it|you|the|your)\b|\bgraded (?:a|at|as)\b|"
    r"\byour (?:score|grade|level)\b|\blevels? (?:[0-4]|zero|one|two|three|four)\b(?! cache)|"
    r"\brubric (?:line|level|anchor|asks|gives|says)|\banchors? (?:is|are) (?:not )?met\b|"
    r"\b(?:no|strong|weak|would|not|to|lean) hire\b|\bhire (?:at|bar|you)\b|\blean no\b",
)
_PERSONAL = re.compile(
    r"\b(?:stupid|idiot\w*|moron\w*|incompetent|clueless|pathetic|imbecile|dumb|lazy|ignorant|fool|foolish|amateur\w*)\b|"
    r"\byou(?:'re| are) (?:not )?(?:an? )?(?:unqualified|unfit|qualified|fit|smart|engineer|junior|beginner|bad)\b|"
    r"\byou (?:clearly |obviously )?(?:know nothing|have no idea|understand nothing)\b"
)
_MARKUP = re.compile(r"[*_`~]+|<[^<>]{0,200}>|&(?:nbsp|zwnj|zwj|shy|#\w{1,8});")
_BLANK_LINES = re.compile(r"\n\s*\n\s*\n+")


def praises(text: str) -> str:
    """The words that praise; "" when there are none."""
    return _found(_PRAISE, text)


def scores(text: str) -> str:
    """The words that award, deny or name points, levels or verdicts; "" when there are none."""
    return _found(_POINTS, text)


def attacks_person(text: str) -> str:
    """The words that go against the person; "" when there are none."""
    return _found(_PERSONAL, text)


def plain_text(text: str) -> str:
    """The text as it is kept: what shows nothing is gone, and so is white space that only pads.

    Markup is left as the characters that it is: a page escapes them and renders none.
    """
    seen = "".join(
        character
        for character in without_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    )
    lines = "\n".join(line.rstrip() for line in seen.split("\n"))
    return _BLANK_LINES.sub("\n\n", lines).strip()


def _found(pattern: re.Pattern[str], text: str) -> str:
    """Looked for in the text as read and in the text with markup taken out of words."""
    read = unmasked(comparable(text))
    for form in (read, _MARKUP.sub("", read), _MARKUP.sub(" ", read)):
        match = pattern.search(" ".join(form.casefold().split()))
        if match:
            return match[0]
    return ""
