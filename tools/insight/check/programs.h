#pragma once
// Which programs there are, and what they see of our environment.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// A program by its name in PATH: its path. `path`: as the variable is written.
std::optional<std::string> program_in(std::string_view path, std::string_view name);

bool is_program(const std::string& path);

// What a checking program gets: all of ours but git's variables (they would point it to another repository),
// our own, and those of a test runner that started us; CI=1 and NO_COLOR=1.
std::vector<std::string> check_environment();

// A folder of its own below the system's temporary one, for reports; gone with the object.
class ReportFolder {
 public:
  // Without a folder, if the system has no room: path() is empty.
  ReportFolder();
  ReportFolder(ReportFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ReportFolder& operator=(ReportFolder&&) = delete;
  ~ReportFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace snapgen::core
