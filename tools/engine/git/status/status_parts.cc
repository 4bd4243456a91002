#include "tools/engine/git/status/status_parts.h"

#include <algorithm>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/status/renames.h"
#include "tools/engine/git/walk/untracked.h"

namespace snapgen::core::git {
namespace {

// Appends one record in git's format.
void append_entry(std::string& bytes, const StatusEntry& entry) {
  bytes += entry.index_status;
  bytes += entry.worktree_status;
  bytes += ' ';
  bytes += entry.path;
  bytes += '\0';
  if (entry.original_path.empty()) return;
  bytes += entry.original_path;
  bytes += '\0';
}

StatusEntry untracked_entry(std::string path) {
  return {.index_status = '?', .worktree_status = '?', .path = std::move(path), .original_path = {}};
}

// Returns the two letters of an unmerged path, from the stages that exist (bit 0 for stage 1).
std::string_view unmerged_letters(unsigned stages) {
  constexpr std::string_view letters[8] = {"", "DD", "AU", "UD", "UA", "DU", "AA", "UU"};
  return letters[stages & 7];
}

// Returns the entries of the changed paths, from HEAD to the index, from the index to the work tree, and
// conflicts.
std::vector<StatusEntry> merged_entries(const Index& index, std::vector<IndexChange> staged,
                                        const std::vector<WorktreeChange>& unstaged) {
  std::vector<StatusEntry> out;
  for (IndexChange& change : staged) {
    out.push_back({.index_status = change.letter,
                   .worktree_status = ' ',
                   .path = std::move(change.path),
                   .original_path = std::move(change.from)});
  }
  const std::vector<IndexEntry>& entries = index.entries();
  for (const WorktreeChange& change : unstaged) {
    out.push_back({.index_status = ' ',
                   .worktree_status = change.letter,
                   .path = std::string(entries[change.entry_index].path),
                   .original_path = {}});
  }
  for (std::size_t i = 0; index.has_unmerged() && i < entries.size();) {
    const std::string_view path = entries[i].path;
    unsigned stages = 0;
    for (; i < entries.size() && entries[i].path == path; ++i) {
      if (entries[i].stage != 0) stages |= 1u << (entries[i].stage - 1);
    }
    if (stages == 0) continue;
    const std::string_view letters = unmerged_letters(stages);
    out.push_back({.index_status = letters[0],
                   .worktree_status = letters[1],
                   .path = std::string(path),
                   .original_path = {}});
  }
  // Two records of one path are merged; the index's comes first.
  std::sort(out.begin(), out.end(), [](const StatusEntry& a, const StatusEntry& b) {
    const int order = a.path.compare(b.path);
    return order != 0 ? order < 0 : a.index_status > b.index_status;  // A blank is less than any letter.
  });
  std::size_t end = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (end > 0 && out[end - 1].path == out[i].path) {
      out[end - 1].worktree_status = out[i].worktree_status;
    } else {
      if (end != i) out[end] = std::move(out[i]);
      ++end;
    }
  }
  out.resize(end);
  return out;
}

// Combines the results of the walk with the differences between HEAD and the index.
Result<Unit> take_parts(Repository::State& state, const LoadedRepository& loaded, WorktreeDiff& first,
                        WorktreeDiff& second, Result<UntrackedFiles>& untracked, std::stop_token stop,
                        StatusParts& out, std::string& fallback_reason) {
  if (stop.stop_requested()) return cancelled_call_error();
  for (const WorktreeDiff* diff : {&first, &second}) {
    if (diff->error) return *diff->error;
    if (!diff->fallback_reason.empty()) fallback_reason = diff->fallback_reason;
  }
  if (!untracked) return untracked.error();
  if (!untracked->fallback_reason.empty()) fallback_reason = untracked->fallback_reason;
  if (!fallback_reason.empty()) return Unit{};

  out.untracked = std::move(untracked->status_paths);
  out.unstaged = std::move(first.changes);
  out.unstaged.insert(out.unstaged.end(), second.changes.begin(), second.changes.end());
  std::sort(out.unstaged.begin(), out.unstaged.end());
  IndexChanges staged = TRY(diff_with_head(state, *loaded.index, loaded.head.commit, stop));
  fallback_reason = staged.fallback_reason;
  out.staged = std::move(staged.changes);
  return Unit{};
}

}  // namespace

std::string reason_git_is_needed(Repository::State& state, const LoadedConfig& config,
                                 const LoadedIndex& index, const Head& head) {
  if (!config.format.fallback_reason.empty()) return config.format.fallback_reason;
  if (!config.settings.fallback_reason.empty()) return config.settings.fallback_reason;
  if (!index.git_listing_reason.empty()) return index.git_listing_reason;
  if (index.index->has_mixed_stages()) return "a path is merged and unmerged at once";
  if (!head.fallback_reason.empty()) return head.fallback_reason;
  if (config.settings.ignore_case) return "core.ignoreCase is on";
  if (!config.settings.symlinks) return "core.symlinks is off";
  if (config.settings.replace_refs && state.layout.is_git &&
      has_replace_refs(state.layout.common_dir, packed_refs(state))) {
    return "objects are replaced";
  }
  return {};
}

