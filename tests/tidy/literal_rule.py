"""Strings in the product's C++ must not contain the words that pages avoid, because people and models read them."""
import re

from page_rules import WORDS, prose_of
from source import CODE, PART

PRODUCT = ("runtime/", "codegen/", "tools/")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.M)
COMMENT = re.compile(r"//[^\n]*|\s")


def literals(code):
    """Yields the offset and the text of every string; adjacent strings, which the compiler joins, are one."""
    joined, begin, end = "", 0, -1
    code = INCLUDE.sub(lambda match: " " * len(match[0]), code)
    for match in PART.finditer(code):
        part = match[0]
        if part[0] in "/'":
            continue
        text = part[part.index("(") + 1:part.rindex(")")] if part[0] == "R" else part[1:-1].replace("\\n", "\n")
        if end >= 0 and not COMMENT.sub("", code[end:match.start()]):
            joined += text
        else:
            if joined:
                yield begin, joined
            joined, begin = text, match.start()
        end = match.end()
    if joined:
        yield begin, joined


def check(tree):
    for path, code in tree.files(CODE):
        if not path.startswith(PRODUCT):
            continue
        for offset, text in literals(code):
            flat = " ".join(prose_of(text).split())
            for pattern, instead in WORDS:
                for match in pattern.finditer(flat):
                    yield f'{path}:{code.count(chr(10), 0, offset) + 1}: "{match[0]}" in a string; write: {instead}'
