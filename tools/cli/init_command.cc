#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/cli/commands.h"
#include "tools/cli/found_hosts.h"
#include "tools/cli/harmless_tools.h"
#include "tools/cli/hosts/file_change.h"
#include "tools/cli/hosts/hook_file.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/own_program.h"
#include "tools/cli/hosts/permissions.h"
#include "tools/cli/record_moment.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {
namespace {

struct InitOptions {
  std::vector<std::string> hosts;
  std::string profile = "first";
  bool has_profile = false;  // True if --profile was typed.
  bool adds_hooks = false;
  bool removes = false;
  bool without_approvals = false;
  bool yes = false;
};

constexpr std::string_view settings_file = "config.json";
constexpr std::string_view first_settings = "{\n  \"tier\": \"free\"\n}\n";

struct Outcome {
  std::string workspace;
  bool has_workspace = false;      // True after make_workspace() succeeded.
  bool is_declined = false;        // True if a change was shown and not confirmed.
  std::vector<std::string> found;  // The hosts that were found, if the command line names none.
  std::vector<std::string> made, deleted, unchanged, refused;
  std::string diff;
  std::string text;  // The text for the terminal.
};

// Returns the existing workspace, or the folder that is to become one: the named folder, or the current one.
Result<std::string> folder_for(const Invocation& invocation) {
  const WorkspaceSources sources = WorkspaceSources::of_command(invocation.workspace);
  Result<std::string> found = resolve_workspace(sources);
  if (found) return found;
  const std::string folder = sources.argument   ? *sources.argument
                             : sources.variable ? *sources.variable
                                                : sources.current_folder;
  char real[PATH_MAX];
  struct ::stat st{};
  if (::realpath(folder.c_str(), real) != nullptr && ::stat(real, &st) == 0 && S_ISDIR(st.st_mode))
    return std::string(real);
  return Error(ErrorCode::not_found,
               "There is no folder " + core::path_in_sentence(folder) + ". Create it, or name another one.");
}

std::string coloured_preview(const Invocation& invocation, std::string_view diff) {
  std::string out;
  std::string_view line;
  while (core::next_line(diff, line)) {
    const bool is_name = line.starts_with("---") || line.starts_with("+++");
    const Colour colour = is_name                  ? Colour::bold
                          : line.starts_with('+')  ? Colour::green
                          : line.starts_with('-')  ? Colour::red
                          : line.starts_with("@@") ? Colour::cyan
                                                   : Colour::plain;
    out +=
        invocation.out.paint(colour, invocation.out.is_terminal ? printable(line) : std::string(line)) + "\n";
  }
  return out;
}

// Creates `.snapback/` with the initial settings, unless this command has done so before.
Result<Unit> make_workspace(Outcome& outcome) {
  if (outcome.has_workspace) return Unit{};
  const std::string& folder = outcome.workspace;
  TRY(core::make_snapback_folder(folder));
  const std::string state = folder + "/.snapback", name = ".snapback/" + std::string(settings_file);
  TRY(core::check_plain_folder(state, ".snapback"));
  struct ::stat st{};
  if (::lstat((folder + "/" + name).c_str(), &st) == 0) {
    outcome.unchanged.insert(outcome.unchanged.begin(), name);
  } else {
    TRY(core::replace_file(state, settings_file, first_settings, core::Durability::machine_crash));
    outcome.made.insert(outcome.made.begin(), name);
  }
  outcome.has_workspace = true;
  return Unit{};
}

// Returns a sentence about the approvals that an entry contains; empty without any.
std::string approvals_in_words(const HostForm& form, const std::vector<std::string>& approved_tools) {
  if (approved_tools.empty()) return "";
  std::string list;
  for (const std::string& each : approved_tools) list += (list.empty() ? "" : ", ") + each;
  return std::string(form.title) + " may then call " + list +
         " without asking: what they change can be undone. --no-approvals leaves this out.\n";
}

// Returns the text that the user can paste, for a file that cannot be changed.
std::string by_hand(Host host, const std::string& file, const OurEntry& entry, const Error& why) {
  return file + " is unchanged: " + why.message + "\nAdd this to it:\n" + entry_to_paste(host, entry);
}

std::string outcome_json(const Outcome& outcome) {
  const auto list = [](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& each : names) out += (out.empty() ? "" : ",") + json::quoted(each);
    return "[" + out + "]";
  };
  return "{\"deleted\":" + list(outcome.deleted) +
         ",\"diff\":" + json::quoted(core::text_of_bytes(outcome.diff)) +
         ",\"found\":" + list(outcome.found) + ",\"refused\":" + list(outcome.refused) +
         ",\"unchanged\":" + list(outcome.unchanged) +
         ",\"workspace\":" + json::quoted(core::text_of_bytes(outcome.workspace)) +
         ",\"written\":" + list(outcome.made) + "}";
}

