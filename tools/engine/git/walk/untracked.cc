#include "tools/engine/git/walk/untracked.h"

#include <algorithm>
#include <cerrno>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/walk/folder.h"

namespace snapgen::core::git {
namespace {

// The state of a path, in ascending precedence. A folder has the highest state of its content.
enum class Treatment : std::uint8_t { nothing, ignored, untracked };

class Finder {
 public:
  Finder(Repository::State& state, const Settings& settings, const Index& index, int root_fd,
         ShowUntracked show, WalkListener* listener, std::stop_token stop, bool lists = false)
      : state_(state),
        settings_(settings),
        index_(index),
        root_fd_(root_fd),
        show_(show),
        listener_(listener),
        stop_(std::move(stop)),
        lists_(lists) {}

  Result<UntrackedFiles> run() {
    stack_ = TRY(outside_ignore_rules(state_, settings_, out_.fallback_reason));
    if (!out_.fallback_reason.empty()) return std::move(out_);
    const IndexRange all{0, index_.entries().size()};
    TRY(folder(all, false));
    std::sort(out_.status_paths.begin(), out_.status_paths.end());
    std::sort(out_.listed_files.begin(), out_.listed_files.end());
    return std::move(out_);
  }

  // Walks the smallest region around `path`. Descends towards `path` while folders are tracked and not
  // ignored; the region begins where that ends.
  Result<UntrackedRegion> run_at(std::string_view path) {
    UntrackedRegion out;
    stack_ = TRY(outside_ignore_rules(state_, settings_, out_.fallback_reason));
    for (std::size_t at = 0; out_.fallback_reason.empty();) {
      path_.assign(path.substr(0, at));
      std::shared_ptr<const IgnoreRules> rules =
          TRY(folder_ignore_rules(state_, settings_, index_, root_fd_, path_, true));
      stack_.push(at, std::move(rules));
      const std::size_t slash = path.find('/', at);
      const FolderItem item{.name = path.substr(at, slash - at),
                            .kind = kind_at(root_fd_, std::string(path.substr(0, slash)))};
      path_ += item.name;
      const IndexRange below = entries_below(index_, path_);
      const bool goes_on = slash != std::string_view::npos && !below.empty() &&
                           item.kind == ItemKind::folder &&
                           stack_.verdict_of(path_, true) != IgnoreVerdict::ignored;
      if (!goes_on) {
        out.path = path_;
        TRY(treat(item, index_.find(path_), below, false));
        break;
      }
      at = slash + 1;
    }
    std::sort(out_.status_paths.begin(), out_.status_paths.end());
    out.found = std::move(out_);
    return out;
  }

 private:
  // Walks the folder at `path_`, which has the entries `range`. `check_only`: it is inside an untracked
  // folder, where only the highest state matters.
  Result<Treatment> folder(IndexRange range, bool check_only) {
    if (stop_.stop_requested()) return cancelled_call_error();
    if (listener_ != nullptr) listener_->add_folder_dependency(without_slash());
    FolderItems disk;
    const int error = disk.read(root_fd_, path_);
    if (error != 0) {
      // The folder was deleted meanwhile.
      if (error != ENOENT && error != ENOTDIR) skip(SkipReason::unreadable);
      return Treatment::nothing;
    }
    const IndexFolder tracked(index_, range, path_.size());
    const bool rules_on_disk = disk.find(".gitignore") != nullptr;
    std::shared_ptr<const IgnoreRules> rules =
        TRY(folder_ignore_rules(state_, settings_, index_, root_fd_, path_, rules_on_disk));
    stack_.push(path_.size(), std::move(rules));

    Treatment weightiest = Treatment::nothing;
    const std::size_t length = path_.size();
    for (const FolderItem& item : disk.items()) {
      path_ += item.name;
      const IndexRange below = item.kind == ItemKind::folder ? tracked.folder(item.name) : IndexRange{};
      const Result<Treatment> treated = treat(item, tracked.file(item.name), below, check_only);
      path_.resize(length);
      if (!treated) return treated;
      weightiest = std::max(weightiest, *treated);
      if (check_only && weightiest == Treatment::untracked && !lists_) break;
    }
    stack_.pop();
    return weightiest;
  }

  // Examines `item`, which is at `path_`. `entry`: the index's entry of this path, or null. `below`: the
  // entries below it.
  Result<Treatment> treat(const FolderItem& item, const IndexEntry* entry, IndexRange below,
                          bool check_only) {
    if (item.kind == ItemKind::missing) return Treatment::nothing;
    if (item.kind != ItemKind::folder && entry != nullptr) return Treatment::nothing;
    if (stack_.verdict_of(path_, item.kind == ItemKind::folder) == IgnoreVerdict::ignored) {
      skip(SkipReason::ignored);
      return Treatment::ignored;
    }
    switch (item.kind) {
      case ItemKind::file:
      case ItemKind::link:
        if (!check_only) out_.status_paths.push_back(path_);
        if (lists_) out_.listed_files.push_back(path_);
        return Treatment::untracked;
      case ItemKind::folder: break;
      case ItemKind::other:
      case ItemKind::missing: skip(SkipReason::not_a_file); return Treatment::nothing;
    }
    path_ += '/';
    if (!below.empty()) return folder(below, check_only);
    if (entry != nullptr && (entry->mode & mode_type_mask) == mode_gitlink) {
      skip(SkipReason::nested_repository);
      return Treatment::nothing;
    }
    Treatment treated = Treatment::untracked;
    if (is_nested_repository()) {
      skip(SkipReason::nested_repository);
    } else {
      const bool collapse = show_ != ShowUntracked::all;
      const Result<Treatment> inside = folder({}, check_only || collapse);
      if (!inside || !collapse) return inside;
      treated = *inside;
    }
    // A tracked file that a folder replaced is listed as deleted, and the folder is not listed.
    if (treated == Treatment::untracked && !check_only && entry == nullptr)
      out_.status_paths.push_back(path_);
    return treated;
  }

