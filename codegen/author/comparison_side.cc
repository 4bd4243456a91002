// Reads one side of a comparison.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/author/diff.h"
#include "codegen/author/files.h"
#include "runtime/json/document.h"

namespace snapgen::codegen {
namespace {

namespace fs = std::filesystem;

Error unreadable(const std::string& name) {
  return Error(ErrorCode::not_found, "can't read " + name + ": there is no such file or folder");
}

// Makes settings with one namespace per folder. C++ names do not matter in a comparison.
Settings settings_for(const std::string& schemas, const std::vector<SourceText>& texts) {
  Settings settings{.schemas = schemas, .name_space = "server"};
  std::set<std::string> folders;
  for (const SourceText& each : texts) folders.insert(each.path.substr(0, each.path.rfind('/')));
  std::size_t count = 0;
  for (const std::string& each : folders)
    settings.namespaces.emplace_back(each, "server::part_" + std::to_string(++count));
  return settings;
}

// `root` is the folder that contains the folder of the schemas. `given` is a path that the user wrote.
ComparisonSide understood(const fs::path& root, const fs::path& given, const std::string& schemas,
                          std::vector<SourceText> texts) {
  const Settings settings = settings_for(schemas, texts);
  const fs::path shown = given.is_absolute() ? root : root.lexically_relative(fs::current_path());
  const std::string prefix = shown.generic_string();
  return {.all = run_stages(std::move(texts), settings), .prefix = prefix == "." ? "" : prefix + "/"};
}

Result<ComparisonSide> read_directory(const fs::path& path, const std::string& name) {
  const fs::path folder = fs::absolute(path).lexically_normal();
  const fs::path at = folder.filename().empty() ? folder.parent_path() : folder;
  std::vector<SourceText> texts;
  if (!read_folder(at.parent_path(), at.filename().generic_string(), true, texts)) return unreadable(name);
  return understood(at.parent_path(), path, at.filename().generic_string(), std::move(texts));
}

void references(const json::Node& node, std::vector<std::string>& found) {
  for (const json::Member& each : node.members) {
    if (each.key == "$ref" && each.value.is(json::Kind::string))
      found.push_back(each.value.text.substr(0, each.value.text.find('#')));
    references(each.value, found);
  }
  for (const json::Node& each : node.items) references(each, found);
}

// Reads a file and every file it refers to. A missing one is a finding of the file that refers to it.
Result<ComparisonSide> read_file(const fs::path& path, const std::string& name) {
  const fs::path file = fs::absolute(path).lexically_normal();
  const fs::path folder = file.parent_path().parent_path();
  std::vector<SourceText> texts;
  std::vector<fs::path> wanted = {file};
  std::set<fs::path> seen;
  while (!wanted.empty()) {
    const fs::path next = wanted.back();
    wanted.pop_back();
    if (!seen.insert(next).second) continue;
    std::ifstream in(next, std::ios::binary);
    if (!in && next == file) return unreadable(name);
    if (!in || !fs::is_regular_file(next)) continue;
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::vector<std::string> found;
    references(json::parse_document(text).root, found);
    for (const std::string& each : found)
      if (!each.empty()) wanted.push_back((next.parent_path() / each).lexically_normal());
    texts.push_back({.path = normalized_path(next.lexically_relative(folder.parent_path())),
                     .text = std::move(text),
                     .emitted = next == file});
  }
  return understood(folder.parent_path(), path, folder.filename().generic_string(), std::move(texts));
}

std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Scratch is a temporary folder that the destructor deletes.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "snapgen-XXXXXX").string();
    if (::mkdtemp(name.data())) path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<ComparisonSide> read_revision(const std::string& name) {
  const Scratch scratch;
  if (scratch.path().empty()) return unreadable(name);
  // The copy has the name of the folder, because findings show it.
  std::string folder = fs::path(name.substr(name.find(':') + 1)).lexically_normal().filename().string();
  if (folder.empty()) folder = "schemas";
  const fs::path at = scratch.path() / folder;
  fs::create_directory(at);
  // In a subfolder, git archive rejects a tree. So it runs in the repository's root, with the tree's id.
  const std::string command =
      "(git -C \"$(git rev-parse --show-toplevel)\" archive --format=tar \"$(git rev-parse --verify " +
      shell_word(name) + ")\") 2>/dev/null | tar -x -C " + shell_word(at.string()) + " 2>/dev/null";
  if (std::system(command.c_str()) != 0 || fs::is_empty(at)) {
    const std::string revision = name.substr(0, name.find(':'));
    const std::string asks = "git rev-parse --quiet --verify " + shell_word(revision + "^{tree}");
    const bool known = std::system((asks + " >/dev/null 2>&1").c_str()) == 0;
    return Error(
        ErrorCode::not_found,
        "can't read " + name +
            (known ? ": the revision " + revision + " has no folder " + name.substr(name.find(':') + 1) +
                         " with files; without ./ in front, it is relative to the repository's root"
                   : ": there is no such file or folder, and git knows no such revision"));
  }
  ComparisonSide side = TRY(read_directory(at, name));
  const std::size_t path = name.find(':') + 1;
  const fs::path outer = fs::path(name.substr(path)).lexically_normal().parent_path();
  side.prefix = name.substr(0, path) + (name.compare(path, 2, "./") == 0 ? "./" : "") +
                (outer.empty() ? "" : outer.generic_string() + "/");
  return side;
}

}  // namespace

Result<ComparisonSide> read_comparison_side(const std::string& name) {
  std::error_code error;
  if (fs::is_directory(name, error)) return read_directory(name, name);
  if (fs::exists(name, error)) return read_file(name, name);
  const std::size_t colon = name.find(':');
  if (colon != std::string::npos && colon != 0 && name[0] != '-') return read_revision(name);
  return unreadable(name);
}

}  // namespace snapgen::codegen
