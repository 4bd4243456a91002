// Reads requirements in the form of PEP 508, and pip's requirements files.
#include <algorithm>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/package/project_packages.h"
#include "tools/insight/package/words.h"

namespace snapgen::core {
namespace {

constexpr std::size_t requirements_files_max = 50;

std::size_t end_of_name(std::string_view text) {
  constexpr std::string_view others = "._-";
  std::size_t end = 0;
  const auto is_inside = [&](char c) {
    return is_alphanumeric(c) || (end > 0 && others.find(c) != std::string_view::npos);
  };
  while (end < text.size() && is_inside(text[end])) ++end;
  return end;
}

// Returns whether a word is a path or a URL. A word name@URL is not.
bool is_place(std::string_view word) {
  if (word.substr(end_of_name(word)).starts_with('@')) return false;
  return word.find('/') != std::string_view::npos || word.starts_with('.') || word.ends_with(".whl");
}

// Returns whether the text is a specifier of PEP 508, which unlike Poetry demands an operator in each clause.
bool is_specifier(std::string_view range) {
  if (range.empty()) return true;
  for (const std::string_view part : split_by(range, ",")) {
    const std::string_view clause = trimmed(part);
    const bool has_operator = clause.starts_with("==") || clause.starts_with("!=") ||
                              clause.starts_with("~=") || clause.starts_with('<') || clause.starts_with('>');
    if (!has_operator && !clause.empty()) return false;
  }
  return is_range(Ecosystem::pypi, range);
}

// Returns the version of a range such as ==1.2.3; empty for any other range.
std::string_view pinned_version(std::string_view range) {
  std::string_view version = range;
  if (!take_prefix(version, "===") && !take_prefix(version, "==")) return {};
  version = trimmed(version);
  return is_version(Ecosystem::pypi, version) ? version : std::string_view();
}

// RequirementsFile reads one requirements file. It joins continued lines, and pads them so that offsets still
// match the text.
class RequirementsFile {
 public:
  RequirementsFile(ProjectPackages& found, PackageFiles& files, const std::string& path,
                   std::string_view text, std::vector<std::pair<std::string, LockedPackage>>& pins)
      : found_(found), files_(files), path_(path), text_(text), pins_(pins) {}

  void run() {
    const std::size_t first_pin = pins_.size();
    std::string line;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t begin = at;
      line.clear();
      bool continues = true;
      while (continues && at < text_.size()) {
        std::string_view rest = text_.substr(at), part;
        next_line(rest, part);
        at = text_.size() - rest.size();
        const std::string_view content = part.ends_with('\r') ? part.substr(0, part.size() - 1) : part;
        continues = content.ends_with('\\');
        line += content.substr(0, content.size() - (continues ? 1 : 0));
        line.resize(at - begin, ' ');
      }
      take_line(begin, line);
    }
    // If one requirement of a file has a hash, pip demands a hash for each.
    for (std::size_t i = first_pin; i < pins_.size(); ++i)
      pins_[i].second.has_hash = pins_[i].second.has_hash || !has_hashes_;
  }

