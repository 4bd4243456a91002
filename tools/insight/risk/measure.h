#pragma once
// How much harm a mistake in some files would do, measured: by what they are (rules.h), by how many others
// depend on them, by how large the change is, and by what went wrong there before.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// What went wrong with one file.
struct FileHistory {
  std::int64_t violations = 0;
  std::int64_t reverts = 0;
};

// Who imports whom. Whoever has an import graph answers; without one this part of the risk is not measured.
class Dependents {
 public:
  virtual ~Dependents() = default;
  // How many files of the workspace depend on this one, directly or not; none if that is not known.
  virtual std::optional<std::int64_t> dependents_of(std::string_view path) = 0;
};

enum class RiskLevel : std::uint8_t { low, medium, high };
inline constexpr int medium_from = 3;  // points
inline constexpr int high_from = 6;

struct RiskReason {
  std::string text;  // "src/auth.ts: authentication", "120 files are changed"
  int points = 0;

  bool operator==(const RiskReason&) const = default;
};

struct Risk {
  RiskLevel level = RiskLevel::low;
  int points = 0;
  std::vector<RiskReason> reasons;  // The heaviest first; each once.
};

struct RiskInput {
  std::vector<std::string> paths;      // What was changed, and what is to be.
  std::vector<FileHistory> histories;  // Of each path, in the same order; or none.
  std::int64_t changed_files = 0;
  Dependents* graph = nullptr;  // May be absent.
};

Risk measure_risk(const RiskInput& input);

}  // namespace snapgen::core
