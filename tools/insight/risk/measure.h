#pragma once
// Measures how much harm a mistake in some files would do: by their kind (rules.h), their dependents, the
// size of the change, and earlier problems.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// Earlier problems of one file.
struct FileHistory {
  std::int64_t violation_count = 0;
  std::int64_t revert_count = 0;
};

// Larger numbers of dependents are not counted exactly.
inline constexpr std::int64_t dependents_counted_max = 1000;

// Counts dependents from an import graph, up to dependents_counted_max. Without one this part of the risk is
// not measured.
class DependentCounter {
 public:
  virtual ~DependentCounter() = default;
  // Returns the number of files that depend on this one, directly or indirectly; nullopt if it is unknown.
  virtual std::optional<std::int64_t> count_dependents(std::string_view path) = 0;
};

// A deleted source file, and the number of files that depended on it, directly or indirectly.
struct DeletedFile {
  std::string path;
  std::int64_t dependent_count = 0;
};

enum class RiskLevel : std::uint8_t { low, medium, high };
inline constexpr int medium_risk_points = 3;  // The points from which a risk is medium.
inline constexpr int high_risk_points = 6;

struct RiskReason {
  std::string text;  // The reason, such as "src/auth.ts: authentication" or "120 files are changed".
  int points = 0;

  bool operator==(const RiskReason&) const = default;
};

struct Risk {
  RiskLevel level = RiskLevel::low;
  int points = 0;
  std::vector<RiskReason> reasons;  // The reasons with the most points first; each reason once.
  // The number of files whose dependents were counted: fewer than all_files if there are too many. Both are 0
  // without an import graph.
  std::int64_t files_with_counted_dependents = 0;
  std::int64_t all_files = 0;
};

// Returns a sentence such as " The dependents of 200 of the 2607 files were counted."; empty if all were.
std::string uncounted_sentence(const Risk& risk);

struct RiskInput {
  std::vector<std::string> paths;         // Files that are changed or are going to be changed.
  std::vector<FileHistory> histories;     // One entry per path, in the same order; or empty.
  std::vector<DeletedFile> deleted = {};  // The source files of `paths` that are deleted.
  std::int64_t changed_file_count = 0;
  bool are_planned = false;           // The files are named, and may not have changed yet.
  DependentCounter* graph = nullptr;  // The import graph; null if there is none.
  // Returns whether a path is a test; null if that is not known.
  bool (*is_test)(std::string_view path) = nullptr;
};

Risk measure_risk(const RiskInput& input);

}  // namespace snapgen::core
