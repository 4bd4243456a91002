#include <cerrno>
#include <cinttypes>
#include <limits>

#include "tools/engine/git/ascii.h"
#include "tools/engine/git/config.h"

namespace snapgen::core::git {

std::optional<bool> config_boolean(const std::optional<std::string>& value) {
  if (!value) return true;
  if (value->empty()) return false;
  const std::string word = to_lower(*value);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  if (const std::optional<std::int64_t> number = config_integer(*value)) return *number != 0;
  return std::nullopt;
}

std::optional<std::int64_t> config_integer(std::string_view value) {
  const std::string text(value);
  char* end = nullptr;
  errno = 0;
  const std::intmax_t number = std::strtoimax(text.c_str(), &end, 0);
  if (errno != 0 || end == text.c_str()) return std::nullopt;
  const std::string unit = to_lower(std::string_view(end));
  std::intmax_t factor = 1;
  if (unit == "k") {
    factor = 1024;
  } else if (unit == "m") {
    factor = 1024 * 1024;
  } else if (unit == "g") {
    factor = 1024 * 1024 * 1024;
  } else if (!unit.empty()) {
    return std::nullopt;
  }
  constexpr std::intmax_t limit = std::numeric_limits<std::int32_t>::max();  // The limit of git_config_int().
  if (number > limit / factor || number < -(limit / factor)) return std::nullopt;
  return number * factor;
}

std::optional<std::string> config_path(std::string_view value, const std::string& home) {
  if (value.starts_with("%(prefix)/")) return std::nullopt;
  if (!value.starts_with('~')) return std::string(value);
  if (value.size() > 1 && value[1] != '/') return std::nullopt;
  if (home.empty()) return std::nullopt;
  return home + std::string(value.substr(1));
}

}  // namespace snapgen::core::git
