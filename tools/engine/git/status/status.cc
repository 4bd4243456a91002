#include <optional>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/repository/submodule.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/status/status_parts.h"

namespace snapgen::core {
namespace {

using namespace git;

constexpr int attempts_max = 3;

// The state that must not change while a status is read; otherwise its parts are from different times.
struct HeadAndIndex {
  std::optional<Oid> head;
  std::optional<FileStat> index;

  bool operator==(const HeadAndIndex&) const = default;
};

std::optional<FileStat> index_stat(const Repository::State& state) {
  return state.layout.is_git ? stat_of(state.layout.git_dir + "/index") : std::nullopt;
}

// Parses records `XY SP path NUL`; the source of a rename or copy is a separate field.
bool parse_entries(std::string_view bytes, std::vector<StatusEntry>& out) {
  const auto field = [&](std::string& text) {
    const std::size_t end = bytes.find('\0');
    if (end == std::string_view::npos) return false;
    text = std::string(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
    return true;
  };
  while (!bytes.empty()) {
    std::string record;
    if (!field(record) || record.size() < 4 || record[2] != ' ') return false;
    StatusEntry entry{.index_status = record[0],
                      .worktree_status = record[1],
                      .path = record.substr(3),
                      .original_path = {}};
    const auto moved = [](char letter) { return letter == 'R' || letter == 'C'; };
    if ((moved(entry.index_status) || moved(entry.worktree_status)) && !field(entry.original_path))
      return false;
    out.push_back(std::move(entry));
  }
  return true;
}

Result<Unit> status_by_git(Repository::State& state, std::string reason, bool tracked_only,
                           std::stop_token stop, GitStatus& out) {
  std::vector<std::string> arguments{"status", "--porcelain=v1", "-z"};
  if (tracked_only) arguments.emplace_back("--untracked-files=no");
  GitAnswer answer =
      TRY(run_git(state.layout.git_dir, state.layout.root, state.environment, arguments, reason, stop));
  if (answer.exit_code != 0) return git_command_error("git status", answer);
  out.porcelain_output = std::move(answer.output);
  out.engine = StatusEngine::git;
  out.git_needed_reason = std::move(reason);
  out.entries.clear();
  if (!parse_entries(out.porcelain_output, out.entries)) {
    return Error(ErrorCode::unavailable,
                 "The output of git status cannot be parsed. Run `git status --porcelain` in the repository "
                 "to see it.");
  }
  return Unit{};
}

// Computes the bytes and entries of a status, with either engine. With `tracked_only`, untracked files are
// omitted. `files`, if not null, receives the files of the walk, or nullopt if git computed the status.
Result<GitStatus> status_of(Repository::State& state, const LoadedRepository& loaded, bool tracked_only,
                            std::stop_token stop, std::optional<FileListing>* files = nullptr) {
  GitStatus out;
  std::string fallback_reason = reason_git_is_needed(state, *loaded.config, *loaded.index, loaded.head);
  StatusParts parts;
  if (fallback_reason.empty()) {
    TRY(files != nullptr
            ? read_status_parts_and_files(state, loaded, stop, parts, files->emplace(), fallback_reason)
            : read_status_parts(state, loaded, tracked_only, ThreadCount::two, nullptr, stop, parts,
                                fallback_reason));
  }
  if (fallback_reason.empty()) {
    TRY(assemble_status(state, loaded, std::move(parts), stop, out, fallback_reason));
  }
  if (fallback_reason.empty()) return out;
  out.shows_untracked = shows_untracked(loaded.config->settings);
  if (files != nullptr) files->reset();
  if (!state.layout.is_git) {
    return Error(ErrorCode::unavailable,
                 "The untracked files cannot be determined: " + fallback_reason +
                     ". Remove the cause, or run git init in the workspace so that git can decide.");
  }
  TRY(status_by_git(state, std::move(fallback_reason), tracked_only, stop, out));
  return out;
}

Result<GitStatus> read_once(Repository::State& state, std::stop_token stop, HeadAndIndex& moment,
                            std::optional<FileListing>* files) {
  moment.index = index_stat(state);
  LoadedRepository loaded = TRY(load_repository(state, stop));
  moment.head = loaded.head.commit;
  GitStatus out = TRY(status_of(state, loaded, false, stop, files));
  TRY(add_fingerprint(state, loaded, out));
  return out;
}

Result<GitStatus> read_all_status(const Repository& repository, std::stop_token stop,
                                  std::optional<FileListing>* files) {
  Repository::State& state = repository.state();
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    HeadAndIndex before;
    GitStatus status = TRY(read_once(state, stop, before, files));
    if (!state.layout.is_git) return status;
    HeadAndIndex after{.head = {}, .index = index_stat(state)};
    std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, stop));
    const Head head = TRY(load_head(state, config->format, stop));
    after.head = head.commit;
    if (before == after) return status;
  }
  return repository_changed_error();
}

}  // namespace

Result<GitStatus> read_status(const Repository& repository, std::stop_token stop) {
  return read_all_status(repository, std::move(stop), nullptr);
}

Result<StatusAndFiles> read_status_and_files(const Repository& repository, std::stop_token stop) {
  std::optional<FileListing> files;
  GitStatus status = TRY(read_all_status(repository, stop, &files));
  if (!files) {
    files = TRY(list_files(repository, stop));
  }
  return StatusAndFiles{.status = std::move(status), .files = *std::move(files)};
}

namespace git {

Result<bool> is_dirty(Repository::State& state, bool tracked_only, std::stop_token stop) {
  LoadedRepository loaded = TRY(load_repository(state, stop));
  GitStatus status = TRY(status_of(state, loaded, tracked_only, stop));
  return !status.porcelain_output.empty();
}

}  // namespace git

Result<Fingerprint> fingerprint(const Repository& repository, std::stop_token stop) {
  GitStatus status = TRY(read_status(repository, std::move(stop)));
  return std::move(status.fingerprint);
}

}  // namespace snapgen::core
