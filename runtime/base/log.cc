#include "runtime/base/log.h"

#include <iterator>
#include <string>

#include <unistd.h>

namespace snapgen {
namespace {

constexpr std::string_view names[] = {"error", "warning", "info", "debug"};

}  // namespace

std::optional<Severity> severity_named(std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == text) return static_cast<Severity>(i);
  }
  return std::nullopt;
}

void Log::write(Severity severity, std::string_view sentence) const {
  if (!is_enabled(severity)) return;
  std::string line(program_);
  line.append(": ").append(names[static_cast<std::size_t>(severity)]).append(": ");
  for (char c : sentence) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  line += '\n';
  // A failed log write is dropped, because there is nowhere to report it.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace snapgen
