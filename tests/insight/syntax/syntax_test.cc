// Syntax errors are found with their location, and unusual but correct files are not reported.
#include "tools/insight/syntax/syntax.h"

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

// Returns "TOOL: ok", "TOOL: LINE:COLUMN MESSAGE", "TOOL: not checked (REASON)", or "no parser".
std::string checked(std::string_view path, std::string_view text) {
  const SyntaxCheck check = check_syntax(path, text);
  if (check.tool.empty()) return "no parser";
  const std::string tool = std::string(check.tool) + ": ";
  if (!check.doubt.empty()) return tool + "not checked (" + std::string(check.doubt) + ")";
  if (!check.fault) return tool + "ok";
  return tool + std::to_string(check.fault->line) + ":" + std::to_string(check.fault->column) + " " +
         check.fault->message;
}

std::string of_c(std::string_view text) { return checked("a.c", text).substr(24); }
std::string of_header(std::string_view text) { return checked("a.h", text).substr(24); }
std::string of_javascript(std::string_view text) { return checked("a.ts", text).substr(33); }
std::string of_python(std::string_view text) { return checked("a.py", text).substr(29); }
std::string of_go(std::string_view text) { return checked("a.go", text).substr(25); }
std::string of_rust(std::string_view text) { return checked("a.rs", text).substr(27); }

// Returns the line of the syntax error, or 0.
std::int64_t line_of_fault(std::string_view path, std::string_view text) {
  const SyntaxCheck check = check_syntax(path, text);
  if (!check.fault) return 0;
  EXPECT_GT(check.fault->column, 0) << text;
  EXPECT_NE(check.fault->message, "") << text;
  return check.fault->line;
}

TEST(SyntaxTest, FilesWithoutAParserAreNotChecked) {
  EXPECT_EQ(checked("a.md", "((("), "no parser");
  EXPECT_EQ(checked("Makefile", "((("), "no parser");
  EXPECT_EQ(checked("a.m", "x = (1"), "no parser") << "Objective-C or MATLAB";
  EXPECT_EQ(checked("a.c", std::string_view("int a(\0", 7)), "no parser") << "binary";
}

TEST(SyntaxTest, JsonIsStrictIfItsReadersAreStrict) {
  EXPECT_EQ(checked("data/x.json", "{\"a\": [1, 2]}\n"), "JSON syntax: ok");
  EXPECT_EQ(checked("x.json", "\xEF\xBB\xBF{}"), "JSON syntax: ok");
  EXPECT_EQ(line_of_fault("package.json", "{broken"), 1);
  EXPECT_EQ(line_of_fault("package.json", "{\n  \"a\": 1,\n}\n"), 3);
  EXPECT_EQ(line_of_fault("package.json", "{}\n// why\n"), 2);
  EXPECT_EQ(line_of_fault("x.json", "{\n  \"a\" 1\n}\n"), 2);
  EXPECT_EQ(checked("x.json", "// why\n{\"a\": 1,}"), "JSON syntax: not checked (JSON with comments)");
  const SyntaxCheck comma = check_syntax("x.json", "{\n  \"a\": 1,\n}\n");
  ASSERT_TRUE(comma.fault);
  EXPECT_EQ(comma.fault->line, 3);
  EXPECT_FALSE(comma.is_certain);
  EXPECT_TRUE(check_syntax("package.json", "{\n  \"a\": 1,\n}\n").is_certain);
  EXPECT_EQ(checked("log.json", "{\"a\":1}\n{\"a\":2}\n"), "JSON syntax: not checked (several JSON values)");
  EXPECT_EQ(checked("x.json", "{\"a\": {{ value }}}"), "JSON syntax: not checked (template placeholders)");
  EXPECT_EQ(checked("x.json", " \n"), "JSON syntax: not checked (empty)");
  EXPECT_EQ(checked("x.json", "{\"a\": \"\xff\"}"), "JSON syntax: not checked (not UTF-8)");
}

