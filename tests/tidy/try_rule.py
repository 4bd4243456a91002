"""TRY propagates an error. It replaces code that checks a Result<T> by hand and then uses its value.

    Result<T> x = f();                            T x = TRY(f());
    if (!x) return std::move(x).error();

The rule reports the form on the left if the form on the right can replace it: the function is not a coroutine, and all
code below uses the value (*x, x->member, *std::move(x), return x) and never the Result.
"""
import re
from dataclasses import dataclass, field

from source import CODE, PART

TOKEN = re.compile(PART.pattern + r"|(?P<skip>\s+|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*)|[A-Za-z_]\w*|\d[\w.']*|->|::|&&|\|\||"
                   r"[-+*/%^&|=!<>]=|\+\+|--|.", re.S | re.M)
CLOSING = {")": "(", "]": "[", "}": "{"}
CONTROL = {"if", "for", "while", "switch", "catch", "constexpr"}
AWAITS = {"co_await", "co_return", "co_yield"}
# Statements that propagate the error of x; each may be in braces.
PASSED_ON = ["return std :: move ( x ) . error ( ) ;", "return x . error ( ) ;", "return x ;", "return std :: move ( x ) ;"]
CHECKS = [shape.split() for passed in PASSED_ON for shape in (f"if ( ! x ) {passed}", f"if ( ! x ) {{ {passed} }}")]
CONDITIONS = [f"; ! x ) {passed}".split() for passed in PASSED_ON]


class Source:
    """The tokens of one file, with the pairs of brackets."""

    def __init__(self, text):
        self.text = text
        self.tokens, self.begins = [], []
        for match in TOKEN.finditer(text):
            if match["skip"] is None and not match[0].startswith(("//", "/*")):
                self.tokens.append(match[0])
                self.begins.append(match.start())
        self.partner, self.outer = {}, []
        opened = []
        for at, token in enumerate(self.tokens):
            if token in CLOSING and opened and self.tokens[opened[-1]] == CLOSING[token]:
                self.partner[at] = opened[-1]
                self.partner[opened.pop()] = at
            self.outer.append(opened[-1] if opened else None)
            if token in CLOSING.values():
                opened.append(at)

    def __getitem__(self, at):
        return self.tokens[at] if 0 <= at < len(self.tokens) else ""

    def end(self, at):
        return self.begins[at] + len(self.tokens[at])

    def line(self, at):
        return self.text.count("\n", 0, self.begins[at]) + 1

    def block(self, at):
        """Returns the brace that opens the innermost block around a token."""
        while (at := self.outer[at]) is not None and self[at] != "{":
            pass
        return at

    def body(self, at):
        """Returns the brace that opens the innermost function or closure around a token."""
        while (at := self.block(at)) is not None:
            before = self[at - 1]
            if before == ")" and self[self.partner.get(at - 1, 0) - 1] in CONTROL:
                continue
            if before not in ("else", "do", "try", "{", "}", ";", ":"):
                return at
        return None

    def after_statement(self, at):
        """Returns the next `;` outside of brackets; None if a bracket closes before."""
        while at < len(self.tokens):
            if self[at] == ";":
                return at
            if self[at] in CLOSING:
                return None
            at = self.partner.get(at, at) + 1
        return None

    def after_arguments(self, at):
        """Returns the token after the template arguments that begin at `<`."""
        depth = 0
        while at < len(self.tokens):
            depth += {"<": 1, ">": -1}.get(self[at], 0)
            if depth == 0:
                return at + 1
            at = self.partner[at] + 1 if self[at] in CLOSING.values() else at + 1
        return at

    def matches(self, at, shapes, name):
        """Returns the token after one of the statements, in which x is the name; None if none of them is here."""
        for shape in shapes:
            words = [name if word == "x" else word for word in shape]
            if self.tokens[at:at + len(words)] == words:
                return at + len(words)
        return None


@dataclass
class Step:
    """An initializer or assignment, with any number of `if (x) x = other();` before its check. All members are
    tokens."""
    begin: int  # The beginning of the statement.
    value: int  # The beginning of the initializer or of the assigned expression,
    semicolon: int  # and the token after it.
    links: list = field(default_factory=list)  # (if, begin of a second condition or None, value, semicolon) of each.
    end: int = 0  # The token after the check.


@dataclass
class Propagation:
    """A variable of Result<T> that is checked by hand, and its uses below the check."""
    first: Step
    type: tuple  # The tokens of T: the first and the one after the last; None for auto.
    name: int
    again: list = field(default_factory=list)  # A step for each later assignment.
    uses: list = field(default_factory=list)  # (kind, token of the name)
    reason: str = ""  # Why TRY cannot be used; empty if it can.


