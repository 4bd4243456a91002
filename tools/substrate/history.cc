#include "tools/substrate/history.h"

namespace snapgen::tools {
namespace {

std::string text_of(const core::LineSpan& lines) {
  if (lines.last < lines.first) return "before " + std::to_string(lines.first);
  const std::string first = std::to_string(lines.first);
  return lines.last == lines.first ? first : first + "-" + std::to_string(lines.last);
}

}  // namespace

std::string moment_id(std::uint64_t number) { return "m" + std::to_string(number); }

std::optional<std::string> moment_id(const std::optional<std::uint64_t>& number) {
  if (!number) return std::nullopt;
  return moment_id(*number);
}

std::optional<std::vector<std::string>> to_schema(const std::vector<core::LineSpan>& lines) {
  if (lines.empty()) return std::nullopt;
  std::vector<std::string> out;
  for (const core::LineSpan& each : lines) out.push_back(text_of(each));
  return out;
}

}  // namespace snapgen::tools
