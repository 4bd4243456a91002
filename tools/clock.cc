#include "tools/clock.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace snapgen::tools {

std::int64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

double steady_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

std::string timestamp(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const int more = std::snprintf(text + size, sizeof text - size, ".%03dZ", static_cast<int>(ms % 1000));
  return {text, size + static_cast<std::size_t>(more)};
}

}  // namespace snapgen::tools
