#pragma once
// Shared by the detectors of detect_checks(): access to one folder, and the findings so far.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/check/detect.h"

namespace snapgen::core {

// One folder of the workspace.
class ProjectFolder {
 public:
  // `folder`: relative to the root; "": the root. `root` and `path` must outlive this.
  ProjectFolder(const std::string& root, std::string folder, const std::string& path)
      : root_(root), folder_(std::move(folder)), path_(path) {}

  const std::string& folder() const { return folder_; }
  ProjectFolder at(std::string other) const { return ProjectFolder(root_, std::move(other), path_); }
  std::string place(std::string_view name) const;  // Absolute path.
  bool has(std::string_view name) const;           // As a file or folder.
  bool has_any(std::initializer_list<std::string_view> names) const;
  // The content of a file of reasonable size; empty if there is none.
  std::string text(std::string_view name) const;
  // Whether an INI or TOML file has a section: "[name]", or for a table of tables "[name.".
  bool has_section(std::string_view file, std::string_view name) const;
  std::vector<std::string> folders() const;  // Sorted names of its visible subfolders.

  // The path of a program in PATH.
  std::optional<std::string> installed(std::string_view name) const;
  // The path of a program in node_modules/.bin of the project or the workspace.
  std::optional<std::string> of_node(std::string_view name) const;
  // The path of a program in the project's virtual environment, or in PATH.
  std::optional<std::string> of_python(std::string_view name) const;

  // A command that runs in this folder.
  CheckCommand command(Subsystem subsystem, std::string name, std::vector<std::string> argv,
                       OutputFormat format) const;

 private:
  const std::string& root_;
  std::string folder_;
  const std::string& path_;
};

struct Findings {
  Detected all;
  int chains = 0;

  // Adds the command as a separate chain.
  void add(CheckCommand command);
  // Adds the commands as one chain.
  void add(std::vector<CheckCommand> chain);
  void skip(Subsystem subsystem, std::string reason);
};

// Each returns true if the folder is a project of that type, even if nothing in it can be run.
bool detect_javascript(const ProjectFolder& here, Findings& found);
bool detect_python(const ProjectFolder& here, Findings& found);
bool detect_cargo(const ProjectFolder& here, Findings& found);
bool detect_go(const ProjectFolder& here, Findings& found);
bool detect_cmake(const ProjectFolder& here, Findings& found);
bool detect_meson(const ProjectFolder& here, Findings& found);

}  // namespace snapgen::core
