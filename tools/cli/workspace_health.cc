#include "tools/cli/workspace_health.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "tools/app/api.h"
#include "tools/app/history_words.h"
#include "tools/app/settings.h"
#include "tools/cli/terminal.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/filters.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/files.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/survey.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/watch/folder_watches.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/insight/check/programs.h"
#include "tools/server/assembly.h"
#include "tools/work/log/log_writer.h"
#include "tools/work/memory/memory.h"

namespace snapgen::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t room_needed = std::uint64_t{16} << 20;
constexpr std::uint64_t room_wanted = std::uint64_t{512} << 20;
constexpr std::size_t names_shown = 3;
constexpr std::string_view disk_advice = "Free disk space; snap store gc removes expired snapshots.";

using core::path_in_sentence;

std::string names_of(const std::vector<std::string>& paths) { return core::some_of(paths, names_shown); }

bool exists(const std::string& path) {
  struct ::stat st{};
  return ::lstat(path.c_str(), &st) == 0;
}

// Returns the path, or its nearest parent folder that exists.
std::string nearest_there(std::string path) {
  while (path.size() > 1 && !exists(path)) path.erase(std::max<std::size_t>(path.rfind('/'), 1));
  return path;
}

class WorkspaceHealth {
 public:
  WorkspaceHealth(DoctorResults& findings, const std::string& workspace)
      : findings_(findings), workspace_(workspace), store_(workspace + "/.snapback/store") {}

  void run() {
    settings();
    if (git()) {
      store_ = core::store_folder_of(*repository_, workspace_);
      status();
      files();
      hidden_folders();
    }
    places();
    room();
    store();
    writes();
    memory();
    kinds();
    history();
  }

 private:
  bool git() {
    const core::Environment environment = core::Environment::of_process();
    Result<core::Repository> opened = core::Repository::open(workspace_, environment);
    if (!opened) {
      const bool is_foreign = opened.error().code == ErrorCode::permission_denied;
      findings_.error("git", opened.error().message,
                      is_foreign ? "git config --global --add safe.directory " + workspace_
                                 : "Start in the work tree of a repository, or in a folder without git.");
      return false;
    }
    repository_ = std::make_unique<core::Repository>(*std::move(opened));
    if (!repository_->is_git()) {
      findings_.ok("git", "There is no git repository: the snapshot store is .snapback/store.");
      return true;
    }
    findings_.ok("git",
                 "The repository is at " + path_in_sentence(repository_->root()) +
                     (repository_->git_dir() == repository_->common_dir() ? "." : ", a linked work tree."));
    if (!core::find_in_path(environment.path_variable, "git"))
      findings_.warning("git",
                        "There is no git program on PATH; some states need it (filters, split indexes).",
                        "Install git, or add its folder to PATH.");
    filters(environment);
    return true;
  }

  void filters(const core::Environment& environment) {
    const auto left_out =
        core::git::filter_disabling_settings(repository_->git_dir(), repository_->root(), environment, {});
    if (!left_out || left_out->empty()) return;
    findings_.warning("git",
                      "Filters that only this repository's configuration names are not run; files that they "
                      "convert show as changed.",
                      "If you trust the repository: git config --global snapgen.repositoryFilters true");
  }

  void status() {
    Result<core::GitStatus> status = core::read_status(*repository_);
    if (!status)
      return findings_.error("git", "The state of the work tree cannot be read: " + status.error().message,
                             "Run git status for details.");
    const auto count = static_cast<std::int64_t>(status->entries.size());
    std::string text =
        count == 0 ? "Nothing is uncommitted" : core::count_with_noun(count, "path") + " uncommitted";
    if (status->engine == core::StatusEngine::git)
      text += "; only the git program can determine it: " + status->git_needed_reason;
    findings_.ok("git", text + ".");
  }

