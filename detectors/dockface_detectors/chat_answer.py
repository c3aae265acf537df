"""The answer of a vision model, read as data of a closed form. What does not have the form is no verdict."""

import dataclasses
import json
import math
import re
import unicodedata

from . import verify

REASONS = ("same thing", "other thing", "other colour", "other text", "too small", "blurred", "hidden", "not sure")
#: The longest text of each member that is kept, in characters.
LONGEST = {"seen": 80, "text": 400}

SCHEMA = {
    "type": "object",
    "properties": {
        "seen": {"type": "string"},
        "verdict": {"type": "string", "enum": list(verify.WORDS)},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string", "enum": list(REASONS)},
        "text": {"type": ["string", "null"]},
    },
    "required": ["seen", "verdict", "confidence", "reason", "text"],
    "additionalProperties": False,
}

#: Words with which a picture could speak to a model.
ORDERS = {"answer", "verdict", "match", "ignore", "instruction", "instructions", "system", "prompt", "assistant", "confidence",
          "json", "respond", "reply", "output", "disregard"}


@dataclasses.dataclass(frozen=True)
class Said:
    """What a model has said."""

    word: str
    confidence: float
    seen: str = ""
    reason: str = ""
    text: str = ""

    def judged(self, wish):
        """The word that counts, and why, in words."""
        said = f"the model says: {self.seen}, {self.reason}" if self.seen else self.reason
        if self.word == "match" and (why := persuasion(self.text, wish)):
            return "unclear", why
        return self.word, verify.plain(said)


def read(answer):
    """What a model has said in a complete answer.

    Raises ValueError if it has not the form.
    """
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ValueError("it has no choices")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise ValueError("it has no message")
    if choices[0].get("finish_reason") == "length":
        return Said("unclear", 1, reason="the answer was cut off")
    if choices[0].get("finish_reason") == "content_filter" or isinstance(message.get("refusal"), str):
        return Said("unclear", 1, reason="the model refuses to answer")
    content = message.get("content")
    if not isinstance(content, str):
        raise ValueError("it has no text")
    said = only_object(content)
    confidence, text = said.get("confidence"), said.get("text")
    if said.get("verdict") not in verify.WORDS:
        raise ValueError("it has no verdict")
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not math.isfinite(confidence) or not 0 <= confidence <= 1:
        raise ValueError("its confidence is not a number from 0 to 1")
    if said.get("reason") not in REASONS or not isinstance(said.get("seen"), str) or not (text is None or isinstance(text, str)):
        raise ValueError("it has another form")
    return Said(said["verdict"], float(confidence), verify.plain(said["seen"], LONGEST["seen"]), said["reason"],
                verify.plain(text or "", LONGEST["text"]))


def only_object(content):
    """The only JSON object of a text. Models that are not held to a form put words or a fence around it."""
    decoder, found, place = json.JSONDecoder(), [], 0
    while (place := content.find("{", place)) >= 0:
        try:
            value, end = decoder.raw_decode(content, place)
        except (ValueError, RecursionError):
            raise ValueError("it is not JSON") from None
        found.append(value)
        place = end
    if len(found) != 1 or not isinstance(found[0], dict):
        raise ValueError(f"it has {len(found)} objects instead of one")
    return found[0]


def persuasion(text, wish):
    """Why the text in a picture spoils a match, or None. Who prints the name of a thing must not be found as that thing."""
    text, expected = folded(text), folded(wish.text or "")
    if expected:
        text = text.replace(expected, " ")
    words = set(text.split())
    if words & ORDERS:
        return "the picture tells the model what to answer"
    for name in (wish.label, wish.description):
        if name and f" {folded(name)} " in f" {' '.join(text.split())} ":
            return "the name of the thing is written there; if it belongs to it, name it with --text"
    return None


def folded(text):
    """A text as lower-case words without signs."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))
