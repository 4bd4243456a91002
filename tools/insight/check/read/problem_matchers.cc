#include "tools/insight/check/read/problem_matchers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <utility>
#include <vector>

#include <re2/re2.h>
#include <re2/set.h>

#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

constexpr ProblemMatcher table[] = {
    // a.ts(3,5): error TS2322: No.
    // a.ts:3:5 - error TS2322: No.
    // error TS5058: No.
    {.tool = "tsc",
     .line = R"((?:(?:\S+: )?(?P<path>[^"]+?)\((?P<line>\d+),(?P<column>\d+)\): |(?P<at>.+?) - )?)"
             R"((?P<severity>error|warning) (?P<code>TS\d+): (?P<message>.+))"},
    // CMake Error at CMakeLists.txt:3 (add_executable):
    //   Cannot find source file:
    //
    //     a.c
    {.tool = "CMake",
     .line = R"(CMake (?:Deprecation )?(?P<severity>Error|Warning)(?: \(dev\))? (?:at|in) )"
             R"((?P<path>[^:]+):(?P<line>\d+)?(?P<more>).*)",
     .next = R"((?:\s+(?:(?P<more>.*:)|(?P<message>.+)))?)",
     .paths = PrintedPaths::source_folder},
    // CMake Error: The source directory "x" does not exist.
    {.tool = "CMake", .line = R"(CMake (?P<severity>Error): (?P<message>.+))"},
    // src/a.js
    //   3:5  error  'x' is not defined  no-undef
    {.tool = "ESLint",
     .line = R"(\s+(?P<line>\d+):(?P<column>\d+)\s+(?P<severity>error|warning|✖|⚠)\s+)"
             R"((?P<message>.+?)(?:\s{2,}(?P<code>\S+(?: \S+)*))?\s*)",
     .is_below_path = true},
    // a.c:3:5: error: No. [-Wflag]
    {.tool = "gcc",
     .line = R"((?P<at>.+?): *(?P<severity>(?:fatal )?error|Error|ERROR|[Ww]arning|WARNING): +)"
             R"((?P<message>\S.*?)(?:\s+\[(?P<code>[^ \[]+)\])?)"},
    // a.c:3: undefined reference to `f'
    {.tool = "ld",
     .line = R"((?P<at>.+?\d): *(?P<message>(?:undefined reference to|multiple definition of) .+))"},
    // a.c:(.text+0x5): undefined reference to `f'
    // /usr/bin/ld: a.o: undefined reference to symbol 'f'
    {.tool = "ld",
     .line = R"((?:(?:.* )?(?P<path>\S+):\(\..*?|(?:[^:]+: )*))"
             R"((?P<message>(?:undefined reference to|multiple definition of) .+))",
     .paths = PrintedPaths::unknown},
    // /usr/bin/ld: cannot find -la: No such file or directory
    {.tool = "ld", .line = R"([^:]*\bld(?:\.\w+)?: (?P<message>cannot find .+))"},
    // a.py:1:1: F401 'os' imported but unused
    // a.py:1:0: C0114: Missing module docstring (missing-module-docstring)
    {.tool = "flake8, pylint",
     .line = R"((?P<at>(?:\s*\S*\.\S*|\S.*\.pyi?):[\d:]+): *(?P<code>[A-Z]{1,3}\d{1,4}):? +(?P<message>.+))"},
    // Command line or configuration file:1:0: E0013: Plugin 'x' is impossible to load (bad-plugin-value)
    {.tool = "pylint", .line = R"([A-Za-z][^:]*:\d+:\d+: (?P<code>[A-Z]\d{4}): +(?P<message>.+))"},
    // error[E0308]: mismatched types
    //  --> src/lib.rs:3:5
    {.tool = "rustc",
     .line = R"((?P<severity>error|warning)(?:\[(?P<code>[^\]]*)\])?: (?P<more>.+))",
     .next = R"(\s*--> (?P<at>.+)|\s.*)"},
    // ./main.go:5:2: undefined: x
    // q.go:3:8: no required module provides package x; to add it:
    // 	go get x
    {.tool = "go",
     .line = R"((?:vet: )?(?P<at>.+?(?:\.go|go\.mod|go\.work):\d+(?::\d+)?): +)"
             R"((?:(?P<more>\S.*:)|(?P<message>\S.*)))",
     .next = R"(\t(?P<message>.+))"},
    // package a
    // 	imports b
    // 	imports c: cannot find package
    {.tool = "go",
     .line = R"((?P<more>package \S+))",
     .next = R"(\t(?:(?P<more>imports [^:]+|.*:)|(?P<message>.+)))"},
};

enum class LineMatch { none, without_group, unfinished, whole };

// Reads a location that is all of `text`.
std::optional<OutputLocation> exact_location(std::string_view text) {
  const std::string with_colon = std::string(text) + ":";
  std::optional<OutputLocation> at = leading_location(with_colon);
  // A quoted line is text that a program only prints.
  if (at && at->path.find('"') != std::string_view::npos) return std::nullopt;
  if (at && at->rest.empty()) {
    at->path = text.substr(static_cast<std::size_t>(at->path.data() - with_colon.data()), at->path.size());
    return at;
  }
  if (at || text.starts_with(' ') || language_of(text) == Language::none ||
      text.find(": ") != std::string_view::npos)
    return std::nullopt;
  return OutputLocation{.path = text};
}

