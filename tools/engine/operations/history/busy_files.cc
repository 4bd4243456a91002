#include "tools/engine/operations/history/busy_files.h"

#include <algorithm>

namespace snapgen::core {
namespace {

constexpr std::int64_t window_ms = 24LL * 3600 * 1000;
constexpr std::int64_t versions_max = 100'000;  // No file has more in a day.

}  // namespace

std::int64_t BusyFiles::Level::bytes_at(std::int64_t now_ms, std::int64_t bytes_max) const {
  const std::int64_t passed_ms = std::clamp(now_ms - at_ms, std::int64_t{0}, window_ms);
  const double part = static_cast<double>(passed_ms) / static_cast<double>(window_ms);
  return std::max(std::int64_t{0}, bytes - static_cast<std::int64_t>(static_cast<double>(bytes_max) * part));
}

void BusyFiles::add_version(const std::string& path, std::int64_t bytes, std::int64_t at_ms,
                            std::int64_t bytes_max) {
  if (bytes < bytes_max / versions_max) return;
  Level& level = levels_[path];
  level = {.bytes = level.bytes_at(at_ms, bytes_max) + bytes, .at_ms = at_ms};
}

bool BusyFiles::is_busy(std::string_view path, std::int64_t at_ms, std::int64_t bytes_max) const {
  const auto found = levels_.find(path);
  return found != levels_.end() && found->second.bytes_at(at_ms, bytes_max) > bytes_max;
}

}  // namespace snapgen::core