// Adds a file to a list of the outcome. A file with a change and an unchanged part counts as changed.
void add_file(Outcome& outcome, std::vector<std::string>& list, const std::string& file) {
  const auto is_in = [&](const std::vector<std::string>& files) {
    return std::ranges::find(files, file) != files.end();
  };
  if (&list == &outcome.unchanged && is_in(outcome.made)) return;
  std::erase(outcome.unchanged, file);
  if (!is_in(list)) list.push_back(file);
}

// Returns whether the user is asked about each change.
bool asks_user(const Invocation& invocation, const InitOptions& options) {
  return !options.yes && !invocation.prints_json && invocation.out.is_terminal && ::isatty(0) == 1;
}

// Shows the change of the host's file, if one is needed, and applies it if the user agrees. `remark` is
// printed after the change. `advice` is printed if it cannot be applied.
Result<Unit> carry_out(const Invocation& invocation, const InitOptions& options, const std::string& file,
                       const Result<std::optional<FileChange>>& found, const std::string& remark,
                       const std::function<std::string(const Error&)>& advice, Outcome& outcome) {
  if (!found) {
    add_file(outcome, outcome.refused, file);
    outcome.text += advice(found.error());
    return Unit{};
  }
  if (!*found) {
    add_file(outcome, outcome.unchanged, file);
    return Unit{};
  }
  const FileChange& change = **found;
  outcome.diff += change.diff;
  if (!invocation.prints_json) {
    TRY(invocation.out.print(coloured_preview(invocation, change.diff) + remark));
  }
  const bool asks = asks_user(invocation, options);
  const bool deletes = change.before && !change.before->exists;
  if (!options.yes &&
      !(asks && ask_yes_no(invocation, (deletes ? "Delete " : "Write ") + change.file + "?"))) {
    add_file(outcome, outcome.refused, change.file);
    outcome.is_declined = true;
    outcome.text += change.file + " is unchanged: " +
                    (asks ? "the change was not confirmed." : "pass --yes to change it.") + "\n";
    return Unit{};
  }
  if (!options.removes) {
    TRY(make_workspace(outcome));
  }
  const Result<Unit> written =
      change.before ? restore_host_file(outcome.workspace, change.file, *change.before)
                    : change_host_file(outcome.workspace, change.file, change.now, change.base, change.after);
  add_file(outcome, !written ? outcome.refused : deletes ? outcome.deleted : outcome.made, change.file);
  if (!written) outcome.text += advice(written.error());
  return Unit{};
}

// Returns whether the file is the one that was added to the list last.
bool is_last(const std::vector<std::string>& list, std::string_view file) {
  return !list.empty() && list.back() == file;
}