 private:
  void take_line(std::size_t offset, std::string_view line) {
    for (std::size_t mark = line.find('#'); mark != std::string_view::npos; mark = line.find('#', mark + 1)) {
      if (mark > 0 && line[mark - 1] != ' ' && line[mark - 1] != '\t') continue;
      line = line.substr(0, mark);
      break;
    }
    const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    line = trimmed(line);
    if (line.empty()) return;
    offset += blanks;
    if (line[0] == '-') return take_option(offset, line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t;"));
    if (is_place(word)) return take_place(offset, line);
    const std::size_t options = std::min(line.find(" --"), line.size());
    const bool has_hash = line.find("--hash", options) != std::string_view::npos;
    has_hashes_ = has_hashes_ || has_hash;
    std::optional<Dependency> dependency =
        parse_requirement(files_, path_, text_, offset, line.substr(0, options));
    if (!dependency) return;
    const std::string_view version = pinned_version(dependency->range);
    if (!version.empty()) {
      LockedPackage pin{.version = std::string(version), .source = {}, .ranges = {}};
      pin.has_hash = has_hash;
      pins_.emplace_back(dependency->name, std::move(pin));
    }
    found_.add_declared(*std::move(dependency));
  }

  void take_option(std::size_t offset, std::string_view line) {
    if (line.starts_with("-c") || line.starts_with("--constraint"))
      return files_.add_problem(path_, text_, offset, "constraints are not read");
    for (const std::string_view option : {"--requirement", "-r", "--editable", "-e"}) {
      std::string_view value = line;
      if (!take_prefix(value, option)) continue;
      take_prefix(value, "=");
      value = trimmed(value);
      if (option == "--editable" || option == "-e") return take_place(offset, value);
      const std::optional<std::string> path = normalized_path(parent_path(path_), value);
      const std::size_t before = found_.manifests.size();
      if (path) read_requirements(found_, files_, *path, pins_);
      const bool is_known = path && std::find(found_.manifests.begin(), found_.manifests.end(), *path) !=
                                        found_.manifests.end();
      if (!is_known && before < requirements_files_max)
        files_.add_problem(path_, text_, offset, "the file " + std::string(value) + " cannot be read");
      return;
    }
  }

  // Takes a path or URL, which may end in #egg=NAME.
  void take_place(std::size_t offset, std::string_view location) {
    constexpr std::string_view mark = "#egg=";
    location = location.substr(0, location.find_first_of(" \t"));
    const std::size_t at = location.find(mark);
    if (at == std::string_view::npos) {
      found_.has_unread_manifest = true;
      return files_.add_problem(path_, text_, offset,
                                "the package in " + std::string(location) + " is not read");
    }
    const std::string_view name = location.substr(at + mark.size());
    const std::size_t end = end_of_name(name);
    if (end == 0) return;
    found_.add_declared({.name = std::string(name.substr(0, end)),
                         .range = {},
                         .manifest = path_,
                         .source = std::string(location.substr(0, at))});
  }

  ProjectPackages& found_;
  PackageFiles& files_;
  const std::string path_;
  const std::string_view text_;
  std::vector<std::pair<std::string, LockedPackage>>& pins_;
  bool has_hashes_ = false;
};

}  // namespace

std::optional<Dependency> parse_requirement(PackageFiles& files, const std::string& path,
                                            std::string_view text, std::size_t offset,
                                            std::string_view written) {
  const std::size_t blanks = std::min(written.find_first_not_of(" \t"), written.size());
  std::string_view rest = written.substr(blanks);
  const auto here = [&] { return offset + (written.size() - rest.size()); };
  const std::size_t end = end_of_name(rest);
  if (end == 0) {
    files.add_problem(path, text, here(), "expected the name of a package");
    return std::nullopt;
  }
  Dependency dependency{
      .name = std::string(rest.substr(0, end)), .range = {}, .manifest = path, .source = {}};
  rest.remove_prefix(end);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (rest.starts_with('[')) {
    rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  }
  if (rest.starts_with('@')) {
    const std::string_view url = trimmed(rest.substr(1));
    dependency.source = url.substr(0, url.find_first_of(" \t"));
    return dependency;
  }
  std::string_view range = trimmed(rest.substr(0, rest.find(';')));
  if (range.starts_with('(') && range.ends_with(')')) range = trimmed(range.substr(1, range.size() - 2));
  dependency.range = range;
  dependency.is_valid = is_specifier(range);
  if (!dependency.is_valid)
    files.add_problem(path, text, here(), "\"" + dependency.range + "\" is not a version specifier");
  return dependency;
}

void read_requirements(ProjectPackages& found, PackageFiles& files, const std::string& path,
                       std::vector<std::pair<std::string, LockedPackage>>& pins) {
  const bool is_known =
      std::find(found.manifests.begin(), found.manifests.end(), path) != found.manifests.end();
  if (is_known || found.manifests.size() >= requirements_files_max) return;
  const std::optional<std::string> text = files.read_manifest(path, found.has_unread_manifest);
  if (!text) return;
  found.manifests.push_back(path);
  RequirementsFile(found, files, path, *text, pins).run();
}

}  // namespace snapgen::core