// Adds what a line says to a problem.
LineMatch read_line(const RE2& pattern, std::string_view line, ProblemReader::Problem& problem) {
  std::array<re2::StringPiece, 8> groups;
  const int group_count = pattern.NumberOfCapturingGroups() + 1;
  assert(static_cast<std::size_t>(group_count) <= groups.size());
  if (!pattern.Match(line, 0, line.size(), RE2::ANCHOR_BOTH, groups.data(), group_count))
    return LineMatch::none;
  LineMatch match = LineMatch::without_group;
  for (const auto& [name, number] : pattern.NamedCapturingGroups()) {
    const re2::StringPiece& piece = groups[static_cast<std::size_t>(number)];
    if (piece.data() == nullptr) continue;  // The group took no part in the match.
    std::string_view text(piece.data(), piece.size());
    if (match == LineMatch::without_group) match = LineMatch::whole;
    if (name == "at") {
      const std::optional<OutputLocation> at = exact_location(text);
      if (!at) return LineMatch::none;
      problem.at = *at;
    } else if (name == "path") {
      problem.at.path = text;
    } else if (name == "line") {
      problem.at.line = take_number(text).value_or(0);
    } else if (name == "column") {
      problem.at.column = take_number(text).value_or(0);
    } else if (name == "severity") {
      problem.is_error = !text.starts_with('w') && !text.starts_with('W') && !text.starts_with("⚠");
    } else if (name == "code") {
      problem.code = text;
    } else {
      problem.message.append(problem.message.empty() ? "" : " ").append(trimmed(text));
      if (name == "more") match = LineMatch::unfinished;
    }
  }
  return match;
}

bool is_path(std::string_view line) {
  constexpr std::size_t path_bytes_max = 4096;
  return line.size() <= path_bytes_max && line.find_first_of("./") != std::string_view::npos;
}

}  // namespace

struct CompiledMatcher {
  const ProblemMatcher& row;
  RE2 line, next;
};

struct CompiledMatchers {
  std::deque<CompiledMatcher> all;
  // The patterns `line` of all, because one search for many patterns costs as much as one for a single
  // pattern.
  RE2::Set lines = RE2::Set(RE2::Options(), RE2::ANCHOR_BOTH);
};

std::span<const ProblemMatcher> problem_matchers() { return table; }

std::shared_ptr<const CompiledMatchers> compile_matchers(
    const std::function<bool(const ProblemMatcher&)>& is_wanted) {
  auto matchers = std::make_shared<CompiledMatchers>();
  for (const ProblemMatcher& row : table) {
    if (!is_wanted(row)) continue;
    matchers->all.emplace_back(row, row.line, row.next);
    matchers->lines.Add(row.line, nullptr);
  }
  matchers->lines.Compile();
  return matchers;
}

void ProblemReader::line(std::string_view line) {
  // A longer line is data, and would take too long to read.
  constexpr std::size_t line_bytes_max = 65536;
  if (line.size() > line_bytes_max) return;
  if (!line.starts_with(' ')) unindented_ = line;
  if (unfinished_matcher_ != nullptr) {
    const LineMatch match = read_line(unfinished_matcher_->next, line, unfinished_);
    if (match == LineMatch::unfinished) return;
    if (match == LineMatch::whole)
      return report(std::exchange(unfinished_matcher_, nullptr)->row, unfinished_);
    if (match == LineMatch::none) end();
  }
  std::vector<int> matching;
  if (!matchers_.lines.Match(line, &matching)) return;
  std::ranges::sort(matching);
  for (const int index : matching) {
    const CompiledMatcher& matcher = matchers_.all[static_cast<std::size_t>(index)];
    Problem problem;
    const LineMatch match = read_line(matcher.line, line, problem);
    if (match == LineMatch::none || (matcher.row.is_below_path && !is_path(unindented_))) continue;
    if (matcher.row.is_below_path) problem.at.path = unindented_;
    if (match == LineMatch::whole) return report(matcher.row, problem);
    end();
    unfinished_matcher_ = &matcher;
    unfinished_ = problem;
    return;
  }
}

void ProblemReader::end() {
  const CompiledMatcher* matcher = std::exchange(unfinished_matcher_, nullptr);
  if (matcher != nullptr && !unfinished_.at.path.empty() && !unfinished_.message.empty())
    report(matcher->row, unfinished_);
}

void ProblemReader::report(const ProblemMatcher& row, const Problem& problem) {
  std::string path(problem.at.path), message = problem.message;
  if (!places_.base_folder.empty() && !path.empty() && !path.starts_with('/')) {
    if (row.paths == PrintedPaths::source_folder) path.insert(0, "../");
    if (row.paths == PrintedPaths::unknown && path.find('/') == std::string::npos)
      message.insert(0, std::exchange(path, "") + ": ");
  }
  found_.add_diagnostic(problem.is_error,
                        {.path = path, .line = problem.at.line, .column = problem.at.column}, problem.code,
                        message);
}

}  // namespace snapgen::core
