#include "codegen/front/finding.h"

#include <algorithm>
#include <map>
#include <string_view>
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

}  // namespace

std::string finding_line(const Finding& finding) {
  std::string text = finding.file;
  if (finding.line) text += ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
  text += ": ";
  if (finding.line && !finding.pointer.empty()) text += finding.pointer + ": ";
  text += finding.sentence;
  if (!finding.proposal.empty()) text += std::string(did_you_mean) + finding.proposal + "\"?";
  return text;
}

void Findings::add(const SourceLocation& location, std::string sentence) {
  const std::string& text = location.file->text;
  std::size_t end = std::min(location.offset, text.size());
  std::size_t line = 1 + static_cast<std::size_t>(
                             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  std::size_t start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  std::size_t column = start == std::string::npos ? end + 1 : end - start;
  std::string proposal = take_proposal(sentence);
  findings_.push_back({.file = location.file->path,
                       .line = line,
                       .column = column,
                       .pointer = location.pointer,
                       .sentence = std::move(sentence),
                       .proposal = std::move(proposal)});
}

void Findings::add(const std::string& file, std::string sentence) {
  findings_.push_back({.file = file, .sentence = std::move(sentence)});
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> sorted = findings_;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
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
    text += coloured(red, each.sentence);
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
    if (!each.proposal.empty()) row["proposal"] = json::quoted(each.proposal);
    rows.push_back(json_object(row));
  }
  return "{\"findings\":" + json_array(rows) + "}\n";
}

std::string suggestion_clause(std::string_view name, const std::vector<std::string_view>& names) {
  auto near = nearest_name(name, names);
  return near ? std::string(did_you_mean) + std::string(*near) + "\"?" : std::string();
}

}  // namespace snapgen::codegen