// Offers to let the host call the read-only tools without asking.
Result<Unit> add_permissions(const Invocation& invocation, const InitOptions& options, const HostFiles& host,
                             const std::vector<std::string>& tools, Outcome& outcome) {
  std::vector<std::string> rules;
  for (const std::string& each : tools) rules.push_back(permission_for(host.server, each));
  const std::string file(host.form.permissions_file);
  const auto advice = [&](const Error& why) { return file + " is unchanged: " + why.message + "\n"; };
  const std::string remark =
      std::string(host.form.title) + " may then call the tools that only read without asking.\n";
  const Result<std::optional<FileChange>> change =
      change_for(host, file, [&](const std::string& text) { return with_permissions(text, rules); });
  if (change && !*change) return Unit{};
  return carry_out(invocation, options, file, change, remark, advice, outcome);
}

Result<Unit> add_hooks(const Invocation& invocation, const InitOptions& options, const HostFiles& host,
                       const std::string& program, Outcome& outcome) {
  const std::string file(host.form.hooks.file);
  const auto advice = [&](const Error& why) { return file + " is unchanged: " + why.message + "\n"; };
  const std::string remark = std::string(host.form.title) +
                             " then reports sessions, prompts and tool calls to the history of this "
                             "workspace.\n";
  const Result<std::optional<FileChange>> change = change_for(
      host, file, [&](const std::string& text) { return with_our_hooks(text, host.form, program); });
  TRY(carry_out(invocation, options, file, change, remark, advice, outcome));
  if (change && *change && is_last(outcome.made, file) && !host.form.hooks.next_step.empty())
    outcome.text += std::string(host.form.hooks.next_step) + "\n";
  return Unit{};
}

Result<Unit> add_entry(const Invocation& invocation, const InitOptions& options, const HostFiles& host,
                       const std::string& program, const HarmlessTools& approved_tools, Outcome& outcome) {
  const HostForm& form = host.form;
  EntryChange entry{.entry = entry_for(form.host, program, host.workspace, options.profile),
                    .workspace = host.workspace,
                    .sets_profile = options.has_profile};
  if (form.approves_tools) entry.approved_tools = approved_tools.undoable;
  const auto advice = [&](const Error& why) { return by_hand(form.host, host.file, entry.entry, why); };
  const Result<std::optional<FileChange>> change = change_for(
      host, host.file, [&](const std::string& text) { return with_our_entry(text, form.host, entry); });
  TRY(carry_out(invocation, options, host.file, change, approvals_in_words(form, entry.approved_tools),
                advice, outcome));
  const bool is_written = is_last(outcome.made, host.file);
  // A preview shows all changes that --yes makes.
  const bool is_preview = !options.yes && !asks_user(invocation, options) && change && *change;
  if (!is_written && !is_preview && !is_last(outcome.unchanged, host.file)) return Unit{};
  if (!form.permissions_file.empty() && !approved_tools.read_only.empty()) {
    TRY(add_permissions(invocation, options, host, approved_tools.read_only, outcome));
  }
  if (!is_written) return Unit{};
  if (!form.next_step.empty()) outcome.text += std::string(form.next_step) + "\n";
  if (options.profile == "first")
    outcome.text += "It lists only the tools of the profile \"first\". To list all: snap init --host " +
                    std::string(form.name) + " --profile full\n";
  return Unit{};
}

// Returns the files of the host that this command changes, the last one first, so that folders that were made
// for them are empty in the end.
std::vector<std::string> changed_files(const HostFiles& host) {
  std::vector<std::string> files;
  for (const std::string_view each :
       {host.form.hooks.file, host.form.permissions_file, std::string_view(host.file)})
    if (!each.empty() && std::ranges::find(files, each) == files.end()) files.emplace_back(each);
  return files;
}

// Returns the names of the hosts whose files have something of this server for the folder.
std::vector<std::string> hosts_with_server(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& [form, traits] : all_hosts()) {
    const HostFiles host = files_of(form.host, folder);
    const bool has_server = std::ranges::any_of(changed_files(host), [&](const std::string& file) {
      const Result<std::optional<FileChange>> change = removal_for(host, file);
      return change && *change;
    });
    if (has_server) names.emplace_back(form.name);
  }
  return names;
}

