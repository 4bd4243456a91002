#pragma once
// Log writes lines to standard error for the user who runs the program. They never reach a client.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen {

enum class Severity : std::uint8_t { error, warning, info, debug };

std::optional<Severity> severity_named(std::string_view text);

class Log {
 public:
  // `program` is the prefix of every line and must outlive the log. Messages less severe than `threshold` are
  // dropped.
  Log(std::string_view program, Severity threshold) : program_(program), threshold_(threshold) {}

  bool is_enabled(Severity severity) const { return severity <= threshold_; }
  // Writes one line immediately. Thread-safe.
  void write(Severity severity, std::string_view sentence) const;

 private:
  std::string_view program_;
  Severity threshold_;
};

}  // namespace snapgen
