#include "tools/app/report_cache.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tools/app/check_answer.h"
#include "tools/engine/base/hash.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t cached_reports_max = 8;
constexpr std::size_t id_digits = 8;

}  // namespace

std::string ReportCache::add(const CachedReport& report) {
  std::string id =
      core::sha256_hex(report.title + "\n" + check_report_json(report.report)).substr(0, id_digits);
  auto copy = std::make_shared<const CachedReport>(report);
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& each) { return each.id == id; });
  entries_.push_back({.id = id, .cached = std::move(copy)});
  if (entries_.size() > cached_reports_max) entries_.pop_front();
  return id;
}

Result<ReportCache::Position> ReportCache::at(std::string_view cursor) const {
  const Error unknown(ErrorCode::invalid_argument, "Unknown cursor. Omit it to run the check again.");
  const std::size_t dash = cursor.find('-');
  if (dash == std::string_view::npos) return unknown;
  const std::string_view id = cursor.substr(0, dash);
  const std::string_view digits = cursor.substr(dash + 1);
  std::size_t first = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), first);
  if (error != std::errc() || end != digits.data() + digits.size()) return unknown;
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.id == id; });
  if (found == entries_.end() || first > found->cached->report.findings.size()) return unknown;
  return Position{.id = found->id, .cached = found->cached, .first = first};
}

std::string cursor_at(std::string_view id, std::size_t index) {
  return std::string(id) + "-" + std::to_string(index);
}

}  // namespace snapgen::tools