TEST(SyntaxTest, Json5IsReadWhereTheReadersOfTheFileAcceptIt) {
  for (const char* path : {".babelrc", "web/.babelrc.json", "babel.config.json", "a.json5", ".parcelrc"})
    EXPECT_EQ(checked(path, "// presets\n{ presets: ['a'], }\n"), "JSON5 syntax: ok") << path;
  for (const char* text :
       {"{'a\\'\"//': 1, b$: .5, \"c\": +0x1F, d: -Infinity, e: [NaN, 1.,], f: 'x\\\ny', g /* : */ : null}",
        "\xEF\xBB\xBF[1e+3, true,]", "'text'", "{\xC3\xA9: 1}",
        "{a: true\xC2\xA0, b\xE3\x80\x80: 1\xE2\x80\xA8}", "{\\u0061b: '\\x4A\\u00e9\\0\\'\\\r\n'}"})
    EXPECT_EQ(checked("a.json5", text), "JSON5 syntax: ok") << text;
  for (const char* text :
       {"{a: 'b\n'}", "{a: b}", "[1,,2]",  "[01]",       "[0x]",      "[+-1]",     "{1: 2}",  "{a 1}",
        "{a: 1",      "[.]",    "[1e]",    "/* open",    "[,]",       "{a: 1} b",  "[--1]",   "[-+1]",
        "[1.1.1]",    "[1..1]", "[1e5.5]", "{\\x61: 1}", "['\\x4g']", "['\\u12']", "['\\1']", "['a\r']"})
    EXPECT_TRUE(check_syntax("a.json5", text).fault) << text;
  EXPECT_EQ(check_syntax("a.json5", "{a: 'x\\\ny',\n // b\n c d}").fault->line, 4);
  EXPECT_EQ(check_syntax("a.json5", "[\n'x\\\n\\x', \"").fault->line, 3);
}

TEST(SyntaxTest, AnErrorInALongTextOfJson5IsFoundAtOnce) {
  using Parts = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [begin, part] :
       Parts{{"[", "/* "}, {"'", "\\'"}, {"\"", "\\\""}, {"[", "1."}, {"[", "1e+"}}) {
    std::string text = begin;
    while (text.size() < 1 << 20) text += part;
    EXPECT_TRUE(check_syntax("a.json5", text).fault) << part;
  }
}

TEST(SyntaxTest, JsonMayHaveCommentsInFilesThatUsuallyHaveThem) {
  for (const char* path : {"tsconfig.json", "web/tsconfig.base.json", ".vscode/launch.json", "a.jsonc",
                           "x.code-workspace", ".devcontainer/devcontainer.json"}) {
    EXPECT_EQ(checked(path, "// why\n{ /* one */ \"a\": 1, }\n"), "JSON syntax with comments: ok") << path;
    EXPECT_EQ(line_of_fault(path, "// why\n{ \"a\" 1 }\n"), 2) << path;
    EXPECT_EQ(line_of_fault(path, "{ \"a\": 1 }\n/* not closed\n"), 2) << path;
  }
}

TEST(SyntaxTest, AnErrorInALongLineOfTomlHasItsColumn) {
  const std::string value = "a = \"" + std::string(5000, 'x') + "\"";
  const SyntaxCheck check = check_syntax("a.toml", value + " b\n");
  ASSERT_TRUE(check.fault);
  EXPECT_GT(check.fault->column, static_cast<std::int64_t>(value.size()));
}

