#include "codegen/front/finding.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "codegen/front/load.h"
#include "codegen/front/publish.h"
#include "runtime/base/text.h"
#include "runtime/json/pointer.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {

SourceLocation inner_location(const SourceLocation& location, std::string_view token, std::size_t offset) {
  SourceLocation found{.file = location.file, .offset = offset, .pointer = location.pointer};
  json::append_pointer_token(found.pointer, token);
  return found;
}

LineAndColumn line_and_column(const SourceLocation& location) {
  const std::string_view before = std::string_view(location.file->text).substr(0, location.offset);
  const std::size_t start = before.rfind('\n');
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = start == std::string_view::npos ? before.size() + 1 : before.size() - start};
}

namespace {

constexpr std::string_view did_you_mean = "; did you mean \"";

// Removes the end that meant() has added to the sentence, and returns its proposal.
std::string take_proposal(std::string& sentence) {
  const std::size_t at = sentence.rfind(did_you_mean);
  if (at == std::string::npos || !sentence.ends_with("\"?")) return {};
  const std::size_t begin = at + did_you_mean.size();
  std::string proposal = sentence.substr(begin, sentence.size() - 2 - begin);
  sentence.resize(at);
  return proposal;
}

constexpr std::string_view bold = "\x1b[1m", red = "\x1b[31m", cyan = "\x1b[36m", green = "\x1b[32m",
                           plain = "\x1b[0m";

std::string coloured(std::string_view colour, std::string_view text) {
  return std::string(colour) + std::string(text) + std::string(plain);
}

Finding finding_at(const SourceLocation& location, std::string sentence) {
  const LineAndColumn position = line_and_column(location);
  std::string proposal = take_proposal(sentence);
  return {.file = location.file->path,
          .line = position.line,
          .column = position.column,
          .pointer = location.pointer,
          .sentence = std::move(sentence),
          .proposal = std::move(proposal)};
}

std::vector<Finding> sorted_once(std::vector<Finding> findings) {
  std::ranges::sort(findings);
  findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
  return findings;
}

constexpr std::string_view note_word = "note: ";

}  // namespace

std::string finding_line(const Finding& finding) {
  std::string text = finding.file;
  if (finding.line) text += ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
  text += ": ";
  if (finding.line && !finding.pointer.empty()) text += finding.pointer + ": ";
  if (finding.is_note) text += note_word;
  text += finding.sentence;
  if (!finding.proposal.empty()) text += std::string(did_you_mean) + finding.proposal + "\"?";
  return text;
}

void Findings::add(const SourceLocation& location, std::string sentence) {
  findings_.push_back(finding_at(location, std::move(sentence)));
}

void Findings::add_note(const SourceLocation& location, std::string sentence) {
  notes_.push_back(finding_at(location, std::move(sentence)));
  notes_.back().is_note = true;
}

void Findings::add(const std::string& file, std::string sentence) {
  findings_.push_back({.file = file, .sentence = std::move(sentence)});
}

void Findings::add_at_other_places(const Findings& others) {
  const auto place_of = [](const Finding& one) { return std::tie(one.file, one.line, one.column); };
  const std::vector<Finding> known = findings_;
  for (const Finding& each : others.findings_)
    if (std::ranges::find(known, place_of(each), place_of) == known.end()) findings_.push_back(each);
}

bool Findings::has_below(const SourceLocation& location) const {
  return std::ranges::any_of(findings_, [&](const Finding& each) {
    const std::string_view pointer = each.pointer;
    return each.file == location.file->path && pointer.starts_with(location.pointer) &&
           (pointer.size() == location.pointer.size() || pointer[location.pointer.size()] == '/');
  });
}

std::vector<Finding> Findings::sorted() const { return sorted_once(findings_); }

std::vector<Finding> Findings::sorted_with_notes() const {
  std::vector<Finding> all = findings_;
  all.insert(all.end(), notes_.begin(), notes_.end());
  return sorted_once(std::move(all));
}

std::vector<std::string> Findings::lines() const {
  std::vector<std::string> lines;
  for (const Finding& each : sorted()) lines.push_back(finding_line(each));
  return lines;
}

std::string report_text(const std::vector<Finding>& findings, bool colour) {
  std::string text;
  for (const Finding& each : findings) {
    if (!colour) {
      text += finding_line(each) + "\n";
      continue;
    }
    std::string location = each.file;
    if (each.line) location += ":" + std::to_string(each.line) + ":" + std::to_string(each.column);
    text += coloured(bold, location + ":") + " ";
    if (each.line && !each.pointer.empty()) text += coloured(cyan, each.pointer + ":") + " ";
    text += each.is_note ? std::string(note_word) + each.sentence : coloured(red, each.sentence);
    if (!each.proposal.empty())
      text += "; did you mean " + coloured(green, "\"" + each.proposal + "\"") + "?";
    text += "\n";
  }
  return text;
}

std::string report_json(const std::vector<Finding>& findings) {
  std::vector<std::string> rows;
  for (const Finding& each : findings) {
    std::map<std::string, std::string> row = {{"file", json::quoted(each.file)},
                                              {"pointer", json::quoted(each.pointer)},
                                              {"sentence", json::quoted(each.sentence)}};
    if (each.line) row["column"] = std::to_string(each.column), row["line"] = std::to_string(each.line);
    if (each.is_note) row["note"] = "true";
    if (!each.proposal.empty()) row["proposal"] = json::quoted(each.proposal);
    rows.push_back(json_object(row));
  }
  return "{\"findings\":" + json_array(rows) + "}\n";
}

std::string suggestion_clause(std::string_view name, const std::vector<std::string_view>& names) {
  auto near = nearest_name(name, names);
  return near ? suggestion_of(*near) : std::string();
}

std::string suggestion_of(std::string_view proposal) {
  return std::string(did_you_mean).append(proposal).append("\"?");
}

}  // namespace snapgen::codegen
