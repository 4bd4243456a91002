#include "tools/insight/check/programs.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace snapgen::core {
namespace {

bool is_kept(std::string_view variable) {
  constexpr std::array dropped = {"GIT_",       "SNAPGEN_", "SNAPBACK_", "SNAP_MCP_",
                                  "NODE_TEST_", "CI=",      "NO_COLOR=", "FORCE_COLOR="};
  return std::none_of(dropped.begin(), dropped.end(),
                      [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

}  // namespace

bool is_program(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> find_in_path(std::string_view path, std::string_view name) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    std::string found = std::string(path.substr(0, end)) + "/" + std::string(name);
    path.remove_prefix(std::min(end + 1, path.size()));
    // Ignores relative entries of PATH, which would select programs of the workspace.
    if (found.starts_with('/') && is_program(found)) return found;
  }
  return std::nullopt;
}

std::vector<std::string> check_environment() {
  std::vector<std::string> variables;
  for (char** each = environ; each && *each; ++each)
    if (is_kept(*each)) variables.emplace_back(*each);
  variables.emplace_back("CI=1");
  return variables;
}

ReportFolder::ReportFolder() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) return;
  std::string name = (base / "snapgen-check-XXXXXX").string();
  if (::mkdtemp(name.data())) path_ = name;
}

ReportFolder::~ReportFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace snapgen::core
