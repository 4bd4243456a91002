#include "tools/engine/git/status/tracked_diff.h"

#include <map>

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/repository/submodule.h"
#include "tools/engine/git/status/head_diff.h"
#include "tools/engine/git/status/status_parts.h"
#include "tools/engine/git/status/worktree_diff.h"
#include "tools/engine/git/walk/attributes.h"
#include "tools/engine/git/walk/clean.h"
#include "tools/engine/git/walk/untracked.h"

namespace snapgen::core {

using namespace git;

struct TrackedDiff::Parts {
  explicit Parts(Repository::State& of) : state(of) {}

  Repository::State& state;
  std::shared_ptr<const LoadedConfig> config;
  std::shared_ptr<const LoadedIndex> loaded;
  Head head;
  Fd root;
  std::unique_ptr<Attributes> attributes;
  std::vector<WorktreeChange> unstaged;
  std::map<std::string, TrackedChange, std::less<>> changes;

  const Index& index() const { return *loaded->index; }
};

TrackedDiff::TrackedDiff(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TrackedDiff::TrackedDiff(TrackedDiff&&) noexcept = default;
TrackedDiff::~TrackedDiff() = default;

Result<TrackedDiff> TrackedDiff::read(const Repository& repository, GitBase base, std::stop_token stop) {
  if (!repository.is_git()) {
    return Error(ErrorCode::invalid_argument,
                 "This workspace is not a git repository, so it has no commit or index. Pass a snapshot id "
                 "as against.");
  }
  Repository::State& state = repository.state();
  TrackedDiff out(std::make_unique<Parts>(state));
  Parts& parts = *out.parts_;
  parts.config = TRY(load_config(state, stop));
  parts.loaded = TRY(load_index(state, parts.config->format, stop));
  Head head = TRY(load_head(state, parts.config->format, stop));
  parts.head = std::move(head);
  parts.root = TRY(open_work_tree_root(state));
  out.fallback_reason_ = reason_git_is_needed(state, *parts.config, *parts.loaded, parts.head);
  if (out.fallback_reason_.empty() && parts.config->format.kind != HashKind::sha1)
    out.fallback_reason_ = "objects are named by SHA-256";
  if (!out.fallback_reason_.empty()) return out;
  parts.attributes = std::make_unique<Attributes>(state, *parts.config, parts.index(), parts.root.get());

  Result<Unit> done = out.add_unstaged(stop);
  if (done && out.fallback_reason_.empty()) out.add_unmerged();
  if (done && out.fallback_reason_.empty() && base == GitBase::head) done = out.add_staged(stop);
  for (auto& [path, change] : parts.changes) out.changes_.push_back(std::move(change));
  if (done && out.fallback_reason_.empty()) done = out.set_fallback_reason();
  if (!done) return done.error();
  if (!out.fallback_reason_.empty()) out.changes_.clear();
  return out;
}

// Adds the differences between the index and the work tree.
Result<Unit> TrackedDiff::add_unstaged(std::stop_token stop) {
  Parts& parts = *parts_;
  const Settings& settings = parts.config->settings;
  const Index& index = parts.index();
  WorktreeDiff first(parts.state, *parts.config, index, *parts.attributes, parts.root.get(), nullptr, stop);
  WorktreeDiff second(parts.state, *parts.config, index, *parts.attributes, parts.root.get(), nullptr, stop);
  Result<UntrackedFiles> found = UntrackedFiles{};
  distribute_entries(index.entries().size(), ThreadCount::two, first, second, [&] {
    found = find_untracked(parts.state, settings, index, parts.root.get(), ShowUntracked::all, nullptr, stop);
  });
  if (stop.stop_requested()) return cancelled_call_error();
  for (const WorktreeDiff* diff : {&first, &second}) {
    if (diff->error) return *diff->error;
    if (!diff->fallback_reason.empty()) fallback_reason_ = diff->fallback_reason;
  }
  if (!found) return found.error();
  if (!found->fallback_reason.empty()) fallback_reason_ = found->fallback_reason;
  if (!fallback_reason_.empty()) return Unit{};
  std::erase_if(found->status_paths, [](const std::string& path) { return path.ends_with('/'); });
  untracked_ = std::move(found->status_paths);
  skipped_ = std::move(found->skipped);

  for (const WorktreeDiff* diff : {&first, &second}) {
    for (const WorktreeChange& seen : diff->changes) {
      const IndexEntry& entry = index.entries()[seen.entry_index];
      TrackedChange change{.path = std::string(entry.path), .before = {}, .after = {}};
      const GitFile indexed{.mode = entry.mode, .oid = Oid::from_bytes(entry.oid)};
      if (!entry.intent_to_add) change.before = indexed;
      struct stat status{};
      const bool there = seen.letter != 'D' &&
                         fstatat(parts.root.get(), change.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
      if (there && S_ISDIR(status.st_mode)) {
        // Unlike a status, a diff ignores untracked files in a submodule.
        const SubmoduleState submodule = TRY(submodule_state(parts.state, change.path, true, stop));
        fallback_reason_ = submodule.fallback_reason;
        if (!submodule.head && fallback_reason_.empty()) fallback_reason_ = "a submodule has no commit";
        if (!fallback_reason_.empty()) return Unit{};
        change.after_state = TrackedChange::AfterState::submodule;
        change.after = {.mode = mode_gitlink, .oid = *submodule.head};
        change.submodule_dirty = submodule.dirty;
      } else if (there && (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode))) {
        change.after_state = TrackedChange::AfterState::on_disk;
        change.after.mode = worktree_mode(entry, status, settings);
      }
      parts.changes[change.path] = std::move(change);
    }
  }
  return Unit{};
}

// Adds conflicts: the work tree compared with "ours", which is also HEAD's version.
void TrackedDiff::add_unmerged() {
  Parts& parts = *parts_;
  const Index& index = parts.index();
  if (!index.has_unmerged()) return;
  for (const IndexEntry& entry : index.entries()) {
    if (entry.stage == 0) continue;
    TrackedChange& change = parts.changes[std::string(entry.path)];
    if (change.path.empty()) {
      change.path = std::string(entry.path);
      struct stat status{};
      if (fstatat(parts.root.get(), change.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode))) {
        change.after_state = TrackedChange::AfterState::on_disk;
        change.after.mode = worktree_mode(entry, status, parts.config->settings);
      }
      change.unmerged = true;
    }
    if (entry.stage == 2) change.before = {.mode = entry.mode, .oid = Oid::from_bytes(entry.oid)};
  }
}

// For GitBase::head, adds the staged changes to the unstaged ones.
Result<Unit> TrackedDiff::add_staged(std::stop_token stop) {
  Parts& parts = *parts_;
  IndexChanges staged = TRY(diff_with_head(parts.state, *parts.loaded, parts.head.commit, stop));
  fallback_reason_ = staged.fallback_reason;
  if (!fallback_reason_.empty()) return Unit{};
  for (IndexChange& seen : staged.changes) {
    auto [at, is_new] = parts.changes.try_emplace(seen.path);
    TrackedChange& change = at->second;
    change.before = {.mode = seen.old_mode, .oid = seen.old_oid};
    if (!is_new) continue;
    change.path = std::move(seen.path);
    change.after = {.mode = seen.new_mode, .oid = seen.new_oid};
    if (seen.new_mode != 0) change.after_state = TrackedChange::AfterState::indexed;
  }
  return Unit{};
}

// Sets the fallback reason if a file that must be read cannot be cleaned here.
Result<Unit> TrackedDiff::set_fallback_reason() {
  for (const TrackedChange& change : changes_) {
    if (change.after_state != TrackedChange::AfterState::on_disk ||
        (change.after.mode & mode_type_mask) != mode_regular)
      continue;
    const ContentConversion conversion = TRY(parts_->attributes->conversion(change.path));
    if (conversion.fallback_reason.empty()) continue;
    fallback_reason_ = conversion.fallback_reason;
    break;
  }
  return Unit{};
}

bool TrackedDiff::tracks(std::string_view path) const {
  const Index& index = parts_->index();
  if (path.empty() || index.contains(path)) return true;
  const std::string below = std::string(path) + "/";
  const std::size_t at = index.lower_bound(below);
  return at < index.entries().size() && index.entries()[at].path.starts_with(below);
}

Result<std::string> TrackedDiff::cleaned_content(std::string_view path, std::string bytes) const {
  ContentConversion conversion = TRY(parts_->attributes->conversion(path));
  if (conversion.changes_nothing()) return bytes;
  const auto indexed = [&]() -> Result<std::string> {
    const IndexEntry* const entry = parts_->index().find(path);
    if (entry == nullptr) return std::string();
    std::optional<ObjectDatabase::Object> blob = TRY(read_object(parts_->state, Oid::from_bytes(entry->oid)));
    return blob ? std::move(blob->content) : std::string();
  };
  return git::cleaned_content(std::move(bytes), conversion, indexed);
}

Result<std::optional<bool>> TrackedDiff::binary_attribute(std::string_view path) const {
  const AttributeValue value = TRY(parts_->attributes->value(path, "diff"));
  switch (value.kind) {
    case AttributeValue::Kind::set: return std::optional(false);
    case AttributeValue::Kind::unset: return std::optional(true);
    case AttributeValue::Kind::text: {
      // The value names a diff driver, which the configuration may define.
      const Config& settings = parts_->config->config;
      const std::string key = "diff." + value.text + ".binary";
      const ConfigEntry* const entry = settings.last_entry(key);
      if (entry != nullptr) return config_boolean(entry->value);
      break;
    }
    case AttributeValue::Kind::unspecified: break;
  }
  return std::optional<bool>();
}

}  // namespace snapgen::core