// Restores the host's files.
Result<Unit> remove_from(const Invocation& invocation, const InitOptions& options, const HostFiles& host,
                         Outcome& outcome) {
  for (const std::string& file : changed_files(host)) {
    const auto advice = [&](const Error& why) {
      return file + " is unchanged: " + why.message + "\n" +
             (file == host.file ? "Remove the entry " + json::quoted(entry_name) + " by hand.\n" : "");
    };
    const Result<std::optional<FileChange>> change = removal_for(host, file);
    if (change && !*change && file != host.file) continue;
    TRY(carry_out(invocation, options, file, change, "", advice, outcome));
  }
  return Unit{};
}

// Returns an error if hooks are requested for a host that has none.
Result<Unit> check_hooks(const InitOptions& options) {
  if (!options.adds_hooks) return Unit{};
  for (const std::string& name : options.hosts) {
    const HostForm& form = form_of(*host_named(name));
    if (form.hooks.file.empty())
      return Error(ErrorCode::invalid_argument,
                   std::string(form.title) + " has no hooks. Omit --hooks or --host " + name + ".");
  }
  return Unit{};
}

// Records the present state, so that the history has it before the first session, and has a folder in the
// store, without which hooks report nothing. If the history is off or cannot record, that changes nothing.
void begin_history(const Invocation& invocation, const std::string& folder) {
  Invocation at_folder = invocation;
  at_folder.workspace = folder;
  static_cast<void>(record_moment(at_folder));
}

// Returns the names of the hosts to change, if the command line names none: those that the user chooses among
// the hosts that are found, or all of these with --yes. Without a terminal, none.
Result<std::vector<std::string>> choose_hosts(const Invocation& invocation, const InitOptions& options,
                                              Outcome& outcome) {
  const std::vector<FoundHost> found = found_hosts(outcome.workspace);
  for (const FoundHost& each : found) outcome.found.emplace_back(each.form.name);
  if (found.empty()) {
    outcome.text +=
        "No AI host was found in this project, in the home folder or in PATH. To add the server to "
        "one: snap init --host HOST, with one of: " +
        names_of_hosts() + ".\n";
    return std::vector<std::string>();
  }
  if (options.yes) return outcome.found;
  if (asks_user(invocation, options)) return ask_for_hosts(invocation, found);
  outcome.text +=
      "Found these AI hosts, and did not change their files:\n" + list_of_found(invocation, found);
  std::string command;
  for (const FoundHost& each : found)
    if (!each.has_server) command += " --host " + std::string(each.form.name);
  if (!command.empty()) outcome.text += "To add the server to them: snap init" + command + " --yes\n";
  return std::vector<std::string>();
}

Result<int> init(const Invocation& invocation, const InitOptions& typed) {
  InitOptions options = typed;
  TRY(check_hooks(options));
  std::string folder = TRY(folder_for(invocation));
  Outcome outcome{.workspace = folder};
  if (options.removes && options.hosts.empty()) {
    options.hosts = hosts_with_server(folder);
    if (options.hosts.empty()) outcome.text += "No file of a host has this server.\n";
  } else if (options.hosts.empty()) {
    options.hosts = TRY(choose_hosts(invocation, options, outcome));
  }
  const std::string program = own_program_path();
  if (program.empty() && !options.hosts.empty())
    return Error(
        ErrorCode::unavailable,
        "The system does not report the path of this program. Mount /proc, or write the entry by hand.");
  HarmlessTools approved_tools;
  if (!options.removes && !options.hosts.empty()) {
    HarmlessTools harmless = TRY(harmless_tools(invocation, options.profile));
    if (!options.without_approvals) approved_tools = std::move(harmless);
  }
  for (const std::string& name : options.hosts) {
    const HostFiles host = files_of(*host_named(name), folder);
    TRY(options.removes ? remove_from(invocation, options, host, outcome)
                        : add_entry(invocation, options, host, program, approved_tools, outcome));
    if (options.adds_hooks && !options.removes && !host.form.hooks.file.empty()) {
      TRY(add_hooks(invocation, options, host, program, outcome));
    }
  }
  // The command itself requests the folder, but not if the user then declines what it shows.
  if (!options.removes && !outcome.is_declined) {
    TRY(make_workspace(outcome));
    if (options.adds_hooks) begin_history(invocation, folder);
  }
  std::string text = outcome.text;
  for (const std::string& each : outcome.made)
    text += invocation.out.paint(Colour::green, "written") + "    " + printable(each) + "\n";
  for (const std::string& each : outcome.deleted)
    text += invocation.out.paint(Colour::red, "deleted") + "    " + printable(each) + "\n";
  for (const std::string& each : outcome.unchanged) text += "unchanged  " + printable(each) + "\n";
  if (outcome.is_declined && !outcome.has_workspace && !options.removes)
    text += "Nothing was written.\n";
  else
    text += "The workspace is " + printable(folder) + ".\n";
  return print_answer(invocation, outcome_json(outcome), text,
                      outcome.refused.empty() ? exit_done : exit_failed_or_found);
}

