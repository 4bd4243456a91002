#pragma once
// What the detectors of detect_checks() share: a look at one folder, and what they found so far.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/check/detect.h"

namespace snapgen::core {

// One folder of the workspace, as a detector sees it.
class ProjectFolder {
 public:
  // `folder`: from the root; "": the root itself. Both outlive this.
  ProjectFolder(const std::string& root, std::string folder, const std::string& path)
      : root_(root), folder_(std::move(folder)), path_(path) {}

  const std::string& folder() const { return folder_; }
  ProjectFolder at(std::string other) const { return ProjectFolder(root_, std::move(other), path_); }
  std::string place(std::string_view name) const;  // Absolute.
  bool has(std::string_view name) const;           // A file or folder.
  bool has_any(std::initializer_list<std::string_view> names) const;
  // A file of reasonable size; empty if there is none.
  std::string text(std::string_view name) const;
  // Whether an INI or TOML file has a section: "[name]", or for a table of tables "[name.".
  bool has_section(std::string_view file, std::string_view name) const;
  std::vector<std::string> folders() const;  // Names of those in it, sorted; hidden ones are left out.

  // A program of PATH: its path.
  std::optional<std::string> installed(std::string_view name) const;
  // A program that the project, or the workspace around it, brings: node_modules/.bin.
  std::optional<std::string> of_node(std::string_view name) const;
  // One of the project's virtual environment, or of PATH.
  std::optional<std::string> of_python(std::string_view name) const;

  // A command that runs here.
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

  // Each in a chain of its own.
  void add(CheckCommand command);
  // As one chain.
  void add(std::vector<CheckCommand> chain);
  void skip(Subsystem subsystem, std::string reason);
};

// True if the folder is a project of that kind, whether or not anything in it can be run.
bool detect_javascript(const ProjectFolder& here, Findings& found);
bool detect_python(const ProjectFolder& here, Findings& found);
bool detect_cargo(const ProjectFolder& here, Findings& found);
bool detect_go(const ProjectFolder& here, Findings& found);
bool detect_cmake(const ProjectFolder& here, Findings& found);
bool detect_meson(const ProjectFolder& here, Findings& found);

}  // namespace snapgen::core
