#include "tools/core/utc.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

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

std::int64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

double steady_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

}  // namespace snapgen::core
