#pragma once
// What `snap doctor` found: a list of sentences, each with what can be done about it.
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
  std::string area;  // "git", "settings", ...
  std::string text;  // A sentence.
  std::string fix;   // What to do, in words or as a command; empty if all is well.
  // Does it, where that is safe, and says what it did; null: a person has to.
  std::function<Result<std::string>()> repair = {};
};

class Findings {
 public:
  void ok(std::string area, std::string text) { add({Health::ok, std::move(area), std::move(text), {}}); }
  void warning(std::string area, std::string text, std::string fix) {
    add({Health::warning, std::move(area), std::move(text), std::move(fix)});
  }
  void error(std::string area, std::string text, std::string fix) {
    add({Health::error, std::move(area), std::move(text), std::move(fix)});
  }
  void add(Finding finding) { all_.push_back(std::move(finding)); }

  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

}  // namespace snapgen::tools