  void files() {
    Result<core::FileListing> listing = core::list_files(*repository_);
    if (!listing) return;  // The check of the status has already reported the error.
    const Fd root(::open(repository_->root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::vector<std::string> unreadable;
    std::set<std::string> folders = {""};
    for (const auto& file : listing->files) {
      for (std::string_view at = core::parent_path(file.path); !folders.contains(std::string(at));
           at = core::parent_path(at))
        folders.insert(std::string(at));
      const bool is_denied =
          ::faccessat(root.get(), file.path.c_str(), R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0 &&
          errno == EACCES;
      if (is_denied) unreadable.push_back(file.path);
    }
    for (const core::SkippedPath& each : listing->skipped)
      if (each.reason == core::SkipReason::unreadable) unreadable.push_back(each.path);
    if (unreadable.empty())
      findings_.ok("files", core::count_with_noun(static_cast<std::int64_t>(listing->files.size()), "file") +
                                ", all of which can be read.");
    else
      findings_.warning("files", names_of(unreadable) + " cannot be read; snapshots omit them and report it.",
                        "chmod u+r, or let git ignore them.");
    watches(folders.size());
  }

  void watches(std::size_t folders) {
    const std::size_t most = core::watched_folders_max();
    if (folders <= most)
      return findings_.ok("inotify", core::count_with_noun(static_cast<std::int64_t>(folders), "folder") +
                                         " of at most " + number_text(most) + " that the server may watch.");
    findings_.warning("inotify",
                      number_text(folders) + " folders are more than the " + number_text(most) +
                          " that the server may watch: every answer walks the whole tree.",
                      folders > core::watched_folders_of_any_limit_max
                          ? std::string("Open a part of it with --workspace.")
                          : "sudo sysctl fs.inotify.max_user_watches=" + std::to_string(folders * 4));
  }

  // Checks that files which the server writes are hidden from git status. Otherwise they would make leases
  // stale.
  void hidden_folders() {
    // The repair does not write through a symlink.
    if (!repository_->is_git() || !core::is_state_folder(workspace_, ".snapback")) return;
    const std::string prefix = workspace_.size() > repository_->root().size()
                                   ? workspace_.substr(repository_->root().size() + 1) + "/"
                                   : "";
    std::error_code error;
    for (const std::string_view name : {"learnings", "logs", "session", "store"}) {
      const std::string folder = workspace_ + "/.snapback/" + std::string(name);
      if (!fs::is_directory(fs::symlink_status(folder, error))) continue;
      Result<bool> ignored =
          core::is_ignored(*repository_, prefix + ".snapback/" + std::string(name) + "/x", false);
      if (!ignored || *ignored || exists(folder + "/.gitignore")) continue;
      findings_.add(
          {Health::warning, "git",
           "git sees .snapback/" + std::string(name) + ": the server's own files there make leases stale.",
           "snap doctor --fix, which writes .snapback/" + std::string(name) + "/.gitignore",
           [folder, name]() -> Result<std::string> {
             TRY(core::replace_file(folder, ".gitignore", "*\n", core::Durability::process_crash));
             return "Wrote .snapback/" + std::string(name) + "/.gitignore.";
           }});
    }
  }

  core::RecordFolders record_folders() const {
    const core::WorkspaceLocation location = core::workspace_location(*repository_, workspace_, store_);
    return core::record_folders(store_, location, core::tree_folder(store_, location));
  }

  void memory() {
    if (!repository_) return;  // Its error is reported, and it names no folder of records.
    const Result<std::int64_t> unreadable = core::count_unreadable_lines(record_folders());
    if (!unreadable)
      findings_.warning("memory", unreadable.error().message, "Correct or remove the file.");
    else if (*unreadable > 0)
      findings_.warning("memory", core::unreadable_lines_sentence(*unreadable),
                        "Correct these lines: each is one JSON object.");
  }

  void places() {
    for (const std::string& location : {store_, workspace_ + "/.snapback"}) {
      const std::string there = nearest_there(location);
      struct ::stat st{};
      if (::lstat(there.c_str(), &st) != 0) continue;
      if (there == location && !S_ISDIR(st.st_mode)) {
        findings_.error("permissions", core::not_a_folder_sentence(location),
                        "Move it away: mv " + location + " " + location + ".old");
        continue;
      }
      const bool is_closed =
          (st.st_mode & S_IRWXU) != S_IRWXU && there == location && st.st_uid == ::geteuid();
      if (::faccessat(AT_FDCWD, there.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) == 0 && !is_closed) {
        findings_.ok("permissions",
                     path_in_sentence(location) + (there == location ? " can be written." : " can be made."));
        continue;
      }
      Finding finding{Health::error, "permissions",
                      path_in_sentence(there) + " cannot be written, read or entered.",
                      "chmod u+rwx " + there};
      if (is_closed)
        finding.fix = [there, mode = st.st_mode]() -> Result<std::string> {
          if (::chmod(there.c_str(), (mode & 07777) | S_IRWXU) == 0)
            return "Opened " + path_in_sentence(there) + " for its owner.";
          return Error(ErrorCode::unavailable, "The permissions of " + path_in_sentence(there) +
                                                   " cannot be changed: " + std::strerror(errno) +
                                                   ". Run chmod u+rwx as its owner.");
        };
      findings_.add(std::move(finding));
    }
  }

  void room() {
    struct ::statvfs disk{};
    const std::string there = nearest_there(store_);
    if (::statvfs(there.c_str(), &disk) != 0) return;
    const std::uint64_t free = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
    const std::string text = size_text(free) + " are free in the file system of the snapshots.";
    if ((disk.f_flag & ST_RDONLY) != 0)
      findings_.error("disk", "The file system of " + path_in_sentence(there) + " is read-only.",
                      "Mount it for writing.");
    else if (free < room_needed || (disk.f_files > 0 && disk.f_favail == 0))
      findings_.error("disk", text, std::string(disk_advice));
    else if (free < room_wanted)
      findings_.warning("disk", text, std::string(disk_advice));
    else
      findings_.ok("disk", text);
  }

  void settings() {
    if (!exists(workspace_ + "/.snapback/config.json"))
      return findings_.ok("settings", "There is no .snapback/config.json; every setting has its default.");
    const auto wrong = [&](const Error& error, const char* until_then) {
      findings_.error("settings", error.message,
                      std::string("Correct .snapback/config.json; until then ") + until_then);
    };
    Result<Settings> settings = read_settings(workspace_);
    if (!settings) return wrong(settings.error(), "no tool writes files.");
    Result<core::WriteRules> rules = write_rules_of(*settings);
    if (!rules) return wrong(rules.error(), "no tool writes files.");
    Result<core::CheckSettings> checks = check_settings_of(*settings);
    if (!checks) return wrong(checks.error(), "no check runs programs.");
    if (profiles()) findings_.ok("settings", ".snapback/config.json is valid.");
    if (settings->api) service(*settings->api);
  }

  // Checks the profiles of the settings as the server loads them. Returns false if they have problems.
  bool profiles() {
    Result<std::unique_ptr<Assembly>> assembly = Assembly::make({.program = "snap doctor",
                                                                 .workspace = workspace_,
                                                                 .log_level = Severity::error,
                                                                 .watches_worktree = false});
    if (!assembly) {
      findings_.error("settings", assembly.error().message, "Until then the server does not start.");
      return false;
    }
    for (const std::string& fault : (*assembly)->faults())
      findings_.warning(
          "settings", fault,
          "Correct .snapback/config.json, or run `snap trust` if it is to be trusted; until then "
          "that entry is ignored.");
    return (*assembly)->faults().empty();
  }

  // Checks the configuration of the web service without sending a request.
  void service(const ApiSettings& api) {
    const ApiToken token = api_token(api, environment_variable);
    const std::string origin = fetch::origin_of(api.base_url);
    const std::string what_to_set = "Set " + api.token_env + ", and " + api.token_env + "_FOR=" + origin +
                                    ", in the environment of the server.";
    if (!token.problem.empty())
      findings_.warning("service", token.problem, what_to_set);
    else if (token.token.empty())
      findings_.warning("service", origin + " is called without a token: " + api.token_env + " is not set.",
                        what_to_set);
    else
      findings_.ok("service", origin + " may be called with the token in " + api.token_env + ".");
  }

  void store() {
    const std::string passed_over = core::own_store_sentence(store_, workspace_);
    if (!passed_over.empty())
      findings_.warning("store", passed_over, "git rm -r -q --cached .snapback/store");
    if (!exists(store_)) return findings_.ok("store", "There is no snapshot yet.");
    Result<std::unique_ptr<core::BlobStore>> blobs = core::open_segment_store(store_ + "/blobs");
    if (!blobs) return findings_.error("store", blobs.error().message, "snap store verify");
    core::SnapshotStore snapshots(store_ + "/snapshots", {}, **blobs);
    Result<std::vector<std::string>> names = snapshots.id_hexes();
    if (!names)
      return findings_.error("store", names.error().message, "See the permissions of " + store_ + ".");
    std::vector<std::string> damaged;
    for (const std::string& each : *names)
      if (!snapshots.read_header(each)) damaged.push_back(core::short_snapshot_id(each));
    const Result<Unit> packs = snapshots.check_undo_packs();
    if (!packs) findings_.error("store", packs.error().message, "snap store verify");
    Result<std::vector<core::SurveyedSegment>> segments = core::survey_segments(store_ + "/blobs", {});
    if (!segments)
      return findings_.error("store", segments.error().message, "See the permissions of " + store_ + ".");
    std::uint64_t bytes = 0;
    std::size_t gaps = 0, wrong = 0;
    for (const core::SurveyedSegment& each : *segments) {
      bytes += each.bytes + each.index_bytes;
      gaps += each.gaps.size();
      wrong += each.index_is_wrong ? 1 : 0;
    }
    if (!damaged.empty())
      findings_.error("store", "Damaged: " + names_of(damaged) + ".",
                      "snap store verify lists all of them; snap store gc --drop-damaged removes them.");
    if (gaps > 0)
      findings_.error("store",
                      core::count_with_noun(static_cast<std::int64_t>(gaps), "place") +
                          " in the segments have no valid record.",
                      "snap store verify lists the snapshots that need the missing data.");
    if (wrong > 0)
      findings_.warning("store",
                        core::count_with_noun(static_cast<std::int64_t>(wrong), "index file") +
                            " of segments are wrong; reading scans instead.",
                        "snap store gc");
    if (damaged.empty() && packs && gaps == 0)
      findings_.ok("store", core::count_with_noun(static_cast<std::int64_t>(names->size()), "snapshot") +
                                " in " + size_text(bytes) +
                                ", by a quick check; snap store verify reads everything.");
  }

  void writes() {
    if (!repository_) return;
    const core::WorkspaceLocation location = core::workspace_location(*repository_, workspace_, store_);
    for (const core::UnfinishedWrite& each : core::unfinished_writes(store_, location))
      findings_.warning(
          "writes",
          "A write to " + (each.root.empty() ? "a workspace of unknown path" : path_in_sentence(each.root)) +
              " was interrupted by a crash and has to be finished.",
          "Start snapgen there. If the folder no longer exists, take missing files from " + each.tree_folder +
              "/writes, then remove that folder.");
    const std::vector<std::string> retained = core::unrestored_files(core::tree_folder(store_, location));
    if (retained.empty()) return;
    findings_.warning(
        "writes",
        "After a crash in a write " +
            core::count_with_noun(static_cast<std::int64_t>(retained.size()), "content") +
            " could not be restored, because another process has changed or copied the folder since: " +
            names_of(retained) + ".",
        "Take missing files from there, then remove them.");
  }

  // Compares the size of each kind of data with its limit.
  void kinds() {
    const Result<Settings> settings = read_settings(workspace_);
    const core::StoreLimits limits = store_limits_of(settings ? *settings : Settings());
    const std::string tree =
        repository_ ? core::tree_folder(store_, core::workspace_location(*repository_, workspace_, store_))
                    : std::string();
    for (const core::DataUsage& each : core::data_usages(workspace_, store_, tree, limits)) {
      if (!each.bytes_max) continue;
      const std::string name(each.name);
      const std::string text = "The " + name + " take " + size_text(static_cast<std::uint64_t>(each.bytes)) +
                               " of at most " + size_text(static_cast<std::uint64_t>(*each.bytes_max)) + ".";
      if (each.is_nearly_full())
        findings_.warning(name, text,
                          "Raise store." + std::string(each.setting) + " in .snapback/config.json; else " +
                              (name == "snapshots" ? "snapshots are removed early (snap store gc --dry-run)."
                                                   : "the oldest are removed first."));
      else
        findings_.ok(name, text);
    }
  }

  void history() {
    const Result<Settings> settings = read_settings(workspace_);
    const std::optional<core::HistoryOptions> options =
        settings ? history_options_of(*settings) : std::nullopt;
    if (!options || !repository_)
      return findings_.ok("history", "The history is off; what a shell destroys cannot be brought back.");
    const std::string tree =
        core::tree_folder(store_, core::workspace_location(*repository_, workspace_, store_));
    core::HistoryLog log(core::history_folder(tree));
    const Result<core::Timeline> timeline = log.read();
    if (!timeline)
      return findings_.error("history", timeline.error().message,
                             "See the permissions of " + log.folder() + ".");
    if (const std::optional<std::int64_t> since_ms = log.paused_since_ms())
      findings_.warning("history", paused_sentence(*since_ms), "snap history --resume");
    if (timeline->bases.empty())
      return findings_.ok("history", "Nothing is recorded yet; the first call of a server begins.");
    findings_.ok("history",
                 core::count_with_noun(static_cast<std::int64_t>(timeline->moments.size()), "moment") +
                     " since " + core::iso_time(timeline->bases.front()->at_ms) + ", which take " +
                     size_text(static_cast<std::uint64_t>(core::history_bytes(*timeline, log))) +
                     " of at most " + size_text(static_cast<std::uint64_t>(options->limits.bytes_max)) + ".");
    left_out_of_history(*timeline, *options);
  }

  void left_out_of_history(const core::Timeline& timeline, const core::HistoryOptions& options) {
    const Result<std::unique_ptr<core::BlobStore>> blobs = core::open_segment_store(store_ + "/blobs");
    if (!blobs) return;  // The check of the store has reported the error.
    const Result<core::RecordedState> state =
        core::state_after(timeline, **blobs, timeline.last_number(), {});
    if (!state)
      return findings_.warning("history", state.error().message, "The next moment begins a new history.");
    std::vector<std::string> left_out;
    std::vector<std::string> busy;
    for (const auto& [path, file] : *state)
      if (file.is_left_out()) (file.changes_too_much() ? busy : left_out).push_back(path);
    if (!busy.empty())
      findings_.warning("history",
                        names_of(busy) +
                            " are recorded only when they have not changed for ten minutes, "
                            "because they change too much.",
                        "Let git ignore them, or raise history.bytes_max in .snapback/config.json.");
    if (left_out.empty()) return;
    findings_.warning("history",
                      names_of(left_out) +
                          " cannot be brought back, because they are unreadable, or larger than " +
                          size_text(static_cast<std::uint64_t>(options.file_bytes_max)) + ".",
                      "Let git ignore them, or raise history.file_bytes_max in .snapback/config.json.");
  }

  DoctorResults& findings_;
  const std::string& workspace_;
  std::string store_;
  std::unique_ptr<core::Repository> repository_;
};

}  // namespace

std::optional<std::string> check_workspace_choice(DoctorResults& findings, const WorkspaceSources& sources) {
  Result<std::string> workspace = resolve_workspace(sources);
  if (!workspace) {
    findings.error("workspace", workspace.error().message, "git init, or snap init --workspace DIR");
    return std::nullopt;
  }
  const std::string why = sources.argument   ? "--workspace names it"
                          : sources.variable ? "SNAPBACK_WORKSPACE_ROOT names it"
                          : *workspace == sources.current_folder
                              ? "the current folder is one"
                              : "it is the nearest one above the current folder";
  std::string holds;
  for (const std::string_view each : {".git", ".snapback", "package.json"})
    if (exists(*workspace + "/" + std::string(each)))
      holds += (holds.empty() ? "" : " and ") + std::string(each);
  findings.ok("workspace", path_in_sentence(*workspace) + ": " + why + "; it contains " + holds + ".");
  return *workspace;
}

void check_workspace(DoctorResults& findings, const std::string& workspace) {
  WorkspaceHealth(findings, workspace).run();
}

}  // namespace snapgen::tools
