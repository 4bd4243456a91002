#include "tools/insight/imports/relative_imports.h"

#include <algorithm>
#include <array>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/lost_modules.h"

namespace snapgen::core {
namespace {

template <class Words>
bool is_among(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

std::string_view extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
}

// Returns the lines [line - 1, line] of a text, of which the first is empty for line 1.
std::array<std::string_view, 2> lines_at(std::string_view text, std::int64_t line) {
  std::array<std::string_view, 2> lines;
  std::string_view each;
  for (std::int64_t i = 0; i < line && next_line(text, each); ++i) lines = {lines[1], each};
  return lines;
}

bool is_unconditional_javascript(std::string_view text, const Import& import) {
  const auto [before, line] = lines_at(text, import.line);
  const auto ignores = [&](std::string_view mark) { return before.find(mark) != std::string_view::npos; };
  if (ignores("@ts-ignore") || ignores("@ts-expect-error") || ignores("no-unresolved") ||
      text.find("@ts-nocheck") != std::string_view::npos ||
      line.find("no-unresolved") != std::string_view::npos)
    return false;
  // A test may replace a module that does not exist.
  for (std::string_view quote : {"'", "\"", "`"})
    if (text.find("ock(" + std::string(quote) + import.name) != std::string_view::npos) return false;
  // Indented code may be in a block that catches errors, and text in JSX may look like an import.
  if (line.empty() || line[0] == ' ' || line[0] == '\t') return false;
  std::string_view rest = line;
  if (take_prefix(rest, "import")) rest = trimmed(rest);
  const bool is_statement =
      (line.starts_with("import") && !rest.starts_with('(')) || line.starts_with("export ");
  if (is_statement) return true;
  // A file that requires optional modules catches the error, or asks for a condition.
  const bool is_declaration = line.starts_with("const ") || line.starts_with("let ") ||
                              line.starts_with("var ") || line.starts_with("require(") ||
                              line.starts_with("module.exports = ") || line.starts_with('}');
  const bool has_condition = line.find_first_of("?&|") != std::string_view::npos;
  return is_declaration && !has_condition && !contains_word(text, "try") && !contains_word(text, "catch");
}

bool is_unconditional_python(std::string_view text, const Import& import) {
  const std::string_view line = lines_at(text, import.line)[1];
  return line.starts_with("from ") || line.starts_with("import ");
}

// Returns whether no preprocessor condition but an include guard is around the line.
bool is_unconditional_c(std::string_view text, const Import& import) {
  std::string_view line;
  int depth = 0;
  bool has_guard = false, is_first = true;
  for (std::int64_t i = 1; i < import.line && next_line(text, line); ++i) {
    std::string_view rest = trimmed(line);
    if (!take_prefix(rest, "#")) continue;
    rest = trimmed(rest);
    if (rest.starts_with("ifndef") && is_first) {
      has_guard = true;
    } else if (rest.starts_with("if")) {
      ++depth;
    } else if (rest.starts_with("endif")) {
      --depth;
    }
    is_first = false;
  }
  return depth == 0 || (depth == -1 && has_guard);
}

// Names that build tools write: the folders of their output, and files of their generators.
bool may_be_generated(std::string_view path) {
  constexpr std::array folders = {"dist", "build", "out", "output", "target",
                                  "pkg",  "gen",   "esm", "cjs",    "wasm"};
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    const bool is_folder = slash < rest.size();
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part.find("generated") != std::string_view::npos || part.find_first_of("$+{}<>%") != part.npos)
      return true;
    if (is_folder && (is_among(folders, part) || part.starts_with('.'))) return true;
    if (!is_folder && (part == "version" || part.ends_with("_pb") || part.ends_with("_pb2") ||
                       part.ends_with("_pb2_grpc") || part.ends_with("_gen") || part.ends_with(".gen")))
      return true;
  }
  return false;
}

// Returns whether a file is data of tests, which may be wrong on purpose.
bool is_test_data(std::string_view path) {
  constexpr std::array folders = {"fixture",  "fixtures",  "__fixtures__",
                                  "testdata", "test-data", "templates"};
  for (std::string_view at = parent_path(path); !at.empty(); at = parent_path(at))
    if (is_among(folders, base_name(at))) return true;
  return false;
}

class RelativeImportCheck {
 public:
  RelativeImportCheck(std::string_view path, std::string_view text, const TreeProbe& tree)
      : path_(path), text_(text), tree_(tree), language_(language_of(path)) {}

  RelativeImports run() {
    RelativeImports found;
    if ((language_ != Language::javascript && language_ != Language::python) || path_.ends_with(".d.ts") ||
        is_test_data(path_))
      return found;
    for (const Import& import : scan_imports(language_, text_)) {
      const std::optional<std::string> target =
          language_ == Language::python ? python_target(import) : javascript_target(import);
      if (!target || !is_unconditional(language_, text_, import)) continue;
      ++found.checked_count;
      if (is_missing(*target) && !(language_ == Language::python && has_import_hook(*target, tree_)))
        found.broken.push_back({.line = import.line, .name = import.name});
    }
    if (!found.broken.empty() && language_ == Language::javascript && has_other_rules()) return {};
    return found;
  }

