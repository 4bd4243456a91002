#pragma once
// Code that the detectors of detect_checks() share: access to one folder, and the findings so far.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/check/detect/detect.h"

namespace snapgen::core {

// ProjectFolder: read access to one folder of the workspace, for detectors.
class ProjectFolder {
 public:
  // `folder` is relative to the root; "" is the root itself. `root` and `path` must outlive this object.
  ProjectFolder(const std::string& root, std::string folder, const std::string& path)
      : root_(root), folder_(std::move(folder)), path_variable_(path) {}

  const std::string& folder() const { return folder_; }
  ProjectFolder at(std::string other) const { return ProjectFolder(root_, std::move(other), path_variable_); }
  std::string path_of(std::string_view name) const;  // Returns the absolute path of a file in the folder.
  bool contains(std::string_view name) const;        // Returns whether a file or folder of this name exists.
  bool contains_any(std::initializer_list<std::string_view> names) const;
  // Returns the content of a file; empty if there is none or it is larger than a configuration file can be.
  std::string text(std::string_view name) const;
  // Returns whether an INI or TOML file has a section: "[name]", or for a table of tables "[name.".
  bool has_section(std::string_view file, std::string_view name) const;
  // Returns the sorted names of its visible subfolders, without symlinks.
  std::vector<std::string> folders() const;
  // Returns the sorted names of its visible files.
  std::vector<std::string> files() const;

  // Returns the path of a program in PATH.
  std::optional<std::string> program_in_path(std::string_view name) const;
  // Returns the path of a program in node_modules/.bin of the project or the workspace.
  std::optional<std::string> node_program(std::string_view name) const;
  // Returns the path of a program in the project's virtual environment, or in PATH.
  std::optional<std::string> python_program(std::string_view name) const;

  // Makes a command that runs in this folder.
  CheckCommand command(Subsystem subsystem, std::string name, std::vector<std::string> argv,
                       OutputFormat format) const;

 private:
  // Returns the sorted names of the visible entries for which is_wanted(entry, error) is true.
  template <class IsWanted>
  std::vector<std::string> entries(IsWanted is_wanted) const;

  const std::string& root_;
  std::string folder_;
  const std::string& path_variable_;
};

struct DetectionBuilder {
  DetectedChecks detected;
  int chain_count = 0;

  // Adds a command that runs independently of the others, as a chain of one.
  void add(CheckCommand command);
  // Adds commands that run in sequence and stop at the first failure.
  void add(std::vector<CheckCommand> chain);
  void skip(Subsystem subsystem, std::string reason);
};

// Each function adds the checks of one project type. It returns true if the folder is a project of that type,
// even if none of its checks can run.
bool detect_javascript(const ProjectFolder& here, DetectionBuilder& found);
bool detect_python(const ProjectFolder& here, DetectionBuilder& found);
bool detect_cargo(const ProjectFolder& here, DetectionBuilder& found);
bool detect_go(const ProjectFolder& here, DetectionBuilder& found);
bool detect_cmake(const ProjectFolder& here, DetectionBuilder& found);
bool detect_meson(const ProjectFolder& here, DetectionBuilder& found);
// Adds the tests of a makefile if nothing else says how tests run.
bool detect_make(const ProjectFolder& here, DetectionBuilder& found);

}  // namespace snapgen::core
