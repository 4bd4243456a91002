#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/spawn.h"
#include "tools/cli/commands.h"
#include "tools/cli/hosts/hook_event.h"
#include "tools/cli/hosts/host_file.h"
#include "tools/cli/hosts/own_program.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/server/trees/find_workspace.h"
#include "tools/work/log/log_writer.h"

namespace snapgen::tools {
namespace {

struct HookOptions {
  std::string host;
  std::string event;
};

constexpr std::size_t payload_bytes_max = std::size_t{16} << 20;
constexpr unsigned time_limit_s = 2;  // A host waits for the hook before it continues.

extern "C" void end_successfully(int) { ::_exit(exit_done); }

// Makes the process end with success after the time limit, whatever it waits for, and at once if the host
// ends it. A host may have closed standard output.
void limit_time() {
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action{};
  action.sa_handler = &end_successfully;
  sigset_t handled;
  ::sigemptyset(&handled);
  for (const int signal : {SIGALRM, SIGTERM, SIGINT, SIGHUP}) {
    ::sigaction(signal, &action, nullptr);
    ::sigaddset(&handled, signal);
  }
  ::sigprocmask(SIG_UNBLOCK, &handled, nullptr);
  ::alarm(time_limit_s);
}

// Reads standard input to its end, so that the host can write all of it. Returns the beginning.
std::string read_payload() {
  std::string payload, piece(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return payload;
    payload.append(piece, 0, std::min(static_cast<std::size_t>(count), payload_bytes_max - payload.size()));
  }
}

// A workspace, and its folder in the store.
struct FoundTree {
  std::string workspace;
  std::string folder;
};

// Returns the workspace that the sources name if its folder in the store exists, which the server makes.
// Nothing is created.
std::optional<FoundTree> existing_tree(const WorkspaceSources& sources) {
  const Result<std::string> workspace = resolve_workspace(sources);
  if (!workspace) return std::nullopt;
  const Result<core::Repository> repository = core::Repository::open(*workspace);
  if (!repository) return std::nullopt;
  const std::string store = core::store_folder_of(*repository, *workspace);
  const std::string tree = core::tree_folder(store, core::workspace_location(*repository, *workspace, store));
  // A symlink could lead the write elsewhere.
  for (const std::string& folder : {store.substr(0, store.rfind('/')), store, store + "/trees", tree})
    if (!core::check_plain_folder(folder, folder)) return std::nullopt;
  return FoundTree{.workspace = *workspace, .folder = tree};
}

// Returns the tree of the first of the folders that has one.
std::optional<FoundTree> find_tree(const Invocation& invocation, const HostForm& host,
                                   std::vector<std::string> folders) {
  WorkspaceSources sources = WorkspaceSources::of_command(invocation.workspace);
  const std::string variable(host.hooks.folder_variable);
  if (std::optional<std::string> folder = environment_variable(variable))
    folders.push_back(*std::move(folder));
  folders.push_back(sources.current_folder);
  for (const std::string& folder : folders) {
    sources.request_folders = {folder};
    if (std::optional<FoundTree> tree = existing_tree(sources)) return tree;
  }
  return std::nullopt;
}

Result<Unit> append(const FoundTree& tree, const core::HostEvent& event) {
  const core::HistoryLog log(core::history_folder(tree.folder));
  TRY(log.prepare());
  return log.append(event);
}

// Starts a process that records the present state, unless a server does. The host does not wait for it: the
// process has none of its descriptors, and a session of its own.
void record_in_background(const FoundTree& tree) {
  if (core::HistoryLog(core::history_folder(tree.folder)).is_recorded()) return;
  const std::vector<std::string> words = {own_program_path(), "history", "--record", "--workspace",
                                          tree.workspace};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = -1;
  ::posix_spawn(&child, words.front().c_str(), &actions, &attributes, null_terminated_pointers(words).data(),
                environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
}

// Adds the error to the server's log.
void log_error(const FoundTree& tree, const HostForm& host, const Error& error) {
  core::LogWriter log(tree.workspace);
  log.add(core::LogKind::errors,
          core::JsonObject()
              .add("at", core::iso_time(core::now_ms()))
              .add("host", host.name)
              .add("code", text(error.code))
              .add("message", core::redact(error.message))
              .add_if_any("cause", core::redact(error.cause))
              .finish(),
          core::LogFolder::only_if_exists);
}

// Whether the present state is to be recorded: work begins, or a tool may have changed files. The server
// records what its own tools change.
bool asks_for_moment(const core::HostEvent& event) {
  const bool is_own = event.tool.find(entry_name) != std::string::npos;
  return event.kind == core::HostEventKind::prompt || event.kind == core::HostEventKind::session_begin ||
         (event.kind == core::HostEventKind::tool_end && !is_own);
}

// Reports the event to the history of the workspace. Hosts block a tool whose hook fails, so this succeeds
// in all cases.
Result<int> hook(const Invocation& invocation, const HookOptions& options) {
  limit_time();
  const std::optional<Host> named = host_named(options.host);
  if (!named || form_of(*named).hooks.file.empty()) {
    static_cast<void>(
        invocation.error_output.print("There are no hooks of a host " + printable(options.host) + ".\n"));
    return exit_done;
  }
  const HostForm& host = form_of(*named);
  if (host.hooks.reads_json) static_cast<void>(invocation.out.print("{}"));
  Result<std::optional<HookReport>> report = read_hook(host, options.event, read_payload());
  if (report && !*report) return exit_done;
  const std::optional<FoundTree> tree =
      find_tree(invocation, host, report ? std::move((*report)->folders) : std::vector<std::string>());
  if (!tree) return exit_done;
  if (!report) {
    log_error(*tree, host, report.error());
    return exit_done;
  }
  core::HostEvent& event = (*report)->event;
  event.at_ms = core::now_ms();
  const Result<Unit> appended = append(*tree, event);
  if (!appended) log_error(*tree, host, appended.error());
  if (appended && asks_for_moment(event)) record_in_background(*tree);
  return exit_done;
}

}  // namespace

void add_hook_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<HookOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "hook",
       .description =
           "Report an event of an AI host to the history of the workspace. Hosts run this command in their "
           "hooks, which snap init --host HOST --hooks writes, and pass the event as JSON on standard input. "
           "It ends within two seconds.",
       .examples = {{"snap hook claude < event.json", ""},
                    {"snap hook opencode session.idle < event.json", "the JSON does not name the event"}},
       .exit_codes = "0 always, because hosts block a tool whose hook ends with 2.",
       .takes_json = false},
      [options](const Invocation& parsed) { return hook(parsed, *options); });
  // An unknown argument is no usage error, whose exit code 2 would block the host's tool.
  command.allow_extras();
  command.add_option("HOST", options->host, "The host.");
  command.add_option("EVENT", options->event,
                     "The host's name of the event. Default: hook_event_name in the JSON.");
}

}  // namespace snapgen::tools
