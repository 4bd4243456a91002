#include "tools/app/repository_tools.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "runtime/json/document.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"
#include "tools/insight/check/run/trust.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t files_max = 1000;
constexpr std::uint64_t bytes_max = std::uint64_t{16} << 20;

// The files of a folder of tools, by the path that the trust shows.
class TrustedFiles {
 public:
  // Errors: too_large; as read_whole_file().
  Result<Unit> add(const std::string& name, const std::string& path) {
    if (files_.contains(name)) return Unit{};
    std::string text = TRY(core::read_whole_file(path, bytes_max, core::SymlinkPolicy::followed));
    bytes_ += text.size();
    if (files_.size() == files_max || bytes_ > bytes_max)
      return Error(ErrorCode::too_large, "The folder of tools has more than " + std::to_string(files_max) +
                                             " files or " + std::to_string(bytes_max >> 20) +
                                             " MiB. Move everything that is no tool out of it.");
    files_.emplace(name, std::move(text));
    return Unit{};
  }
  const std::map<std::string, std::string>& texts() const { return files_; }

 private:
  std::map<std::string, std::string> files_;
  std::uint64_t bytes_ = 0;
};

Result<Unit> add_folder(TrustedFiles& files, const std::string& folder) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  if (error)
    return Error(ErrorCode::not_found, "The folder of tools " + core::path_in_sentence(folder) +
                                           " cannot be read. Check \"tools\" in .snapback/config.json.");
  for (const fs::recursive_directory_iterator end; at != end; at.increment(error)) {
    if (at->is_directory(error) && !at->is_symlink(error)) continue;
    const std::string path = at->path().string();
    if (!at->is_regular_file(error))
      return Error(ErrorCode::invalid_argument,
                   core::path_in_sentence(path) +
                       " is not a file, so trust cannot cover it. Replace it with files, or delete it.");
    TRY(files.add(path.substr(folder.size() + 1), path));
  }
  if (error) return core::system_error(error.value(), "read", folder);
  return Unit{};
}

struct DescribedTool {
  RepositoryTool tool;
  std::string run_folder;  // Relative to the workspace; empty is the workspace.
};

// Returns the tool that a schema file describes; nullopt if the file describes none.
std::optional<DescribedTool> tool_of(const std::string& file, const std::string& text) {
  if (!file.ends_with(".json")) return std::nullopt;
  const json::Node root = json::parse_document(text).root;
  const auto member = [](const json::Node* node, std::string_view key) {
    return node ? node->find(key) : nullptr;
  };
  const auto text_of = [](const json::Node* node) {
    return node && node->is(json::Kind::string) ? node->text : std::string();
  };
  const json::Node* run = member(root.find("x-snapgen"), "run");
  const json::Node* command = member(run, "command");
  if (!command || !command->is(json::Kind::array)) return std::nullopt;
  const std::string name = text_of(root.find("name"));
  DescribedTool found{.tool = {.name = name.empty() ? file : name, .command = {}},
                      .run_folder = text_of(member(run, "folder"))};
  for (const json::Node& word : command->items) found.tool.command.push_back(text_of(&word));
  return found;
}

// Adds the files of the workspace that the command names, and that are not in the folder of tools. The
// program is relative to the schema file, an argument to the folder in which the program runs.
Result<Unit> add_named_files(TrustedFiles& files, const DescribedTool& described, const fs::path& schema_file,
                             const std::string& folder, const std::string& workspace) {
  const fs::path run_folder = fs::path(workspace) / described.run_folder;
  for (const std::string& each : described.tool.command) {
    const bool is_program = &each == described.tool.command.data();
    // An option may name a file after its equals sign: --require=./x.js.
    const std::size_t equals = is_program ? std::string::npos : each.find('=');
    const std::string word = equals == std::string::npos ? each : each.substr(equals + 1);
    // A program without a slash is searched in PATH.
    if (word.empty() || (is_program && word.find('/') == std::string::npos)) continue;
    const fs::path base = is_program ? schema_file.parent_path() : run_folder;
    const std::string path = (base / word).lexically_normal().string();
    std::error_code error;
    const bool is_covered = core::is_at_or_below_folder(path, folder);
    const bool is_in_workspace = core::is_at_or_below_folder(path, workspace);
    if (is_covered || !is_in_workspace || !fs::is_regular_file(path, error)) continue;
    TRY(files.add(path, path));
  }
  return Unit{};
}

}  // namespace

std::optional<std::string> tools_folder_of(const Settings& settings, const std::string& workspace) {
  if (!settings.tools) return std::nullopt;
  const std::string& folder = *settings.tools;
  std::string path =
      fs::path(folder.starts_with('/') ? folder : workspace + "/" + folder).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

Result<RepositoryTools> read_repository_tools(const std::string& folder, const std::string& workspace) {
  RepositoryTools found{.folder = folder, .tools = {}, .files = {}, .trust_key = "tools"};
  TrustedFiles files;
  TRY(add_folder(files, folder));
  const std::map<std::string, std::string> in_folder = files.texts();
  for (const auto& [file, text] : in_folder) {
    const std::optional<DescribedTool> described = tool_of(file, text);
    if (!described) continue;
    TRY(add_named_files(files, *described, fs::path(folder) / file, folder, workspace));
    found.tools.push_back(described->tool);
  }
  for (const auto& [file, text] : files.texts()) {
    found.files.push_back(file);
    found.trust_key += "\nfile " + core::text_of_bytes(file) + " " + core::sha256_hex(text);
  }
  return found;
}

Result<Unit> check_tools_trusted(const std::string& folder, const std::string& workspace,
                                 const core::TrustStore& store) {
  const RepositoryTools tools = TRY(read_repository_tools(folder, workspace));
  if (store.has(tools.trust_key)) return Unit{};
  return Error(
      ErrorCode::permission_denied,
      "The tools in " + core::path_in_sentence(folder) +
          ", which .snapback/config.json names, are not trusted as they are now. The user can inspect "
          "and trust them with `snap trust`, and restart the server.");
}

}  // namespace snapgen::tools