TEST(SyntaxTest, ATomlKeyHasALimitedNumberOfParts) {
  const auto repeated = [](std::string_view text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string dots(100, '.');
  EXPECT_EQ(checked("a.toml", "[" + repeated("a . ", 63) + "a]\nb = {" + repeated("'a'.", 63) + "a = 1}\n"),
            "TOML syntax: ok");
  EXPECT_EQ(checked("a.toml", "a = [" + repeated("1.5, ", 100) + "] # " + dots + "\nb = \"\"\"\\\"\"\n" +
                                  dots + "\"\"\"\"\"\nc = '" + dots + "'\n"),
            "TOML syntax: ok");
  for (const std::string& key : {repeated("a.", 1 << 18) + "a", repeated("\"a.\" . ", 64) + "a"}) {
    EXPECT_EQ(line_of_fault("a.toml", "b = '''\n'''''\n" + key + " = 1\n"), 3);
    EXPECT_EQ(line_of_fault("a.toml", "b = 1\n[" + key + "]\n"), 2);
    EXPECT_EQ(line_of_fault("a.toml", "b = {" + key + " = 1}\n"), 1);
  }
}

TEST(SyntaxTest, TomlAndYamlAreParsed) {
  EXPECT_EQ(checked("a.toml", "[a]\nb = \"\xC3\xA9\" # \xC3\xA9\n"), "TOML syntax: ok");
  EXPECT_EQ(line_of_fault("a.toml", "[a]\nb = \n"), 2);
  EXPECT_EQ(line_of_fault("Cargo.lock", "a = 1\na = 2\n"), 2);
  EXPECT_EQ(checked("a.toml", "name = {{ name }}\n"), "TOML syntax: not checked (template placeholders)");
  EXPECT_EQ(checked("a.yaml", "ok: {x: 1}\n---\n- !Ref 2\n...\n"), "YAML syntax: ok");
  EXPECT_EQ(checked("a.yml", "a: ${{ github.ref }}\n"), "YAML syntax: ok");
  EXPECT_EQ(checked("a.yml", "a: &x 1\nb: *x\nc: &l [*l]\nd: &m {e: *x}\n"), "YAML syntax: ok");
  EXPECT_EQ(checked("a.yml", "a: &x 1\nb: *y\n"), "YAML syntax: 2:4 the alias *y has no anchor &y");
  EXPECT_EQ(checked("a.yml", "a: &x 1\n---\nb: *x\n"), "YAML syntax: 3:4 the alias *x has no anchor &x")
      << "an anchor is valid in its document";
  EXPECT_EQ(checked("a.yml", "a: 1\n  b: 2\n"),
            "YAML syntax: 2:4 mapping values are not allowed in this context");
  EXPECT_EQ(checked("a.yml",
                    "\xC3\xA9: 1\n\xC3\xA9"
                    "2: \xC3\xBC: 3\n"),
            "YAML syntax: 2:8 mapping values are not allowed in this context")
      << "columns count bytes";
  EXPECT_EQ(checked("a.yml", "{{ x }}: 1\n- 2\n"), "YAML syntax: not checked (template placeholders)");
  EXPECT_EQ(checked("a.yml", "a: \xff\n"), "YAML syntax: not checked (not UTF-8)");
}

TEST(SyntaxTest, ADeepValueOfYamlIsFoundAtOnce) {
  const auto nested = [](std::size_t depth) {
    return "a:\n  " + std::string(depth, '[') + std::string(depth, ']') + "\n";
  };
  EXPECT_EQ(checked("a.yaml", nested(90)), "YAML syntax: ok");
  EXPECT_EQ(checked("a.yaml", nested(1 << 19)), "YAML syntax: 2:102 the value is nested too deeply");
}

TEST(SyntaxTest, Yaml12IsNoError) {
  for (const char* text :
       {"base: &php8.3\n  image: x\nsvc:\n  <<: *php8.3\n", "- &a/b 1\n- *a/b\n",
        "- &\xF0\x9F\x98\x80 1\n- *\xF0\x9F\x98\x80\n", "- &a:b 1\n- *a:b\n", "x: {? foo :, bar: 1}\n",
        "{ \"foo\"\n  :bar }\n", "%YAML 1.3\n---\na: 1\n", "%RESERVED x\n---\na\n",
        "%A\n%A\n---\nx: {? foo :}\n", "---\nx\n%A b\n...\n---\ny: {? foo :}\n",
        "{x: :y, [a]:b, \"it's\":'c'}", "{ 'multi\n  line': value}\n", "[ : empty, ?x, -y ]\n"})
    EXPECT_EQ(checked("a.yaml", text), "YAML syntax: ok") << text;
  for (const char* text :
       {"- *.yml\n", "a: &b.c 1\nd: *b.d\n", "{a: 1, b\n", "[ key\n  : value ]\n", "a: {b: 1\nc: 2\n",
        "%YAML 1.2\n", "%YAML 2.0\n---\na\n", "a: 1\n\tb: 2\n", "{ \"a\" \"b\" : 1 }", "%FOO bar\na: 1\n",
        "%A\n%B\n", "x: \"open\n", "key: [ word1\n#  xxx\n  word2 ]\n"})
    EXPECT_TRUE(check_syntax("a.yaml", text).fault) << text;
  EXPECT_EQ(checked("a.yaml", "a: &b.c 1\nd: [*b.c\n"), "YAML syntax: 3:0 did not find expected ',' or ']'");
  EXPECT_EQ(checked("a.yaml",
                    "a: b\xE2\x80\xA8"
                    "c\nd: 'e\xE2\x80\xA9' # \xC2\x85"
                    "f\n"),
            "YAML syntax: ok");
  EXPECT_EQ(checked("a.yaml", "a: 'b\xE2\x80\xA8'\n\xE2\x80\xA8: c: d\n"),
            "YAML syntax: 2:7 mapping values are not allowed in this context");
}

TEST(SyntaxTest, TheCodeOfANotebookIsNotChecked) {
  EXPECT_TRUE(check_syntax("a.ipynb", R"({"cells":[{"cell_type":"code","source":["x=("]}]})").is_partial);
  EXPECT_FALSE(check_syntax("a.json", "{}").is_partial);
}

TEST(SyntaxTest, TomlOfVersion11IsNoError) {
  for (const char* text :
       {"[dependencies]\nwindows = {\n  version = \"1\",\n  features = [\n    \"a\",\n  ],\n}\n",
        "a = \"\\e[0m \\x41\"\n", "a = 07:32\nb = 1979-05-27T07:32Z\n"})
    EXPECT_EQ(checked("a.toml", text), "TOML syntax: ok") << text;
  for (const char* text : {"a = {\n", "a = \"\\q\"\n", "a = 07:3\n", "a = { b = 1,, }\n"})
    EXPECT_TRUE(check_syntax("a.toml", text).fault) << text;
}

TEST(SyntaxTest, BracketsThatDoNotMatchAreErrors) {
  EXPECT_EQ(of_c("int main( {\n  return 0;\n}\n"), "1:9 '(' is never closed");
  EXPECT_EQ(of_c("int f() {\n  return g(1];\n}\n"), "2:13 ']' does not match '(' in line 2");
  EXPECT_EQ(of_c("int f() {}\n}\n"), "2:1 '}' closes nothing");
  EXPECT_EQ(of_python("def f(:\n  pass\n"), "1:6 '(' is never closed");
  EXPECT_EQ(of_javascript("f(() => {\n  g();\n);\n"), "3:1 ')' does not match '{' in line 1");
  EXPECT_EQ(of_javascript("const a = `${b(1}`;\n"), "1:17 '}' does not match '(' in line 1");
  EXPECT_EQ(of_go("package a\nfunc f() {\n"), "2:10 '{' is never closed");
  EXPECT_EQ(of_rust("fn f() { g(1; }\n"), "1:15 '}' does not match '(' in line 1");
  EXPECT_EQ(of_c("const char *a = \"x;\n"), "1:17 a string is not terminated");
  EXPECT_EQ(of_c("/* why\nint a;\n"), "1:1 a comment is not terminated");
  EXPECT_EQ(of_python("a = 'x\nb = 1\n"), "1:5 a string is not terminated");
  EXPECT_EQ(of_python("a = '''x\n"), "1:5 a string is not terminated");
  EXPECT_EQ(of_javascript("const a = 'x;\n"), "1:11 a string is not terminated");
  EXPECT_EQ(of_javascript("const a = `x;\n"), "1:11 a template is not terminated");
  EXPECT_EQ(of_go("var a = `x\n"), "1:9 a raw string is not terminated");
  EXPECT_EQ(of_rust("/* /* */\n"), "1:1 a comment is not terminated");
  EXPECT_EQ(of_rust("let a = r#\"x\";\n"), "1:10 a raw string is not terminated");
}

TEST(SyntaxTest, BracketsInCTextsAndDirectivesDoNotCount) {
  for (const char* text :
       {"char a[] = \"(\", b = '{', c = '\\'', d = L'(';\n", "// it's (\n/* { */ int a;\n", "// a \\\n ( b\n",
        "auto a = R\"x(\" ( )\" { )x\"; int b;\n", "int a = 1'000'000 + 0xAB'CD;\n",
        "#define OPEN (\nint a;\n", "#error don't\nint a;\n", "#if 0\nit's { not code\n#endif\nint a;\n",
        "#if 0\n(\n#else\nint a;\n#endif\n", "char *a = \"x\\\r\ny\";\n",
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n",
        "void f() {\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n}\n",
        "std::map<int, std::vector<int>> a;\nint b = c < d >> e;\n"})
    EXPECT_EQ(of_c(text), "ok") << text;
  EXPECT_EQ(of_c("#if 0\nit's { not code\n#endif\nint a(;\n"), "4:6 '(' is never closed");
  EXPECT_EQ(of_header("#ifndef A_H\n#define A_H\nint f(int;\n#endif\n"), "3:6 '(' is never closed");
}

TEST(SyntaxTest, CFilesWhoseBracketsDependOnOthersAreNotChecked) {
  EXPECT_EQ(of_c("#ifdef A\nif (a) {\n#else\nif (b)\n#endif\n"), "not checked (preprocessor conditionals)");
  EXPECT_EQ(of_c("#define OPEN {\nint f() OPEN }\n"), "not checked (macros)");
  EXPECT_EQ(of_c("int f() NAMESPACE_BEGIN }\n"), "not checked (macros)");
  EXPECT_EQ(of_header("namespace a {\n"), "not checked (braces of another file)");
  EXPECT_EQ(of_header("}\n"), "not checked (braces of another file)");
}

TEST(SyntaxTest, BracketsInJavascriptTextsDoNotCount) {
  for (const char* text :
       {"const a = /[(/'\"]/g, b = `{${c({d: `)`})}(`;\n", "const a = b / c; // it's (\n",
        "a = 'it\\'s (';\n", "return /\\(/.test(a);\n", "#!/usr/bin/env node\nf();\n", "a = \"x\\\r\ny\";\n",
        "f(...a, /[{]/);\n", "class A { #b = 1; c<T>(d: T[]): void {} }\n"})
    EXPECT_EQ(of_javascript(text), "ok") << text;
  EXPECT_EQ(of_javascript("if (a) /[(]/.test(b);\n"), "not checked (regular expressions)");
  EXPECT_EQ(checked("a.jsx", "const a = <p>Don't (</p>;\n"),
            "JavaScript brackets and strings: not checked (JSX)");
}

TEST(SyntaxTest, BracketsInPythonTextsDoNotCount) {
  for (const char* text :
       {"a = '(' + \"{\" + '''it's [\n''' + r'\\\\'\n", "# it's (\n", "a = 'x\\\ny'\n", "a = 1 + \\\n  2\n",
        "a = f'{b[\"(\"]} {{ {c:>{d}} {e!r}'\n", "a = f\"{b[\"(\"]}\"\n", "a = rb'\\'('\n",
        "a = f'''{\n  b  # it's\n}'''\n", "a = f'\\N{LEFT PARENTHESIS}'\n"})
    EXPECT_EQ(of_python(text), "ok") << text;
}

TEST(SyntaxTest, BracketsInGoAndRustTextsDoNotCount) {
  for (const char* text : {"a := \"(\" + `{\"` + string('\\'') + string('(')\n", "// it's (\n/* [ */\n"})
    EXPECT_EQ(of_go(text), "ok") << text;
  for (const char* text :
       {"let a = '('; let b: &'a str = \"{\";\n", "let a = r#\"\"(\"#; let b = '\\u{28}'; let r#fn = b'[';\n",
        "/* /* ( */ */ // it's [\n", "let a = '\xE2\x82\xAC'; fn f<'a, 'b>() {}\n",
        "let a = \"x\ny\\\"(\";\n"})
    EXPECT_EQ(of_rust(text), "ok") << text;
}

TEST(SyntaxTest, ProgramTemplatesAreNotChecked) {
  EXPECT_EQ(of_python("{% if a %}def f(:\n"), "not checked (template placeholders)");
  EXPECT_EQ(checked("templates/a.go", "func f( {"),
            "Go brackets and strings: not checked (template placeholders)");
}

// The time must be linear: a quadratic lexer would need minutes for each of these texts of a megabyte.
TEST(SyntaxTest, LongTextsAreReadOnce) {
  const auto repeated = [](std::string_view part) {
    std::string text;
    while (text.size() < (1 << 20)) text += part;
    return text;
  };
  EXPECT_TRUE(of_javascript(repeated("/[")).starts_with("not checked"));
  EXPECT_TRUE(of_c(repeated("{\n#if a\n")).starts_with("not checked"));
  EXPECT_NE(of_python(repeated("f'{")), "ok");
  EXPECT_NE(of_rust(repeated("/*")), "ok");
}

}  // namespace
}  // namespace snapgen::core