  // Records that `path_` is not listed. A plain status does not need these records.
  void skip(SkipReason reason) {
    if (show_ != ShowUntracked::all && !lists_) return;
    out_.skipped.push_back({.path = std::string(without_slash()), .reason = reason});
  }

  std::string_view without_slash() const {
    std::string_view path = path_;
    if (path.ends_with('/')) path.remove_suffix(1);
    return path;
  }

  // Returns true if the folder at `path_` is a repository other than this one (core.worktree).
  bool is_nested_repository() const {
    notify_of_repository(listener_, state_.layout.root, root_fd_, std::string(without_slash()));
    if (!has_repository(root_fd_, path_)) return false;
    return real_path(state_.layout.root + "/" + path_ + ".git") != state_.layout.git_dir;
  }

  Repository::State& state_;
  const Settings& settings_;
  const Index& index_;
  const int root_fd_;
  const ShowUntracked show_;
  WalkListener* const listener_;  // May be null.
  const std::stop_token stop_;
  const bool lists_;  // Enters every folder, whatever `show_` is.
  IgnoreStack stack_;
  std::string path_;  // The path of the current item, relative to the root.
  UntrackedFiles out_;
};

}  // namespace

Result<IgnoreStack> outside_ignore_rules(const Repository::State& state, const Settings& settings,
                                         std::string& fallback_reason) {
  IgnoreStack stack;
  std::vector<std::string> paths;
  if (!settings.excludes_file.empty()) paths.push_back(settings.excludes_file);
  if (state.layout.is_git) paths.push_back(state.layout.common_dir + "/info/exclude");
  for (const std::string& path : paths) {
    FileBytes file = read_file(path, limits::rules);
    if (file.error == EFBIG) return oversized_file_error(path, limits::rules);
    if (file.error == 0) {
      stack.add_base(std::make_shared<IgnoreRules>(std::move(file.bytes), settings.ignore_case));
    } else if (file.error != ENOENT && file.error != ENOTDIR && file.error != EACCES && file.error != ELOOP) {
      fallback_reason = path_in_sentence(path) + " cannot be read";
    }
  }
  return stack;
}

Result<std::shared_ptr<const IgnoreRules>> folder_ignore_rules(Repository::State& state,
                                                               const Settings& settings, const Index& index,
                                                               int root_fd, const std::string& path,
                                                               bool on_disk) {
  std::shared_ptr<const IgnoreRules> none;
  const std::string name = path + ".gitignore";
  if (on_disk) {
    FileBytes file = read_file_at(root_fd, name.c_str(), limits::rules);
    if (file.error == EFBIG)
      return oversized_file_error(joined_unless_absolute(state.layout.root, name), limits::rules);
    if (file.error == 0) {
      auto rules = std::make_shared<IgnoreRules>(std::move(file.bytes), settings.ignore_case);
      if (rules->empty()) return none;
      return std::shared_ptr<const IgnoreRules>(std::move(rules));
    }
  }
  const IndexEntry* const entry = index.has_skip_worktree() ? index.find(name) : nullptr;
  if (entry == nullptr || !entry->skip_worktree || entry->stage != 0) return none;
  std::optional<ObjectDatabase::Object> blob = TRY(read_object(state, Oid::from_bytes(entry->oid)));
  if (!blob || blob->type != "blob") return none;
  return std::shared_ptr<const IgnoreRules>(
      std::make_shared<IgnoreRules>(std::move(blob->content), settings.ignore_case));
}

Result<UntrackedFiles> find_untracked(Repository::State& state, const Settings& settings, const Index& index,
                                      int root_fd, ShowUntracked show, WalkListener* listener,
                                      std::stop_token stop) {
  return Finder(state, settings, index, root_fd, show, listener, std::move(stop)).run();
}

Result<UntrackedFiles> find_untracked_files(Repository::State& state, const Settings& settings,
                                            const Index& index, int root_fd, ShowUntracked show,
                                            std::stop_token stop) {
  return Finder(state, settings, index, root_fd, show, nullptr, std::move(stop), true).run();
}

Result<UntrackedRegion> find_untracked_at(Repository::State& state, const Settings& settings,
                                          const Index& index, int root_fd, ShowUntracked show,
                                          std::string_view path, WalkListener* listener,
                                          std::stop_token stop) {
  return Finder(state, settings, index, root_fd, show, listener, std::move(stop)).run_at(path);
}

}  // namespace snapgen::core::git
