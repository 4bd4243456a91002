"""Names in anonymous namespaces: two sources of one library must not share a name, because the build compiles several
sources as one.

Only an alias may be declared twice, if both declarations mean the same. Overloads within one source are permitted.
"""
import json
import os
import re
from pathlib import Path

from source import bare

SPACE = re.compile(r"(?:inline\s+)?namespace\s*([\w:]*)\s*\{")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
TYPE = re.compile(r"(?:enum class|enum|struct|class|union) (?:alignas\(.*?\) )?(\w+)(?: final)?(?: :(?!:).*)?$")
ALIAS = re.compile(r"(?:using (\w+) =|namespace (\w+) =)")
NOT_NAMED = re.compile(r"(?:using|friend|extern|static_assert|typedef)\b|.*\boperator\b")
INCLUDE = re.compile(r'#include\s*[<"](.*?)[>"]')


def heads(code):
    """Yields (namespace, position, text) of each declaration in an anonymous namespace; the text ends at a body or
    initializer."""
    open_spaces = []
    at = 0
    while True:
        while at < len(code) and code[at] in " \t\n;":
            at += 1
        if at == len(code):
            return
        if space := SPACE.match(code, at):
            open_spaces.append(space[1])
            at = space.end()
        elif code[at] == "}":
            del open_spaces[-1:]
            at += 1
        else:
            begin, end, at = at, *end_of(code, at)
            if "" in open_spaces:
                yield "::".join(filter(None, open_spaces)), begin, code[begin:end]


def end_of(code, at):
    """Returns the end of the head of the declaration at `at`, and the end of the whole declaration."""
    begin, depth, head = at, 0, None
    while at < len(code):
        char = code[at]
        if depth == 0 and char in "{;" and head is None:
            head = at
        if char in "({[":
            depth += 1
        elif char in ")}]":
            depth -= 1
            if depth == 0 and char == "}" and is_function(code[begin:head]):
                return head, at + 1
        elif char == ";" and depth == 0:
            return head, at + 1
        at += 1
    return head or at, at


def plain(head):
    """Returns the text without attributes and template arguments, with white space collapsed."""
    text = re.sub(r"\[\[.*?\]\]", "", head, flags=re.S).replace("->", " ").replace("<=", " ").replace(">=", " ")
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>]*>", "", text)
    return re.sub(r"^(?:template |requires [^(]\S* )", "", " ".join(text.split()))


def is_function(head):
    text = plain(head)
    return "(" in text and "=" not in text.partition("(")[0] and not TYPE.match(text)


def name_of(head):
    """Returns the name that a declaration introduces, and the meaning of an alias; (None, None) if there is no name."""
    text = plain(head)
    if alias := ALIAS.match(text):
        return alias[1] or alias[2], " ".join(head.split())
    if named := TYPE.match(text):
        return named[1], None
    if NOT_NAMED.match(text):
        return None, None
    text = text.partition("(")[0] if is_function(head) else re.split(r"[=\[]", text)[0]
    word = re.search(r"[\w:]+$", text.rstrip())
    # Names in capitals are declarations of a macro, such as TEST(…).
    return (None, None) if not word or "::" in word[0] or word[0].isupper() else (word[0], None)


def libraries(tree):
    """Yields the name and the sources of every library and program of the build, as paths in the tree."""
    targets = json.loads((tree.build / "meson-info/intro-targets.json").read_text(encoding="utf-8"))
    for target in targets:
        sources = []
        for part in target["target_sources"]:
            sources += part.get("sources", [])
            for made in part.get("generated_sources", []):
                if re.search(r"-unity\d+\.cpp$", made):
                    sources += INCLUDE.findall(Path(made).read_text(encoding="utf-8"))
        own = (os.path.relpath(os.path.join(tree.build, source), tree.root) for source in sources if source.endswith(".cc"))
        # A target that is built twice has the same name and other sources.
        yield target["name"], sorted(path for path in set(own) if not path.startswith("..") and (tree.root / path).is_file())


def check(tree):
    known = {}

    def names(path):
        if path not in known:
            code = DIRECTIVE.sub("", bare((tree.root / path).read_text(encoding="utf-8")))
            known[path] = [(space, *name_of(head), code.count("\n", 0, at) + 1) for space, at, head in heads(code)]
        return known[path]

    for library, sources in libraries(tree):
        first = {}
        for path in sources:
            if os.path.relpath(tree.build, tree.root) in path:
                continue  # Generated code.
            for space, name, meaning, line in names(path):
                if name is None:
                    continue
                there, as_what = first.setdefault((space, name), (path, meaning))
                if there != path and (meaning is None or meaning != as_what):
                    yield f"{path}:{line}: {name} is in {there} too, of the same library ({library}): one needs another name"
