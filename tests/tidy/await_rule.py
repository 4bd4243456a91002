"""g++ 12 miscompiles ordinary awaits. One form is safe: a separate statement, into a named local, with named arguments.

  co_await X;    T name = co_await X;    name = co_await X;    co_return co_await X;

X makes one call on named objects: no closure, no braces, no ?:, no && or ||, no second await.
"""
import re

from source import CODE, bare

STATEMENT = re.compile(
    r"^(?:(?:const )?[\w:<>,*& ]+[ *&]\w+ = |[\w.\->\[\]*()]+ = |co_return )?co_await [^{}?;]+;$")
FORBIDDEN = re.compile(r"\[[&=\w\s,.*]*\]\s*[({]|&&|\|\||co_await.*co_await|^(?:if|for|while|switch|else|do|return)\b")
SAY = "await in a statement of its own, into a named local, with named arguments"


def statement_at(code, at):
    """Returns the statement that contains position `at`, with white space collapsed; None inside another construct."""
    depth = 0
    start = at
    begin = None
    while start > 0:
        char = code[start - 1]
        if char in ")]}":
            if char == "}" and depth == 0 and begin is None:
                begin = start
            depth += 1
        elif char in "([{":
            if depth == 0:
                if char != "{":
                    return None  # An argument, a condition, a subscript, or the head of a for loop.
                begin = start if begin is None else begin
                break
            depth -= 1
        elif char == ";" and depth == 0 and begin is None:
            begin = start
        start -= 1
    depth = 0
    end = at
    while end < len(code):
        char = code[end]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return None  # A list in braces.
            depth -= 1
        elif char == ";" and depth == 0:
            break
        end += 1
    return " ".join(code[begin or 0:end + 1].split())


def check(tree):
    for path, text in tree.files(CODE, build=True):
        code = bare(text)
        for match in re.finditer(r"\bco_await\b", code):
            if re.search(r"operator\s*$", code[:match.start()]):
                continue
            statement = statement_at(code, match.start())
            if statement and STATEMENT.match(statement) and not FORBIDDEN.search(statement):
                continue
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {SAY}"