 private:
  // Returns the path that the import names, without the ending of source code; nullopt if it is not relative,
  // or may be anything else than source code.
  std::optional<std::string> javascript_target(const Import& import) const {
    constexpr std::array code = {".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"};
    constexpr std::array others = {
        ".css",  ".scss", ".sass", ".less",  ".styl", ".svg",   ".png", ".jpg",  ".jpeg", ".gif", ".webp",
        ".ico",  ".html", ".md",   ".mdx",   ".txt",  ".yaml",  ".yml", ".toml", ".sql",  ".gql", ".graphql",
        ".glsl", ".wasm", ".node", ".proto", ".woff", ".woff2", ".mp3", ".mp4",  ".pdf",  ".csv"};
    const std::string& name = import.name;
    if (!name.starts_with("./") && !name.starts_with("../")) return std::nullopt;
    if (name.find_first_of("?!#*") != std::string::npos || is_among(others, extension_of(name)))
      return std::nullopt;
    std::optional<std::string> target = normalized_path(parent_path(path_), name);
    if (!target || target->empty()) return std::nullopt;
    if (const std::string_view ending = extension_of(base_name(*target)); is_among(code, ending))
      target->resize(target->size() - ending.size());
    return target;
  }

  std::optional<std::string> python_target(const Import& import) const {
    const std::size_t dots = import.name.find_first_not_of('.');
    if (dots == 0 || dots == std::string::npos) return std::nullopt;
    std::string folder(parent_path(path_));
    for (std::size_t i = 1; i < dots; ++i) {
      if (folder.empty()) return std::nullopt;
      folder.resize(parent_path(folder).size());
    }
    std::string module = import.name.substr(dots);
    // A module with an underscore may be an extension that a build compiles.
    if (module.starts_with('_') || module.find("._") != std::string::npos) return std::nullopt;
    std::ranges::replace(module, '.', '/');
    return joined_path(folder, module);
  }

  // Some file systems do not distinguish upper and lower case.
  static bool has_name(std::string_view file, std::string_view name) {
    const auto is_same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    return file.size() >= name.size() && std::equal(name.begin(), name.end(), file.begin(), is_same) &&
           (file.size() == name.size() || file[name.size()] == '.');
  }

  // Returns whether no file or folder has this name, with any ending. Bundlers also add endings such as
  // ".native.js".
  bool is_missing(const std::string& target) {
    if (may_be_generated(target)) return false;
    const std::string name(base_name(target));
    for (std::string folder(parent_path(target));;) {
      const std::optional<std::vector<std::string>> names = tree_.names_in(folder);
      if (!names) return false;
      const std::string_view below = std::string_view(target).substr(folder.empty() ? 0 : folder.size() + 1);
      const std::string_view part = below.substr(0, below.find('/'));
      const bool exists =
          std::ranges::any_of(*names, [&](const std::string& each) { return has_name(each, part); });
      if (exists) return false;
      // The folder itself may be missing. Then a part of its path must be.
      if (!names->empty() || folder.empty()) break;
      folder.resize(parent_path(folder).size());
    }
    constexpr std::array endings = {"",     ".ts",   ".tsx",  ".js", ".jsx",
                                    ".mjs", ".json", ".d.ts", ".py", "/index.ts"};
    return std::ranges::none_of(endings,
                                [&](const char* ending) { return tree_.may_be_omitted(target + ending); });
  }

  // Returns whether package.json has an object "browser", which replaces files by others.
  static bool maps_files_for_browsers(std::string_view text) {
    const std::size_t key = text.find("\"browser\"");
    if (key == std::string_view::npos) return false;
    std::string_view rest = trimmed(text.substr(key + 9));
    return take_prefix(rest, ":") && trimmed(rest).starts_with('{');
  }

  // Returns whether the project has settings that make other folders or files part of a relative import.
  bool has_other_rules() const {
    for (std::string folder(parent_path(path_));; folder.resize(parent_path(folder).size())) {
      const std::optional<std::vector<std::string>> names = tree_.names_in(folder);
      if (!names) return true;
      for (const std::string& name : *names) {
        const bool is_config =
            (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json");
        if (!is_config && name != "package.json") continue;
        const std::string text = tree_.text_of(joined_path(folder, name));
        for (std::string_view key : {"\"rootDirs\"", "\"moduleSuffixes\""})
          if (text.find(key) != std::string::npos) return true;
        if (maps_files_for_browsers(text)) return true;
      }
      if (folder.empty()) return false;
    }
  }

  std::string_view path_, text_;
  const TreeProbe& tree_;
  Language language_;
};

}  // namespace

RelativeImports check_relative_imports(std::string_view path, std::string_view text, const TreeProbe& tree) {
  return RelativeImportCheck(path, text, tree).run();
}

bool is_unconditional(Language language, std::string_view text, const Import& import) {
  switch (language) {
    case Language::javascript: return is_unconditional_javascript(text, import);
    case Language::python: return is_unconditional_python(text, import);
    case Language::c: return is_unconditional_c(text, import);
    default: return false;
  }
}

}  // namespace snapgen::core
