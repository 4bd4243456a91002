// Reads go.mod and go.sum.
#include <algorithm>
#include <array>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/insight/imports/go_words.h"
#include "tools/insight/package/project_packages.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::string_view, 10> go_directives = {
    "exclude", "go", "godebug", "ignore", "module", "replace", "require", "retract", "tool", "toolchain"};

// ModuleFile reads one go.mod.
class ModuleFile {
 public:
  ModuleFile(ProjectPackages& found, PackageFiles& files, const std::string& path, std::string_view text)
      : found_(found), files_(files), path_(path), text_(text) {}

  void run() {
    std::string_view rest = text_, line;
    std::string_view block;  // The directive, such as `require`, whose block is open.
    std::size_t block_offset = 0;
    while (next_line(rest, line)) {
      offset_ = static_cast<std::size_t>(line.data() - text_.data()) +
                std::min(line.find_first_not_of(" \t\r"), line.size());
      std::vector<std::string_view> words = go_words(line);
      if (words.empty()) continue;
      if (!block.empty()) {
        if (words.front() == ")")
          block = {};
        else
          take(block, words);
        continue;
      }
      const std::string_view directive = words.front();
      if (std::find(go_directives.begin(), go_directives.end(), directive) == go_directives.end()) {
        add_problem("unknown directive \"" + std::string(directive) + "\"");
        continue;
      }
      words.erase(words.begin());
      if (words.size() == 1 && words.front() == "(") {
        block = directive;
        block_offset = offset_;
      } else {
        take(directive, words);
      }
    }
    if (!block.empty()) {
      offset_ = block_offset;
      add_problem("the block is not closed");
    }
    for (const auto& [name, source] : replaced_) {
      const auto at = found_.declared.find(name);
      if (at == found_.declared.end()) continue;
      for (Dependency& each : at->second) {
        each.source = source;
        each.is_local = source.starts_with('.');
      }
    }
  }

 private:
  void add_problem(const std::string& message) {
    found_.has_unread_manifest = true;
    files_.add_problem(path_, text_, offset_, message);
  }

  void take(std::string_view directive, const std::vector<std::string_view>& words) {
    if (directive == "require") {
      if (words.size() != 2) return add_problem("expected a module path and a version");
      found_.add_declared(
          {.name = std::string(words[0]), .range = std::string(words[1]), .manifest = path_, .source = {}});
    } else if (directive == "replace") {
      const auto arrow = std::find(words.begin(), words.end(), "=>");
      if (arrow == words.begin() || arrow == words.end() || arrow + 1 == words.end())
        return add_problem("expected a module path, => and its replacement");
      replaced_.emplace_back(words[0], *(arrow + 1));
    }
  }

  ProjectPackages& found_;
  PackageFiles& files_;
  const std::string path_;
  const std::string_view text_;
  std::size_t offset_ = 0;  // The offset of the first word of the current line.
  std::vector<std::pair<std::string, std::string>> replaced_;
};

void lock_modules(ProjectPackages& found, PackageFiles& files, const std::string& path,
                  std::string_view text) {
  std::string_view rest = text, line;
  while (next_line(rest, line)) {
    const std::vector<std::string_view> words = go_words(line);
    if (words.empty()) continue;
    if (words.size() != 3) {
      found.has_unread_lock = true;
      files.add_problem(path, text, static_cast<std::size_t>(line.data() - text.data()),
                        "expected a module path, a version and a hash");
      continue;
    }
    // A line with only the hash of a go.mod does not mean that the module is used.
    if (words[1].ends_with("/go.mod")) continue;
    found.add_locked(std::string(words[0]), {.version = std::string(words[1]), .source = {}, .ranges = {}});
  }
}

}  // namespace

ProjectPackages read_go(PackageFiles& files) {
  ProjectPackages found{.ecosystem = Ecosystem::go};
  const std::string path = files.path_of("go.mod");
  const std::optional<std::string> text = files.read_manifest(path, found.has_unread_manifest);
  if (!text) return found;
  found.manifests.push_back(path);
  ModuleFile(found, files, path, *text).run();
  const std::string sums = files.path_of("go.sum");
  if (const std::optional<std::string> locked = files.read_lock_file(sums, found.has_unread_lock)) {
    found.lock_files.push_back(sums);
    lock_modules(found, files, sums, *locked);
  }
  return found;
}

}  // namespace snapgen::core
