#pragma once
// Log: lines on the standard error, for whoever runs the program. Nothing of it reaches a client.
#include <cstdint>
#include <optional>
#include <string_view>

namespace snapgen {

enum class Severity : std::uint8_t { error, warning, info, debug };

std::optional<Severity> severity_of(std::string_view text);

class Log {
 public:
  // `program` begins every line; it must outlive the log. What is less severe than `threshold` is not
  // written.
  Log(std::string_view program, Severity threshold) : program_(program), threshold_(threshold) {}

  bool takes(Severity severity) const { return severity <= threshold_; }
  // One line, written at once. Safe from several threads.
  void write(Severity severity, std::string_view sentence) const;

 private:
  std::string_view program_;
  Severity threshold_;
};

}  // namespace snapgen
