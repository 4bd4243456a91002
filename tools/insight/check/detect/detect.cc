#include "tools/insight/check/detect/detect.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>

#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/path.h"
#include "tools/insight/check/detect/detection_builder.h"
#include "tools/insight/check/programs.h"

namespace snapgen::core {
namespace {

constexpr std::size_t detected_folders_max = 64;     // Maximum number of subfolders that are inspected.
constexpr std::uint64_t config_bytes_max = 1 << 20;  // Larger files are not read as configuration.

using CheckDetector = bool (*)(const ProjectFolder&, DetectionBuilder&);
constexpr std::array<CheckDetector, 6> check_detectors = {detect_javascript, detect_python, detect_cargo,
                                                          detect_go,         detect_cmake,  detect_meson};

}  // namespace

std::string ProjectFolder::path_of(std::string_view name) const {
  return root_ + "/" + joined_path(folder_, name);
}

bool ProjectFolder::contains(std::string_view name) const {
  struct stat status;
  return ::stat(path_of(name).c_str(), &status) == 0;
}

bool ProjectFolder::contains_any(std::initializer_list<std::string_view> names) const {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return contains(name); });
}

std::string ProjectFolder::text(std::string_view name) const {
  Result<std::string> read =
      read_beneath(root_, joined_path(folder_, name), config_bytes_max, SymlinkPolicy::followed);
  std::string text = read ? *std::move(read) : std::string();
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

bool ProjectFolder::has_section(std::string_view file, std::string_view name) const {
  const std::string all = text(file);
  std::string_view rest = all;
  std::string_view line;
  while (next_line(rest, line)) {
    while (line.starts_with(' ') || line.starts_with('[')) line.remove_prefix(1);
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (line.starts_with(']') || line.starts_with('.')) return true;
  }
  return false;
}

template <class IsWanted>
std::vector<std::string> ProjectFolder::entries(IsWanted is_wanted) const {
  std::vector<std::string> names;
  std::error_code error;
  for (auto each = std::filesystem::directory_iterator(path_of(""), error);
       !error && each != std::filesystem::directory_iterator(); each.increment(error)) {
    const std::string name = each->path().filename().string();
    std::error_code ignored;
    if (!name.starts_with('.') && is_wanted(*each, ignored)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> ProjectFolder::folders() const {
  return entries([](const std::filesystem::directory_entry& entry, std::error_code& error) {
    // A symlink may lead out of the workspace, or back to a folder above.
    return entry.path().filename() != "node_modules" && !entry.is_symlink(error) && entry.is_directory(error);
  });
}

std::vector<std::string> ProjectFolder::files() const {
  return entries([](const std::filesystem::directory_entry& entry, std::error_code& error) {
    return entry.is_regular_file(error);
  });
}

std::optional<std::string> ProjectFolder::program_in_path(std::string_view name) const {
  return find_in_path(path_variable_, name);
}

std::optional<std::string> ProjectFolder::node_program(std::string_view name) const {
  const std::string bin = "node_modules/.bin/" + std::string(name);
  for (const std::string& program : {path_of(bin), root_ + "/" + bin})
    if (is_program(program)) return program;
  return std::nullopt;
}

std::optional<std::string> ProjectFolder::python_program(std::string_view name) const {
  for (const std::string& base : {path_of(".venv"), path_of("venv"), root_ + "/.venv", root_ + "/venv"}) {
    std::string program = base + "/bin/" + std::string(name);
    if (is_program(program)) return program;
  }
  return program_in_path(name);
}

CheckCommand ProjectFolder::command(Subsystem subsystem, std::string name, std::vector<std::string> argv,
                                    OutputFormat format) const {
  CheckCommand made;
  made.subsystem = subsystem;
  made.name = std::move(name);
  made.argv = std::move(argv);
  made.folder = folder_;
  made.path_base = folder_;
  made.format = format;
  return made;
}

void DetectionBuilder::add(CheckCommand command) {
  command.chain_number = chain_count++;
  detected.commands.push_back(std::move(command));
}

void DetectionBuilder::add(std::vector<CheckCommand> chain) {
  for (CheckCommand& each : chain) {
    each.chain_number = chain_count;
    detected.commands.push_back(std::move(each));
  }
  ++chain_count;
}

void DetectionBuilder::skip(Subsystem subsystem, std::string reason) {
  detected.skipped.push_back({.subsystem = subsystem, .reason = std::move(reason)});
}

DetectedChecks detect_checks(const std::string& root, const std::string& path) {
  DetectionBuilder found;
  const ProjectFolder top(root, "", path);
  std::vector<std::string> folders = top.folders();
  if (folders.size() > detected_folders_max) folders.resize(detected_folders_max);
  for (CheckDetector detect : check_detectors) {
    if (detect(top, found)) continue;
    for (const std::string& each : folders) detect(ProjectFolder(root, each, path), found);
  }
  detect_make(top, found);
  return std::move(found.detected);
}

}  // namespace snapgen::core