def propagations(source):
    """Yields every variable of a Result that is followed by a check, with the reason against TRY."""
    for at, token in enumerate(source.tokens):
        if token not in ("Result", "auto"):
            continue
        begin = at - 1 if source[at - 1] == "const" else at
        condition = source[begin - 1] == "(" and source[begin - 2] == "if"
        if not condition and source[begin - 1] not in ("{", "}", ";", ":"):
            continue
        name, kind = at + 1, None
        if token == "Result":
            if source[name] != "<":
                continue
            name = source.after_arguments(name)
            kind = (at + 2, name - 1)
        if source[name + 1] != "=" or not source[name].isidentifier():
            continue
        step = step_at(source, begin - 2 if condition else begin, name, condition)
        if step is None or kind is None and source[step.end - 3] != "(":
            continue  # Without a call of error(), auto may be any type.
        found = Propagation(step, kind, name)
        found.reason = judge(source, found)
        yield found


def step_at(source, begin, name, condition=False):
    """Returns the step that begins at a token, with the variable's name before its `=`; None if there is no check."""
    variable = source[name]
    semicolon = source.after_statement(name + 2)
    if semicolon is None:
        return None
    step = Step(begin, name + 2, semicolon)
    if condition:
        step.end = source.matches(semicolon, CONDITIONS, variable)
        return step if step.end else None
    at = semicolon + 1
    while source.tokens[at:at + 3] == ["if", "(", variable]:
        close = source.partner[at + 1]
        second = None if close == at + 3 else at + 4
        if second and source[at + 3] != "&&" or source.tokens[close + 1:close + 3] != [variable, "="]:
            return None
        semicolon = source.after_statement(close + 3)
        if semicolon is None or any(source[other] == variable for other in range(second or close, close)):
            return None
        step.links.append((at, second, close + 3, semicolon))
        at = semicolon + 1
    step.end = source.matches(at, CHECKS, variable)
    return step if step.end else None


def judge(source, found):
    step, name = found.first, source[found.name]
    body = source.body(step.begin)
    if any(source[at] in AWAITS and source.body(at) == body for at in range(body or 0, source.partner.get(body, 0))):
        return "the function is a coroutine"
    at = step.end
    if reason := against(source, step, name):
        return reason
    if source[step.begin] == "if":
        return ""
    end = source.partner[source.block(step.begin)]
    while at < end:
        if source[at] != name or source[at - 1] in (".", "->", "::") or source[at + 1] == "::":
            at += 1
            continue
        kind = use_at(source, at, body)
        if kind == "assigned":
            step = step_at(source, at, at)
            if step is None:
                return f"line {source.line(at)} assigns a Result"
            if reason := against(source, step, name):
                return reason
            found.again.append(step)
            at = step.end
        elif kind is None:
            return f"line {source.line(at)} uses the Result"
        else:
            found.uses.append((kind, at))
            at += 1
    return ""


def against(source, step, name):
    """Returns the reason against TRY in the step itself; empty if there is none."""
    if source[step.end] == "else" or source[step.begin - 1] == "else":
        return "the check has an else"
    for value, semicolon in [(step.value, step.semicolon)] + [link[2:] for link in step.links]:
        if any(source[at] == "return" for at in range(value, semicolon)):
            return "a closure in the expression returns"
        if any(source[at] == name and source[at - 1] not in (".", "->", "::") for at in range(value, semicolon)):
            return "the expression uses the Result"
    return ""


def use_at(source, at, body):
    """Returns how the use of the name at a token uses the value; None if it uses the Result."""
    before, after = source[at - 1], source[at + 1]
    if after == "->":
        return "member"
    if source.tokens[at - 4:at] == ["std", "::", "move", "("] and after == ")" and source[at - 5] == "*":
        return "move" if source[at + 2] not in (".", "->", "[", "(") or source[at - 6] == "(" else None
    if before == "*" and after not in (".", "[", "(", "++", "--"):
        return None if source[at - 2] == "(" and source[at - 3] == "decltype" else "value"
    if before == "return" and after == ";" and source.body(at) == body:
        return "return"
    if before in ("[", "&", ",") and after in (",", "]"):
        list_begin = source.outer[at]
        if source[list_begin] == "[" and not re.match(r"[\w)\]]", source[list_begin - 1]):
            return "capture"
    if after == "=" and before in ("{", "}", ";", ":") and source.body(at) == body:
        return "assigned"
    return None


def check(tree):
    for path, text in tree.files(CODE):
        if "golden" in path.split("/"):
            continue  # Generated code.
        source = Source(text)
        for found in propagations(source):
            if not found.reason:
                yield f"{path}:{source.line(found.first.begin)}: {source[found.name]} is checked by hand: use TRY"