Result<LoadedRepository> load_repository(Repository::State& state, std::stop_token stop) {
  LoadedRepository out;
  out.config = TRY(load_config(state, stop));
  out.index = TRY(load_index(state, out.config->format, stop));
  if (!state.layout.is_git) return out;
  out.head = TRY(load_head(state, out.config->format, stop));
  return out;
}

Result<Unit> read_status_parts(Repository::State& state, const LoadedRepository& loaded, bool tracked_only,
                               ThreadCount threads, WalkListener* listener, std::stop_token stop,
                               StatusParts& out, std::string& fallback_reason) {
  const LoadedConfig& config = *loaded.config;
  const Settings& settings = config.settings;
  const Index& index = *loaded.index->index;
  const Fd root = TRY(open_work_tree_root(state));
  if (listener != nullptr) {
    // The listener must know the root, but the walk for untracked files, which enters the root, may be
    // skipped.
    listener->add_folder_dependency("");
    notify_of_tracked_folders(index, 0, index.entries().size(), *listener);
  }

  Attributes attributes(state, config, index, root.get());
  WorktreeDiff first(state, config, index, attributes, root.get(), listener, stop);
  WorktreeDiff second(state, config, index, attributes, root.get(), listener, stop);
  Result<UntrackedFiles> untracked = UntrackedFiles{};
  const auto find = [&] {
    if (tracked_only || settings.show_untracked == ShowUntracked::no) return;
    untracked = find_untracked(state, settings, index, root.get(), settings.show_untracked, listener, stop);
  };
  distribute_entries(index.entries().size(), threads, first, second, find);
  return take_parts(state, loaded, first, second, untracked, std::move(stop), out, fallback_reason);
}

Result<Unit> read_status_parts_and_files(Repository::State& state, const LoadedRepository& loaded,
                                         std::stop_token stop, StatusParts& out, FileListing& files,
                                         std::string& fallback_reason) {
  const LoadedConfig& config = *loaded.config;
  const Index& index = *loaded.index->index;
  const Fd root = TRY(open_work_tree_root(state));
  Attributes attributes(state, config, index, root.get());
  WorktreeDiff first(state, config, index, attributes, root.get(), nullptr, stop);
  WorktreeDiff second(state, config, index, attributes, root.get(), nullptr, stop);
  TrackedFileCollector first_files(index);
  TrackedFileCollector second_files(index);
  first.listing = &first_files;
  second.listing = &second_files;
  const bool shows = config.settings.show_untracked != ShowUntracked::no;
  Result<UntrackedFiles> untracked = UntrackedFiles{};
  distribute_entries(index.entries().size(), ThreadCount::two, first, second, [&] {
    untracked = find_untracked_files(state, config.settings, index, root.get(),
                                     shows ? config.settings.show_untracked : ShowUntracked::normal, stop);
    if (untracked && !shows) untracked->status_paths.clear();
  });
  Result<Unit> done =
      take_parts(state, loaded, first, second, untracked, std::move(stop), out, fallback_reason);
  if (!done || !fallback_reason.empty()) return done;
  untracked->status_paths = std::move(untracked->listed_files);
  files =
      TRY(merged_listing(root.get(), std::move(first_files), std::move(second_files), *std::move(untracked)));
  return Unit{};
}

Result<Unit> assemble_status(Repository::State& state, const LoadedRepository& loaded, StatusParts parts,
                             std::stop_token stop, GitStatus& out, std::string& fallback_reason) {
  const Index& index = *loaded.index->index;
  const Fd root = TRY(open_work_tree_root(state));
  Attributes attributes(state, *loaded.config, index, root.get());
  IndexChanges staged{.changes = std::move(parts.staged), .fallback_reason = {}};
  Result<Unit> renamed =
      detect_renames(state, loaded.config->settings, attributes, loaded.head.commit.has_value(),
                     parts.unstaged, stop, staged, fallback_reason);
  if (!renamed || !fallback_reason.empty()) return renamed;

  out.entries = merged_entries(index, std::move(staged.changes), parts.unstaged);
  for (std::string& path : parts.untracked) out.entries.push_back(untracked_entry(std::move(path)));
  for (const StatusEntry& entry : out.entries) append_entry(out.porcelain_output, entry);
  out.shows_untracked = shows_untracked(loaded.config->settings);
  return Unit{};
}

Result<Unit> add_fingerprint(Repository::State& state, const LoadedRepository& loaded, GitStatus& out) {
  out.fingerprint.status_hash = sha256_hex(out.porcelain_output);
  if (!state.layout.is_git) return Unit{};
  if (loaded.head.commit) out.fingerprint.head_oid = loaded.head.commit->hex();
  StoredObjects objects(state, loaded.config->format);
  std::optional<Oid> tree = TRY(tree_of_index(*loaded.index->unexpanded_index, objects));
  if (tree) out.fingerprint.index_oid = tree->hex();
  return Unit{};
}

}  // namespace snapgen::core::git
