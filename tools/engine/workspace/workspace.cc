#include "tools/engine/workspace/workspace.h"

#include <cerrno>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/hash.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

// The longest time between a change and its event. The change is visible first, and the writing thread may be
// suspended in between.
constexpr std::int64_t event_delay_ns_max = 1'000'000'000;
constexpr std::size_t oids_max = 200'000;  // About 20 MB; the cache is cleared at this size.

// Rejects symlinks in the store, through which the server would write and delete files in other folders.
Result<Unit> check_place(const std::string& store, const std::string& tree) {
  for (const std::string& path :
       {store.substr(0, store.rfind('/')), store, store + "/blobs", store + "/snapshots",
        store + "/snapshots/packs", store + "/trees", tree, tree + "/leases", tree + "/writes", tree + "/history"}) {
    struct stat st;
    if (::lstat(path.c_str(), &st) == 0 && S_ISLNK(st.st_mode))
      return Error(ErrorCode::permission_denied,
                   "The snapshot store must not be a symlink: replace " + path + " by a folder.");
  }
  return Unit{};
}

// Unmaps read-only code pages. While the kernel has them in its page cache, they are mapped again without a
// read.
int unmap_code(dl_phdr_info* loaded, std::size_t, void*) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (int i = 0; i < loaded->dlpi_phnum; ++i) {
    const auto& part = loaded->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    const std::uintptr_t begin = (loaded->dlpi_addr + part.p_vaddr) & ~(page - 1);
    const std::uintptr_t end = (loaded->dlpi_addr + part.p_vaddr + part.p_filesz) & ~(page - 1);
    // The loader returns addresses as integers.
    auto* const first = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    if (begin < end) ::madvise(first, end - begin, MADV_DONTNEED);
  }
  return 0;
}

// Returns `error`, or if the store's folder or the nearest folder above it may not be written, an error that
// says so.
Error unwritable_error(std::string folder, Error error) {
  while (!folder.empty() && ::access(folder.c_str(), F_OK) != 0) folder.resize(folder.rfind('/'));
  const int number = ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0 ? 0 : errno;
  if (number != EACCES && number != EROFS) return error;
  return Error(ErrorCode::permission_denied,
               "The server stores snapshots and leases in " + folder +
                   ", where it may not write: " + std::strerror(number) + ".",
               hint_details("Ask the user to let the server write there."), error.message);
}

}  // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(const std::string& folder, Environment environment,
                                                   LeaseStore::Clock clock) {
  char* real = ::realpath(folder.c_str(), nullptr);
  if (real == nullptr) return system_error(errno, "open the folder", folder);
  std::string path = real;
  ::free(real);
  Root root = TRY(Root::open(path));
  Repository repository = TRY(Repository::open(path, environment));
  const std::string& top = repository.root();
  const std::string_view above = top == "/" ? std::string_view() : std::string_view(top);
  if (!is_at_or_below_folder(path, above)) {
    return Error(ErrorCode::invalid_argument, "The repository at " + path +
                                                  " has its files elsewhere: core.worktree names " + top +
                                                  "; use that folder, or one in it, as the workspace.");
  }
  std::string store = store_folder_of(repository, path);
  const WorkspaceLocation location = workspace_location(repository, path, store);
  std::unique_ptr<Workspace> workspace(new Workspace(std::move(root), std::move(repository),
                                                     std::move(environment), std::move(store), location,
                                                     std::move(clock)));
  TRY(check_place(workspace->store_folder_, workspace->tree_folder_));
  workspace->work_trees_.adopt_folder_of_moved_workspace();
  TRY(workspace->writer_.recover({}));
  workspace->work_trees_.recover_others(workspace->environment_, workspace->root_, workspace->snapshots_);
  workspace->snapshots_.set_other_stores_sentence(own_store_sentence(workspace->store_folder_, path));
  return workspace;
}

Workspace::Workspace(Root root, Repository repository, Environment environment, std::string store_folder,
                     const WorkspaceLocation& location, LeaseStore::Clock clock)
    : root_(std::move(root)),
      repository_(std::move(repository)),
      live_tree_(repository_, ListScope{.prefix = workspace_prefix(repository_, root_.folder()),
                                        .is_excluded = &is_reserved_path}),
      environment_(std::move(environment)),
      prefix_(workspace_prefix(repository_, root_.folder())),
      store_folder_(std::move(store_folder)),
      work_trees_(store_folder_, location),
      tree_folder_(work_trees_.own_folder()),
      clock_(std::move(clock)),
      blobs_(*open_segment_store(store_folder_ + "/blobs")),
      snapshots_(store_folder_ + "/snapshots", snapshot_origin_of(location, tree_folder_), *blobs_),
      leases_(tree_folder_ + "/leases", clock_),
      stats_(tree_folder_),
      known_contents_(stats_),
      trigram_filters_(tree_folder_),
      writer_(root_, tree_folder_ + "/writes", snapshots_) {}

