#include "tools/engine/base/utc.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "runtime/base/ascii.h"

namespace snapgen::core {

std::string iso_time(std::int64_t ms) {
  std::int64_t rest = ms % 1000;
  if (rest < 0) rest += 1000;
  const std::time_t seconds = (ms - rest) / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string out(text.data(), size);
  const std::string digits = std::to_string(1000 + rest);
  return out + "." + digits.substr(1) + "Z";
}

std::string local_time(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  std::array<char, 40> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts)};
}

std::optional<std::int64_t> ms_of_iso_time(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  constexpr std::string_view form = "0000-00-00T00:00:00.000";
  const bool is_whole = text.size() == 10 || text.size() == 16 || text.size() == 19 || text.size() == 23;
  if (!is_whole) return std::nullopt;
  std::string full(form);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool fits =
        form[i] == '0' ? is_digit(text[i]) : text[i] == form[i] || (form[i] == 'T' && text[i] == ' ');
    if (!fits) return std::nullopt;
    full[i] = text[i];
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char each : std::string_view(full).substr(at, digits)) value = value * 10 + (each - '0');
    return value;
  };
  const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + number(20, 3);
}

std::int64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

double steady_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

}  // namespace snapgen::core
