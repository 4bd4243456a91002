#pragma once
// Finds programs, and defines the environment in which checks run.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// Returns the path of the program `name` in one of the folders of `path`, a value of PATH.
std::optional<std::string> find_in_path(std::string_view path, std::string_view name);

bool is_program(const std::string& path);

// Returns the environment of a check: that of this process with CI=1. It omits git's variables (they would
// select another repository), snapgen's, those of a test runner that started this process, and those about
// colours, on which the result of a test may depend.
std::vector<std::string> check_environment();

// A temporary folder for reports, deleted with the object.
class ReportFolder {
 public:
  // Creates the folder. If that fails, path() is empty.
  ReportFolder();
  ReportFolder(ReportFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ReportFolder& operator=(ReportFolder&&) = delete;
  ~ReportFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace snapgen::core
