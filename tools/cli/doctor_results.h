#pragma once
// The findings of `snap doctor`.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

enum class Health : std::uint8_t { ok, warning, error };

struct Finding {
  Health health = Health::ok;
  std::string area;    // The subject, such as "git" or "settings".
  std::string text;    // A sentence about the result.
  std::string advice;  // The remedy, in words or as a command; empty if all is well.
  // Applies a safe fix and returns a description of it. Null if only the user can fix the problem.
  std::function<Result<std::string>()> fix = {};
};

class DoctorResults {
 public:
  void ok(std::string area, std::string text) { add({Health::ok, std::move(area), std::move(text), {}}); }
  void warning(std::string area, std::string text, std::string advice) {
    add({Health::warning, std::move(area), std::move(text), std::move(advice)});
  }
  void error(std::string area, std::string text, std::string advice) {
    add({Health::error, std::move(area), std::move(text), std::move(advice)});
  }
  void add(Finding finding) { all_.push_back(std::move(finding)); }

  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

}  // namespace snapgen::tools
