#include "tools/insight/check/trust.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>

#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t script_bytes_max = 1000;  // Maximum length of a script, which is shown before it runs.
constexpr std::size_t shown_bytes_max = 80;     // Maximum length of a command in a sentence.

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

bool TrustStore::is_persistent() const { return !folder_.empty() && ::access(folder_.c_str(), W_OK) == 0; }

void TrustStore::add(std::string_view text) {
  const std::string name = file_name_of(text);
  // A decision is the existence of a file of this name. The content is for people who inspect the folder.
  const bool is_written =
      !folder_.empty() && make_folders(folder_) &&
      replace_file(folder_, name, repository_ + "\n" + std::string(text) + "\n", Durability::process_crash);
  if (is_written) return;
  ProcessMemory& memory = process_memory();
  const std::lock_guard lock(memory.mutex);
  memory.names.insert(name);
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
  const std::string& git = workspace.repository().common_dir();
  return {trust_store_path(), git.empty() ? workspace.root().folder() : git};
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
  std::string text = command.script_text.empty() ? "command" : "script " + command.name;
  text += "\nfolder " + command.folder;
  if (!command.script_text.empty()) return text + "\n" + command.script_text;
  for (const std::string& word : command.argv) text += "\nargument " + word;
  return text;
}

WithheldCommands withhold_untrusted(CheckPlan& plan, const TrustStore& store) {
  WithheldCommands withheld;
  // If a command may not run, its whole chain is withheld: later commands need the earlier ones.
  std::set<int> chains;
  for (const CheckCommand& command : plan.commands) {
    const bool is_free = !command.configured && command.script_text.empty();
    if (is_free || store.has(trust_key(command))) continue;
    chains.insert(command.chain_number);
    if (command.configured) {
      plan.skipped.push_back({.subsystem = command.subsystem,
                              .reason = "not trusted until the user runs `snap trust`: `" +
                                        shortened(command_line_of(command), shown_bytes_max) + "`",
                              .is_withheld = true});
      withheld.untrusted.push_back(command);
    } else {
      // Without a shared store, it may have run for another process.
      const std::string_view state =
          store.is_persistent() ? "not named here yet" : "not named by this server yet";
      plan.skipped.push_back({.subsystem = command.subsystem,
                              .reason = std::string(state) + ", check again to run it: `" + command.name +
                                        "`, in " + joined_path(command.folder, "package.json") + " `" +
                                        shortened(command.script_text, script_bytes_max) + "`",
                              .is_withheld = true,
                              .runs_when_repeated = true});
      withheld.unnamed_scripts.push_back(trust_key(command));
    }
  }
  std::erase_if(plan.commands, [&](const CheckCommand& each) { return chains.contains(each.chain_number); });
  return withheld;
}

}  // namespace snapgen::core
