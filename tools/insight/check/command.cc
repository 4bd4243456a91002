#include "tools/insight/check/command.h"

#include <algorithm>

namespace snapgen::core {

bool writes_report(const CheckCommand& command) {
  const auto names_it = [](const std::string& word) {
    return word.find(report_placeholder) != std::string::npos;
  };
  return !command.report_path.empty() || std::any_of(command.argv.begin(), command.argv.end(), names_it);
}

}  // namespace snapgen::core
