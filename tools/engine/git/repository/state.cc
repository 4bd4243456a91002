#include "tools/engine/git/repository/state.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "runtime/base/fd.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/filters.h"

namespace snapgen::core::git {
namespace {

std::shared_ptr<LoadedConfig> read_config(const Repository::State& state, RepositoryFormat format) {
  auto loaded = std::make_shared<LoadedConfig>();
  loaded->format = std::move(format);
  const RepositoryLayout& layout = state.layout;
  const Environment& environment = state.environment;
  const Config::Folders folders{.git_dir = layout.git_dir, .home = environment.home};
  Config& config = loaded->config;
  config.add_file(system_config_path(find_program("git", environment.path_variable)), folders);
  for (const std::string& path : user_config_paths(environment)) config.add_file(path, folders);
  const std::size_t user_entries = config.entries().size();
  if (layout.is_git) {
    config.add_file(layout.common_dir + "/config", folders);
    if (loaded->format.worktree_config) config.add_file(layout.git_dir + "/config.worktree", folders);
  }
  loaded->disabled_filters = disabled_filters(config, user_entries);
  return loaded;
}

void read_settings_of(LoadedConfig& loaded, const Repository::State& state) {
  const Environment& environment = state.environment;
  loaded.settings =
      read_settings(loaded.config, state.layout.root, environment.home, environment.xdg_config_home);
}

// Returns the database, checked for special files that a read of `oid` would open.
Result<ObjectDatabase*> database(Repository::State& state, const Oid& oid) {
  if (!state.object_database) {
    state.object_database = TRY(ObjectDatabase::open(state.layout.common_dir + "/objects"));
  }
  TRY(state.object_database->check_files(oid));
  return &*state.object_database;
}

// Adds the files below a folder of a sparse index, from its tree. Returns false if a tree cannot be read.
Result<bool> add_tree(Repository::State& state, const Oid& tree, const std::string& prefix, int depth,
                      IndexBuilder& out) {
  constexpr int depth_max = 2048;
  std::optional<ObjectDatabase::Object> object = TRY(read_object(state, tree));
  if (!object || object->type != "tree" || depth > depth_max) return false;
  const std::optional<std::vector<TreeEntry>> entries = parse_tree(object->content, tree.size);
  if (!entries) return false;
  for (const TreeEntry& entry : *entries) {
    const std::uint32_t mode = canonical_mode(entry.mode);
    if (mode == mode_folder) {
      const Result<bool> done = add_tree(state, entry.oid, prefix + entry.name + "/", depth + 1, out);
      if (!done || !*done) return done;
      continue;
    }
    IndexEntry added;
    added.path = out.copy_bytes(prefix, entry.name);
    added.oid = out.copy_bytes(entry.oid.bytes(), "");
    added.mode = mode;
    added.skip_worktree = true;
    if (!out.add(added)) return false;
  }
  return true;
}

// Returns a sparse index with every folder replaced by the files below it.
Result<IndexPtr> with_all_files(Repository::State& state, const IndexPtr& sparse) {
  IndexBuilder out(sparse->stat(), sparse->kind());
  out.keep_alive(sparse);
  for (const IndexEntry& entry : sparse->entries()) {
    if ((entry.mode & mode_type_mask) != mode_folder) {
      out.add(entry);
      continue;
    }
    const bool done = TRY(add_tree(state, Oid::from_bytes(entry.oid), std::string(entry.path), 0, out));
    if (!done) out.set_fallback_reason("a folder of the sparse index cannot be read");
  }
  return out.finish();
}

// Parses an index file and its shared index, if any, and expands the folders of a sparse index.
Result<Unit> read_index(Repository::State& state, HashKind kind, FileBytes file, LoadedIndex& out) {
  ParsedIndex parsed = parse_index(std::move(file.bytes), file.stat, kind);
  out.unexpanded_index = parsed.index;
  if (parsed.link && !parsed.link->shared_index_oid.is_null() && parsed.index->fallback_reason().empty()) {
    const std::string path = state.layout.git_dir + "/sharedindex." + parsed.link->shared_index_oid.hex();
    FileBytes shared = read_file(path, limits::index);
    if (shared.error == EFBIG) return oversized_file_error(path, limits::index);
    out.unexpanded_index =
        with_shared_index(parsed, parse_index(std::move(shared.bytes), shared.stat, kind).index);
  }
  out.index = out.unexpanded_index;
  if (!out.index->has_sparse_folders() || !out.index->fallback_reason().empty()) return Unit{};
  out.index = TRY(with_all_files(state, out.index));
  return Unit{};
}

}  // namespace

Result<Fd> open_work_tree_root(const Repository::State& state) {
  Fd root(open(state.layout.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root) return root;
  const std::string why = std::strerror(errno);
  return Error(ErrorCode::unavailable, "The work tree " + path_in_sentence(state.layout.root) +
                                           " cannot be opened: " + why +
                                           ". Check that the folder exists and that you may enter it.");
}

Result<std::shared_ptr<const LoadedConfig>> load_config(Repository::State& state, std::stop_token stop) {
  {
    const std::lock_guard lock(state.mutex);
    if (state.config && state.config->config.is_current()) return state.config;
  }
  RepositoryFormat format = TRY(read_repository_format(state.layout));
  if (format.root != state.layout.root) {
    return Error(ErrorCode::repo_changed,
                 "The repository's configuration now names another work tree. Restart the server.");
  }
  std::shared_ptr<LoadedConfig> loaded = read_config(state, std::move(format));
  if (loaded->config.error()) return *loaded->config.error();
  const std::string fallback_reason = loaded->config.fallback_reason();
  read_settings_of(*loaded, state);
  if (!fallback_reason.empty() && state.layout.is_git) {
    GitAnswer answer = TRY(run_git(state.layout.git_dir, state.layout.root, state.environment,
                                   {"config", "--null", "--list"}, fallback_reason, stop));
    if (answer.exit_code != 0) return git_command_error("git config --list", answer);
    Config listed;
    listed.add_listing(answer.output);
    loaded->config = std::move(listed);
    loaded->disabled_filters.clear();
    read_settings_of(*loaded, state);
    return std::shared_ptr<const LoadedConfig>(std::move(loaded));  // Not cached: its sources are unknown.
  }
  const std::lock_guard lock(state.mutex);
  state.config = loaded;
  return state.config;
}

Result<std::shared_ptr<const LoadedIndex>> load_index(Repository::State& state,
                                                      const RepositoryFormat& format, std::stop_token stop) {
  const HashKind kind = format.kind;
  auto loaded = std::make_shared<LoadedIndex>();
  const std::string path = state.layout.git_dir + "/index";
  if (state.layout.is_git) {
    const std::optional<FileStat> stat = stat_of(path);
    const std::lock_guard lock(state.mutex);
    if (stat && state.index && state.index->index->stat() == *stat && state.index->index->kind() == kind &&
        stat_proves_content(*stat, state.index_read_at_ns)) {
      return state.index;
    }
  }
  const std::int64_t now = file_clock_ns();
  FileBytes file;
  if (state.layout.is_git) file = read_file(path, limits::index);
  if (file.error == EFBIG) return oversized_file_error(path, limits::index);
  if (!state.layout.is_git || file.error == ENOENT) {
    loaded->index = loaded->unexpanded_index = empty_index(kind);
    return std::shared_ptr<const LoadedIndex>(std::move(loaded));
  }
  const FileStat stat = file.stat;
  if (file.error == 0) {
    // The file is too new for its stat to identify it, so compare the content.
    const std::lock_guard lock(state.mutex);
    if (state.index && state.index->unexpanded_index->stat() == stat &&
        state.index->unexpanded_index->kind() == kind &&
        state.index->unexpanded_index->bytes() == file.bytes) {
      state.index_read_at_ns = now;
      return state.index;
    }
  }
  std::string fallback_reason =
      format.fallback_reason.empty() ? "the index cannot be read" : format.fallback_reason;
  if (file.error == 0 && format.fallback_reason.empty()) {
    TRY(read_index(state, kind, std::move(file), *loaded));
    fallback_reason = loaded->index->fallback_reason();
    if (fallback_reason.empty()) {
      const std::lock_guard lock(state.mutex);
      state.index = loaded;
      state.index_read_at_ns = now;
      return state.index;
    }
  }
  GitAnswer answer =
      TRY(run_git(state.layout.git_dir, state.layout.root, state.environment,
                  {"ls-files", "--stage", "--debug", "-z", "--full-name"}, fallback_reason, stop));
  if (answer.exit_code != 0) return git_command_error("git ls-files", answer);
  loaded->index = loaded->unexpanded_index = index_from_listing(std::move(answer.output), stat, kind);
  loaded->git_listing_reason = fallback_reason;
  if (!loaded->index->fallback_reason().empty()) {
    return Error(ErrorCode::unavailable,
                 "The repository's index cannot be used: " + loaded->index->fallback_reason() +
                     ". Run `git status` to see what git says about it.",
                 {}, fallback_reason);
  }
  return std::shared_ptr<const LoadedIndex>(std::move(loaded));
}

PackedRefs& packed_refs(Repository::State& state) {
  const std::lock_guard lock(state.mutex);
  if (!state.packed_refs) state.packed_refs = std::make_unique<PackedRefs>(state.layout.common_dir);
  return *state.packed_refs;
}

Result<Head> load_head(Repository::State& state, const RepositoryFormat& format, std::stop_token stop) {
  Head head = TRY(read_head(state.layout.git_dir, state.layout.common_dir, packed_refs(state)));
  if (head.fallback_reason.empty() && format.fallback_reason.empty()) return head;
  const std::string why = head.fallback_reason.empty() ? format.fallback_reason : head.fallback_reason;
  GitAnswer answer = TRY(run_git(state.layout.git_dir, state.layout.root, state.environment,
                                 {"rev-parse", "--quiet", "--verify", "HEAD"}, why, stop));
  if (answer.exit_code > 1) return git_command_error("git rev-parse HEAD", answer);
  std::string_view text = answer.output;
  if (text.ends_with('\n')) text.remove_suffix(1);
  head.commit = Oid::from_hex(text);
  head.fallback_reason = why;
  return head;
}

Result<std::optional<ObjectDatabase::Object>> read_object(Repository::State& state, const Oid& oid) {
  const std::lock_guard lock(state.objects_mutex);
  ObjectDatabase* const objects = TRY(database(state, oid));
  return objects->read(oid);
}

Result<std::optional<std::size_t>> size_of_object(Repository::State& state, const Oid& oid) {
  const std::lock_guard lock(state.objects_mutex);
  ObjectDatabase* const objects = TRY(database(state, oid));
  return objects->size_of(oid);
}

Result<bool> StoredObjects::contains(const Oid& oid) {
  if (format_.partial_clone || format_.kind != HashKind::sha1) return true;
  const std::lock_guard lock(repository_state_.objects_mutex);
  ObjectDatabase* const objects = TRY(database(repository_state_, oid));
  return objects->contains(oid);
}

}  // namespace snapgen::core::git