std::vector<std::string> host_names() {
  std::vector<std::string> names;
  for (const auto& [each, traits] : all_hosts()) names.emplace_back(each.name);
  return names;
}

// Returns the hosts with their files: "claude (.mcp.json), codex (.codex/config.toml), ...".
std::string list_of_hosts() {
  std::string list;
  for (const auto& [each, traits] : all_hosts())
    list +=
        (list.empty() ? "" : ", ") + std::string(each.name) + " (" +
        (each.files.empty() ? "~/" + std::string(each.user_files.front()) : std::string(each.files.front())) +
        ")";
  return list;
}

}  // namespace

void add_init_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<InitOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "init",
       .description =
           "Set up a workspace, and add this server to the files of AI hosts. Creates .snapback/ with its "
           "settings in the workspace, or in the current folder if there is no workspace, and hides it "
           "from git. Then it asks which of the AI hosts that it finds get this server; without a terminal "
           "it only lists them. --host names a host instead. Each change of a host's file is shown first, "
           "and nothing else in the file changes. --remove removes the server from "
           "them again. A file that nothing else changed since is restored byte for byte.",
       .examples = {{"snap init", "asks which of the found hosts to change"},
                    {"snap init --yes", "adds the server to all found hosts"},
                    {"snap init --host claude", "writes .mcp.json, after asking"},
                    {"snap init --host cursor --host vscode --yes", ""},
                    {"snap init --host codex --profile full", "lists all tools"},
                    {"snap init --host claude --hooks", "also writes .claude/settings.local.json"},
                    {"snap init --remove", "removes the server from the files of all hosts"}},
       .exit_codes = "0 done; 1 a change was not written; 2 the command line is wrong."},
      [options](const Invocation& parsed) { return init(parsed, *options); });
  command.add_option("--host", options->hosts, list_of_hosts() + "; can be given several times.")
      ->check(CLI::IsMember(host_names()))
      ->type_name("HOST");
  CLI::Option* profile =
      command
          .add_option(
              "--profile", options->profile,
              "The tools that the host lists: first (the few to begin with), full, the name of a family, or "
              "a profile of .snapback/config.json.")
          ->type_name("NAME")
          ->capture_default_str();
  profile->each([options](const std::string&) { options->has_profile = true; });
  command.add_flag("--no-approvals", options->without_approvals,
                   "Do not approve, in files of hosts that can do so, the tools whose changes can be undone "
                   "(Codex) and those that only read (Claude Code).");
  command.add_flag("--hooks", options->adds_hooks,
                   "Also add hooks with which the host reports its sessions, prompts and tool calls to the "
                   "history of the workspace (snap hook).");
  command.add_flag("--remove", options->removes, "Remove the server and its hooks from the hosts' files.");
  command.add_flag("-y,--yes", options->yes,
                   "Write without asking; without --host, the files of all found hosts.");
}

}  // namespace snapgen::tools
