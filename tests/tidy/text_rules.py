"""Limits for the text of every file."""
import re

from page_rules import FENCED, PAGES
from source import CODE, TEXT, bare

LINES_MAX = 600
# Files that consist of one table, and would be harder to read in parts.
LONG = set()
COUNTED = {".h", ".cc", ".py", ".mjs", ".js", ".ts"}

# Written so that this rule does not report this file.
WORDS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|(?i:\bfor" r" now\b)")
PLACES = re.compile(r"(?<![\w.~-])/wor" r"k(?![\w-])|\bfar" r"m-\w")
COMMENT = re.compile(r"(?:^|\s)// (.*)")
CALL = re.compile(r"\b([A-Za-z_]\w*)\(\)")
# Functions of libraries and of other languages, which only comments name.
FOREIGN_CALLS = {"SHA1", "exec", "git_config_int", "opendir", "require"}
LINK = re.compile(r"\]\(([^)\s#]+)[^)\s]*\)")


def check_size(tree):
    for path, text in tree.files(COUNTED):
        lines = text.count("\n")
        if "golden" in path.split("/"):
            continue  # Generated code.
        if lines > LINES_MAX and path not in LONG:
            yield f"{path}: {lines} lines; {LINES_MAX} are enough for one topic"


def find(tree, pattern, say):
    for path, text in tree.files(TEXT):
        for number, line in enumerate(text.split("\n"), 1):
            match = pattern.search(line)
            if match:
                yield f"{path}:{number}: {say}: {match[0]}"


def check_links(tree):
    for path, text in tree.files({".md"}):
        if not PAGES.fullmatch(path):
            continue
        for target in LINK.findall(FENCED.sub("", text)):
            if "://" not in target and not (tree.root / path).parent.joinpath(target).is_file():
                yield f"{path}: {target}: a link leads to a file that is there"


def check_words(tree):
    return find(tree, WORDS, "do it now, or leave it out")


def check_places(tree):
    return find(tree, PLACES, "a place on somebody's own machine")


def check_calls(tree):
    """A function that a comment names as `name()` must exist in a source."""
    sources = list(tree.files(CODE))
    known = set(FOREIGN_CALLS)
    for _, text in sources:
        known.update(re.findall(r"[A-Za-z_]\w*", bare(text)))
    for path, text in sources:
        for number, line in enumerate(text.split("\n"), 1):
            comment = COMMENT.search(line)
            for name in CALL.findall(comment[1]) if comment else ():
                if name not in known:
                    yield f"{path}:{number}: no source has the function {name}()"
