"""Rules for the shape of C++ code: the length of functions, and names of variables."""
import re

from source import CODE, bare

FUNCTION_LINES_MAX = 70
SHIPPED = ("runtime/", "codegen/", "tools/")

SCOPE = re.compile(r"\b(?:namespace|class|struct|enum|union|extern)\b[^()]*$")

# Words that do not say what a variable contains. A variable has the noun of its type or of its purpose.
VAGUE = "asked|came|gone|kept|look|place|said|told"
NOT_TYPES = "return|else|case|if|and|or|not|new|delete|throw|goto|co_return|co_await|co_yield|typename|using|namespace|enum|class"
VARIABLE = re.compile(rf"(?<![\w.:>])(?!(?:{NOT_TYPES})\b)[A-Za-z_][\w:]*(?:<[^;(){{}}]*>)?\s*(?:const\s*)?[&*]*\s*"
                      rf"(?<=[\s&*])({VAGUE})(?=\s*(?:=[^=]|;|\{{|,|\)|:[^:]))")


def functions(code):
    """Yields (line of the head, number of lines) of each function body outside of other functions, in code without
    strings and comments."""
    kinds, head = [], 0
    for at, char in enumerate(code):
        if char == "{":
            text = code[head:at]
            in_scope = all(kind == "scope" for kind, _ in kinds)
            if SCOPE.search(text) and in_scope:
                kinds.append(("scope", at))
            elif in_scope and "(" in text and "=" not in text.partition("(")[0]:
                kinds.append(("function", at))
            else:
                kinds.append(("other", at))
            head = at + 1
        elif char == "}" and kinds:
            kind, begin = kinds.pop()
            if kind == "function":
                lines = code.count("\n", begin, at) + 1
                yield code.count("\n", 0, begin) + 1, lines
            head = at + 1
        elif char == ";":
            head = at + 1


def check_functions(tree):
    for path, text in tree.files(CODE):
        if path.startswith(SHIPPED):
            for line, lines in functions(bare(text)):
                if lines > FUNCTION_LINES_MAX:
                    yield f"{path}:{line}: a function of {lines} lines; {FUNCTION_LINES_MAX} are enough for one step"


def check_variables(tree):
    for path, text in tree.files(CODE):
        if path.startswith(SHIPPED):
            code = bare(text)
            for match in VARIABLE.finditer(code):
                yield (f"{path}:{code.count(chr(10), 0, match.start(1)) + 1}: the variable {match[1]} needs a name that says "
                       "what it contains")
