#include "tools/insight/syntax/syntax.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/json_comments.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/language.h"
#include "tools/insight/imports/toml.h"
#include "tools/insight/syntax/brackets.h"
#include "tools/insight/syntax/json5.h"
#include "tools/insight/syntax/yaml.h"

namespace snapgen::core {
namespace {

// Returns the text behind the last dot of the file's name; empty without one.
std::string_view ending_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

bool has_placeholders(std::string_view text) {
  for (const std::string_view mark : {"{{", "{%", "<%"})
    if (text.find(mark) != std::string_view::npos) return true;
  return false;
}

// Returns whether the text has several JSON values, one after another.
bool has_several_values(std::string_view text) {
  json::Reader in(text);
  in.skip();
  if (!in.syntax_ok()) return false;
  in.end();
  const std::size_t at = in.error_offset();
  return !in.syntax_ok() && at < text.size() && (text[at] == '{' || text[at] == '[');
}

// Returns whether the programs that read this file accept comments and trailing commas.
bool has_json_comments(std::string_view path) {
  static constexpr std::array<std::string_view, 18> names = {".eslintrc.json",
                                                             ".markdownlint.json",
                                                             ".mocharc.json",
                                                             ".oxlintrc.json",
                                                             "angular.json",
                                                             "api-extractor.json",
                                                             "biome.json",
                                                             "deno.json",
                                                             "devcontainer.json",
                                                             "global.json",
                                                             "language-configuration.json",
                                                             "nx.json",
                                                             "rush.json",
                                                             "settings.json",
                                                             "tasks.json",
                                                             "tslint.json",
                                                             "turbo.json",
                                                             "typedoc.json"};
  static constexpr std::array<std::string_view, 3> endings = {"code-snippets", "code-workspace", "jsonc"};
  const std::string_view name = base_name(path);
  const bool is_configuration =
      name.starts_with("tsconfig") || name.starts_with("jsconfig") || name.starts_with("appsettings");
  const std::string folder = "/" + std::string(parent_path(path)) + "/";
  return is_configuration || is_one_of(names, name) || is_one_of(endings, ending_of(path)) ||
         folder.find("/.vscode/") != std::string::npos || folder.find("/.devcontainer/") != std::string::npos;
}

// Returns whether the programs that read this file accept JSON5.
bool is_json5(std::string_view path) {
  static constexpr std::array<std::string_view, 4> names = {".babelrc", ".babelrc.json", ".parcelrc",
                                                            "babel.config.json"};
  return is_one_of(names, base_name(path)) || ending_of(path) == "json5";
}

SyntaxCheck check_json5(std::string_view text) {
  SyntaxCheck check{.tool = "JSON5 syntax"};
  const std::string json = json_of_json5(text);
  const std::optional<json::Problem> problem = json::first_syntax_error(json);
  if (!problem) return check;
  if (!json::valid_utf8(text))
    check.doubt = "not UTF-8";
  else if (has_placeholders(text))
    check.doubt = template_doubt;
  else
    check.fault = {
        .line = fault_at(json, problem->offset, {}).line, .column = 0, .message = problem->message};
  return check;
}

bool has_comment_marks(std::string_view text) {
  return text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos;
}

// Returns whether the programs that read this file accept only standard JSON.
bool is_strict_json(std::string_view path) {
  static constexpr std::array<std::string_view, 4> names = {"composer.json", "npm-shrinkwrap.json",
                                                            "package-lock.json", "package.json"};
  return is_one_of(names, base_name(path));
}

SyntaxCheck check_json(std::string_view path, std::string_view text) {
  const bool has_comments = has_json_comments(path);
  SyntaxCheck check{.tool = has_comments ? "JSON syntax with comments" : "JSON syntax"};
  if (!json::valid_utf8(text)) {
    check.doubt = "not UTF-8";
    return check;
  }
  std::string plain(text);
  // Replaces a byte order mark by blanks, because many programs accept it.
  if (text.starts_with("\xEF\xBB\xBF")) plain.replace(0, 3, "   ");
  const std::optional<json::Problem> strict = json::first_syntax_error(plain);
  if (!strict) return check;
  const std::string bare = without_json_comments(text);
  const std::optional<json::Problem> lenient = json::first_syntax_error(bare);
  const bool is_strict = is_strict_json(path);
  if (!lenient && has_comments) return check;
  if (!lenient && !is_strict && !has_comment_marks(text)) {
    check.fault = fault_at(text, strict->offset, "a comma before a closing bracket is not allowed in JSON");
    check.is_certain = false;
    return check;
  }
  if (!lenient && !is_strict)
    check.doubt = "JSON with comments";
  else if (!is_strict && has_several_values(bare))
    check.doubt = "several JSON values";
  else if (has_placeholders(text))
    check.doubt = template_doubt;
  else if (plain.find_first_not_of(" \t\r\n") == std::string::npos)
    check.doubt = "empty";
  if (!check.doubt.empty()) return check;
  const json::Problem& problem = lenient ? *lenient : *strict;
  check.fault = fault_at(text, problem.offset, problem.message);
  return check;
}

SyntaxCheck check_toml(std::string_view text) {
  SyntaxCheck check{.tool = "TOML syntax"};
  const json::Document document = parse_toml(text);
  if (document.ok()) return check;
  if (has_placeholders(text))
    check.doubt = template_doubt;
  else
    check.fault = fault_at(text, document.problems.front().offset, document.problems.front().message);
  return check;
}

SyntaxCheck check_yaml(std::string_view text) {
  SyntaxCheck check{.tool = "YAML syntax"};
  if (!json::valid_utf8(text)) {
    check.doubt = "not UTF-8";
    return check;
  }
  check.fault = yaml_fault(text);
  if (check.fault && has_placeholders(text)) {
    check.fault.reset();
    check.doubt = template_doubt;
  }
  return check;
}

SyntaxCheck from_brackets(std::string_view tool, std::string_view path, std::string_view text,
                          BracketCheck found) {
  SyntaxCheck check{.tool = tool, .is_partial = true};
  check.doubt = found.doubt;
  if (check.doubt.empty() && found.fault && is_program_template(path, text)) check.doubt = template_doubt;
  if (check.doubt.empty()) check.fault = std::move(found.fault);
  return check;
}

SyntaxCheck check_program(std::string_view path, std::string_view text) {
  static constexpr std::array<std::string_view, 9> headers = {"cuh", "h",   "h++", "hh", "hpp",
                                                              "hxx", "inl", "ipp", "tcc"};
  // These endings are also used by other languages, so such files are not checked.
  static constexpr std::array<std::string_view, 2> unclear = {"inc", "m"};
  const std::string_view ending = ending_of(path);
  switch (language_of(path)) {
    case Language::c:
      if (is_one_of(unclear, ending)) break;
      return from_brackets("C brackets and strings", path, text,
                           check_c_brackets(text, is_one_of(headers, ending)));
    case Language::go: return from_brackets("Go brackets and strings", path, text, check_go_brackets(text));
    case Language::javascript: {
      const bool has_jsx = !(ending == "ts" || ending == "mts" || ending == "cts");
      return from_brackets("JavaScript brackets and strings", path, text,
                           check_javascript_brackets(text, has_jsx));
    }
    case Language::python:
      return from_brackets("Python brackets and strings", path, text, check_python_brackets(text));
    case Language::rust:
      return from_brackets("Rust brackets and strings", path, text, check_rust_brackets(text));
    case Language::component:
    case Language::none: break;
  }
  return {.tool = {}};
}

}  // namespace

// Its text has marks of a template language, or its path has a word such as "template". `{{` in the text does
// not count, because it is valid in several programming languages.
bool is_program_template(std::string_view path, std::string_view text) {
  for (const std::string_view mark : {"{%", "<%", "{{-", "{{#", "{{/"})
    if (text.find(mark) != std::string_view::npos) return true;
  for (const std::string_view mark : {"template", "Template", "cookiecutter", "{{"})
    if (path.find(mark) != std::string_view::npos) return true;
  return false;
}

SyntaxFault fault_at(std::string_view text, std::size_t at, std::string message) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = before.rfind('\n');
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  return {.line = std::count(before.begin(), before.end(), '\n') + 1,
          .column = static_cast<std::int64_t>(before.size() - begin) + 1,
          .message = std::move(message)};
}

SyntaxCheck check_syntax(std::string_view path, std::string_view text) {
  static constexpr std::array<std::string_view, 7> json_endings = {
      "code-snippets", "code-workspace", "geojson", "ipynb", "json", "jsonc", "webmanifest"};
  static constexpr std::array<std::string_view, 4> toml_names = {"Cargo.lock", "Pipfile", "poetry.lock",
                                                                 "uv.lock"};
  if (text.find('\0') != std::string_view::npos) return {.tool = {}};
  const std::string_view ending = ending_of(path);
  if (is_json5(path)) return check_json5(text);
  if (is_one_of(json_endings, ending)) {
    SyntaxCheck check = check_json(path, text);
    check.is_partial = ending == "ipynb";
    return check;
  }
  if (ending == "toml" || is_one_of(toml_names, base_name(path))) return check_toml(text);
  if (ending == "yaml" || ending == "yml") return check_yaml(text);
  return check_program(path, text);
}

}  // namespace snapgen::core