void Workspace::allow_watching(WatchOptions options) {
  options.offers_folder = tree_folder_;
  live_tree_.allow_watching(std::move(options));
}

Result<GitStatus> Workspace::status(const std::stop_token& stop) const {
  TRY(root_.check_not_moved());
  std::shared_ptr<const GitStatus> status = TRY(live_tree_.status(stop));
  return GitStatus(*status);
}

Result<StatusAndLiveFiles> Workspace::status_and_files(const std::stop_token& stop) const {
  TRY(root_.check_not_moved());
  return live_tree_.status_and_files(stop);
}

std::int64_t Workspace::events_complete_until_ns() const {
  const std::optional<std::int64_t> since_ns = live_tree_.verified_ns();
  return since_ns ? *since_ns - event_delay_ns_max : std::numeric_limits<std::int64_t>::max();
}

Result<bool> Workspace::confirms_fingerprint(const Fingerprint& fingerprint,
                                             const std::vector<std::string>& unreported,
                                             const std::stop_token& stop) const {
  if (unreported.empty()) return true;
  std::vector<std::string> paths;
  paths.reserve(unreported.size());
  for (const std::string& path : unreported) paths.push_back(to_repository_path(path));
  live_tree_.suspect(paths);
  GitStatus again = TRY(status(stop));
  return again.fingerprint == fingerprint;
}

Result<std::unique_ptr<Workspace>> Workspace::open_other_tree(const std::string& name) const {
  const std::map<std::string, std::string, std::less<>> roots = work_trees_.other_roots(environment_);
  const auto root = roots.find(name);
  if (root == roots.end())
    return Error(ErrorCode::not_found, "The work tree " + path_in_sentence(name) + " does not exist.");
  return open(root->second, environment_, clock_);
}

std::optional<std::string> Workspace::to_workspace_path(std::string_view repository_path) const {
  if (!repository_path.starts_with(prefix_)) return std::nullopt;
  return std::string(repository_path.substr(prefix_.size()));
}

std::string Workspace::to_repository_path(std::string_view path) const {
  std::string whole = prefix_ + std::string(path);
  if (whole.ends_with('/')) whole.pop_back();
  return whole;
}

std::optional<std::string> Workspace::known_content(std::string_view path, const BlobId& blob) {
  if (const std::shared_ptr<const std::string> content = recent_contents_.find(path, blob.hex()))
    return *content;
  Result<std::string> content = blobs_->get(blob);
  if (!content) return std::nullopt;
  return *std::move(content);
}

Result<git::Oid> Workspace::oid_of(const BlobId& blob) {
  {
    std::lock_guard lock(oids_mutex_);
    auto known = oids_.find(blob);
    if (known != oids_.end()) return known->second;
  }
  std::string bytes = TRY(blobs_->get(blob));
  git::Oid oid = git::object_oid(HashKind::sha1, "blob", bytes);
  std::lock_guard lock(oids_mutex_);
  if (oids_.size() >= oids_max) oids_.clear();
  oids_.emplace(blob, oid);
  return oid;
}

Result<bool> Workspace::ignores(std::string_view path, bool is_folder) const {
  return is_ignored(repository_, prefix_ + std::string(path), is_folder);
}

bool Workspace::is_not_checked_out(std::string_view path) const {
  const Result<bool> found = core::is_not_checked_out(repository_, prefix_ + std::string(path));
  return found && *found;
}

void Workspace::release_memory() {
  stats_.release_memory();
  trigram_filters_.release_memory();
  snapshots_.release_memory();
  // Without a watch every listing is new, so the contents known for the last one are of no use.
  if (!live_tree_.verified_ns()) {
    known_contents_.release_memory();
    folder_modes_.release_memory();
  }
  blobs_->release_memory();
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
  ::dl_iterate_phdr(&unmap_code, nullptr);
}

Result<Unit> Workspace::prepare_store() {
  Result<Unit> ready = make_store_folders();
  if (!ready) return unwritable_error(store_folder_, std::move(ready).error());
  return ready;
}

Result<Unit> Workspace::make_store_folders() {
  const bool is_own = store_folder_ == own_store_path(root_.folder());
  Result<Unit> ready = is_own ? make_snapback_folder(root_.folder()) : Unit{};
  if (!ready || is_location_recorded_) return ready;
  // The store has its own .gitignore, because the folder above may be the user's, with other rules or none.
  if (is_own) ready = make_folders(store_folder_);
  if (is_own && ready) ready = make_file_if_missing(store_folder_, ".gitignore", "*\n");
  if (!ready) return ready;
  TRY(work_trees_.record_location());
  is_location_recorded_ = true;
  live_tree_.offer_watch();
  return Unit{};
}

}  // namespace snapgen::core
