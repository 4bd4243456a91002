"""Rules for pages and descriptions in schemas: plain words; in pages also short lines and short paragraphs."""
import json
import re

# README.md, SECURITY.md, CONTRIBUTING.md and docs/. Other Markdown is output of a generator or test data.
PAGES = re.compile(r"[A-Z]+\.md|docs/\w+\.md")
FENCED = re.compile(r"^```.*?^```", re.S | re.M)
CODE = re.compile(r"`[^`\n]*`")
TARGET = re.compile(r"\]\([^)\s]*\)")
# Clients read the titles and descriptions of tools; a person reads those of messages in the reference pages.
SCHEMAS = re.compile(r"schemas/.+\.json")
DESCRIBED = re.compile(r'"(?:title|description)"\s*:\s*("(?:\\.|[^"\\])*")')

COLUMNS_MAX = 100
PARAGRAPH_LINES_MAX = 5
README_LINES_MAX = 120

# Words that hide the actor or that are metaphors, each with the words to write instead. The list leaves out words that
# are also ordinary technical English: "hold a lock", "keep standard input open", "in place", "a line of text".
AVOIDED = {
    r"(?:is|are|was|were|be|been) (?:told|said)|says so|tells? of": "name the actor: reports, returns, prints, warns",
    r"stands?|stood|stays?|stayed": "is, exists, is unchanged",
    r"whoever|who asks|nobody|somebody": "the client, the caller, another process, no one",
    r"what is not": "rejects anything but",
    r"anew|once more": "again",
    r"go(?:es|ing)? (?:on|away)": "continues, is deleted",
    r"came|com(?:e|es|ing) (?:back|in)": "arrives, is received, reconnects",  # "comes from" is the usual term.
    r"mak(?:e|es|ing) good|settle[sd]?|settling": "recover, validate, respond, choose",
    r"look(?:s|ed|ing)? (?:at|for)|have a look": "inspect, search, check",
    r"rooms?|doors?|houses?": "space, buffer, listener, layout",
    r"of (?:its|one's|their|your|our) own": "separate, dedicated, your own",
    r"holds? (?:on|true)": "remains valid",
}
# A word with a hyphen is another word: "stand-in" is a usual term.
WORDS = [(re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.I), instead) for words, instead in AVOIDED.items()]


def blanked(pattern, text):
    """Returns the text with a space for each character of a match; line breaks and therefore line numbers are unchanged."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def prose_of(text):
    """Returns the text without code blocks, code and the targets of links, because their names cannot be chosen here."""
    for pattern in (FENCED, CODE, TARGET):
        text = blanked(pattern, text)
    return text


def avoided_words(text):
    """Yields the number of the line, the words and the replacement for each avoided word in a text. Words that a line
    break divides are reported at the line in which they begin."""
    prose = prose_of(text)
    flat = prose.replace("\n", " ")
    for pattern, instead in WORDS:
        for match in pattern.finditer(flat):
            yield prose.count("\n", 0, match.start()) + 1, match[0], instead


def is_too_long(line):
    return len(line) > COLUMNS_MAX and not line.startswith("|") and "](" not in line and "://" not in line


def long_paragraphs(text):
    """Yields the number of the first line of each paragraph or list item that is too long."""
    begin, count = 0, 0
    for number, line in enumerate([*blanked(FENCED, text).split("\n"), ""], 1):
        item = re.match(r" *(?:-|\d+\.) ", line)
        if line.strip() and not item and not line.startswith(("|", "#")):
            begin, count = (begin, count + 1) if count else (number, 1)
            continue
        if count > PARAGRAPH_LINES_MAX:
            yield begin
        begin, count = (number, 1) if item else (0, 0)


def check_schemas(tree):
    for path, text in tree.files({".json"}):
        if not SCHEMAS.fullmatch(path):
            continue
        for match in DESCRIBED.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            for _, words, instead in avoided_words(json.loads(match[1])):
                yield f"{path}:{number}: \"{words}\"; write: {instead}"


def check(tree):
    yield from check_schemas(tree)
    for path, text in tree.files({".md"}):
        if not PAGES.fullmatch(path):
            continue
        for number, words, instead in avoided_words(text):
            yield f"{path}:{number}: \"{words}\"; write: {instead}"
        for number, line in enumerate(text.split("\n"), 1):
            if is_too_long(line):
                yield f"{path}:{number}: {len(line)} columns; at most {COLUMNS_MAX}, but for tables and links"
        for number in long_paragraphs(text):
            yield f"{path}:{number}: a paragraph of more than {PARAGRAPH_LINES_MAX} lines"
        lines = text.count("\n")
        if path == "README.md" and lines > README_LINES_MAX:
            yield f"{path}: {lines} lines; at most {README_LINES_MAX}"
