#include "tools/insight/check/run/trust.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {
namespace {

constexpr std::size_t shown_bytes_max = 80;   // Maximum length of a command in a sentence.
constexpr std::size_t names_bytes_max = 160;  // Maximum length of the list of programs in a sentence.

// Stores decisions in memory if the trust folder is not writable. A confined server can write to it only if
// the folder existed when the server started.
struct ProcessMemory {
  std::mutex mutex;
  std::set<std::string> names;
};

ProcessMemory& process_memory() {
  static ProcessMemory memory;
  return memory;
}

}  // namespace

TrustStore::TrustStore(std::string folder, const std::string& repository) : folder_(std::move(folder)) {
  struct statx status{};
  constexpr unsigned wanted = STATX_INO | STATX_BTIME;
  std::string identity;
  if (::statx(AT_FDCWD, repository.c_str(), 0, wanted, &status) == 0) {
    identity = " inode " + std::to_string(status.stx_ino);
    if ((status.stx_mask & STATX_BTIME) != 0)
      identity += " created " + std::to_string(status.stx_btime.tv_sec) + "." +
                  std::to_string(status.stx_btime.tv_nsec);
  }
  repository_ = repository + identity;
}

std::string TrustStore::file_name_of(std::string_view text) const {
  return sha256_hex(repository_ + std::string(1, '\0') + std::string(text));
}

bool TrustStore::has(std::string_view text) const {
  const std::string name = file_name_of(text);
  if (!folder_.empty() && ::access((folder_ + "/" + name).c_str(), F_OK) == 0) return true;
  ProcessMemory& memory = process_memory();
  const std::lock_guard lock(memory.mutex);
  return memory.names.contains(name);
}

void TrustStore::add(std::string_view text) {
  const std::string name = file_name_of(text);
  // A decision is the existence of a file of this name. The content is for people who inspect the folder.
  const bool is_written =
      !folder_.empty() && make_folders(folder_) &&
      replace_file(folder_, name, repository_ + "\n" + std::string(text) + "\n", Durability::process_crash);
  if (!is_written) add_for_process(text);
}

void TrustStore::add_for_process(std::string_view text) {
  ProcessMemory& memory = process_memory();
  const std::lock_guard lock(memory.mutex);
  memory.names.insert(file_name_of(text));
}

Result<Unit> TrustStore::remove(std::string_view text) {
  const std::string path = folder_ + "/" + file_name_of(text);
  if (folder_.empty() || ::unlink(path.c_str()) == 0 || errno == ENOENT) return Unit{};
  return system_error(errno, "delete", path);
}

std::string trust_store_path() {
  const std::string folder = user_base_folder("XDG_STATE_HOME", ".local/state");
  return folder.empty() ? folder : folder + "/snapgen/trust";
}

TrustStore trust_store_of(const Workspace& workspace) {
  const std::string& git = repository_of(workspace).common_dir();
  return {trust_store_path(), git.empty() ? root_of(workspace).folder() : git};
}

TrustStore trust_store_of(const std::string& workspace_folder) {
  const Result<git::RepositoryLayout> layout = git::discover(workspace_folder, Environment::of_process());
  const bool has_git = layout && layout->is_git;
  return {trust_store_path(), has_git ? layout->common_dir : workspace_folder};
}

std::string command_line_of(const CheckCommand& command) {
  std::string line;
  for (const std::string& word : command.argv) {
    const bool is_plain = !word.empty() && word.find_first_of(" \t\n\"'\\") == std::string::npos;
    line += (line.empty() ? "" : " ") + (is_plain ? word : json::quoted(text_of_bytes(word)));
  }
  return command.folder.empty() ? line : line + " (in " + text_of_bytes(command.folder) + ")";
}

std::string trust_key(const CheckCommand& command) {
  std::string text = "command\nfolder " + command.folder;
  for (const std::string& word : command.argv) text += "\nargument " + word;
  return text;
}

WithheldCommands withhold_untrusted(CheckPlan& plan, const TrustStore& store, bool has_consent) {
  WithheldCommands withheld;
  // If a command may not run, its whole chain is withheld: later commands need the earlier ones.
  std::set<int> chains;
  for (const CheckCommand& command : plan.commands) {
    if (command.configured ? store.has(trust_key(command)) : has_consent) continue;
    chains.insert(command.chain_number);
    (command.configured ? withheld.untrusted : withheld.unconsented).push_back(command);
  }
  std::erase_if(plan.commands, [&](const CheckCommand& each) { return chains.contains(each.chain_number); });
  return withheld;
}

std::string names_of(const std::vector<CheckCommand>& commands) {
  std::vector<std::string> names;
  std::string list;
  for (const CheckCommand& each : commands) {
    std::string name =
        "`" + each.name + (each.folder.empty() ? "" : " (in " + text_of_bytes(each.folder) + ")") + "`";
    if (std::ranges::find(names, name) != names.end()) continue;
    list += (names.empty() ? "" : ", ") + name;
    names.push_back(std::move(name));
  }
  return shortened(list, names_bytes_max);
}

std::vector<SkippedCheck> reasons_of(const WithheldCommands& withheld, bool was_declined) {
  std::vector<SkippedCheck> skipped;
  for (const CheckCommand& each : withheld.untrusted)
    skipped.push_back({.subsystem = each.subsystem,
                       .reason = "not trusted until the user runs `snap trust`: `" +
                                 shortened(command_line_of(each), shown_bytes_max) + "`",
                       .is_withheld = true});
  if (withheld.unconsented.empty()) return skipped;
  const std::string names = names_of(withheld.unconsented);
  const std::string reason =
      was_declined ? "the user has not agreed to run code of this repository (`snap trust` does): " + names
                   : std::string(consent_sentence) + ": " + names + ". Call again to consent and run it";
  for (const CheckCommand& each : withheld.unconsented)
    skipped.push_back({.subsystem = each.subsystem,
                       .reason = reason,
                       .is_withheld = true,
                       .runs_when_repeated = !was_declined});
  return skipped;
}

}  // namespace snapgen::core
