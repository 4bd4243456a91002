#include "codegen/report.h"

#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

constexpr std::string_view bold = "\x1b[1m", red = "\x1b[31m", cyan = "\x1b[36m", green = "\x1b[32m",
                           plain = "\x1b[0m";

std::string coloured(std::string_view colour, std::string_view text) {
  return std::string(colour) + std::string(text) + std::string(plain);
}

}  // namespace

std::string report_text(const std::vector<Finding>& findings, bool colour) {
  std::string text;
  for (const Finding& each : findings) {
    if (!colour) {
      text += finding_line(each) + "\n";
      continue;
    }
    std::string place = each.file;
    if (each.line) place += ":" + std::to_string(each.line) + ":" + std::to_string(each.column);
    text += coloured(bold, place + ":") + " ";
    if (each.line && !each.pointer.empty()) text += coloured(cyan, each.pointer + ":") + " ";
    text += coloured(red, each.sentence);
    if (!each.proposal.empty())
      text += "; did you mean " + coloured(green, "\"" + each.proposal + "\"") + "?";
    text += "\n";
  }
  return text;
}

std::string report_json(const std::vector<Finding>& findings) {
  std::string text = "{\"findings\":[";
  json::Writer out(text);
  for (const Finding& each : findings) {
    if (&each != &findings.front()) out.text(",");
    out.text("{");
    if (each.line) out.text("\"column\":" + std::to_string(each.column) + ",");
    out.text("\"file\":");
    out.string(each.file);
    if (each.line) out.text(",\"line\":" + std::to_string(each.line));
    out.text(",\"pointer\":");
    out.string(each.pointer);
    if (!each.proposal.empty()) {
      out.text(",\"proposal\":");
      out.string(each.proposal);
    }
    out.text(",\"sentence\":");
    out.string(each.sentence);
    out.text("}");
  }
  return text + "]}\n";
}

}  // namespace snapgen::codegen
