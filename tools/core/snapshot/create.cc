#include "tools/core/snapshot/create.h"

#include <algorithm>
#include <set>
#include <shared_mutex>

#include <sys/stat.h>

#include "tools/core/lease/coherent.h"
#include "tools/core/path/path.h"
#include "tools/core/snapshot/capture_files.h"
#include "tools/core/view/live_view.h"
#include "tools/core/view/observe.h"

namespace snapgen::core {
namespace {

constexpr int tries_max = 3;

// One way through: which files, their contents, and whether all of it still stands.
class Capture {
 public:
  Capture(Substrate& substrate, const CreateQuery& query, Lease* lease, const std::stop_token& stop)
      : substrate_(substrate),
        query_(query),
        lease_(lease),
        stop_(stop),
        view_(std::in_place, substrate, true, stop) {}

  // Errors: repo_changed if another try may succeed.
  Result<Created> run() {
    Result<Unit> done = query_.paths ? find_named() : find_touched();
    before_ = view_->before_listing();
    left_out_ = view_->skipped();
    view_.reset();
    if (done) done = capture_all();
    Result<Unit> settled = substrate_.writer().recover(stop_);
    if (!settled) return std::move(settled).error();
    std::shared_lock gate(substrate_.gate());
    Result<Status> status = substrate_.status(stop_);
    if (!status) return std::move(status).error();
    if (lease_ != nullptr) {
      Result<Unit> valid = check_lease(substrate_, *lease_, *status, stop_);
      if (!valid) return std::move(valid).error();
    }
    if (!done) return std::move(done).error();
    bool same = !before_ || *before_ == status->fingerprint;
    Result<bool> confirmed = substrate_.confirms(status->fingerprint, records_, stop_);
    if (!confirmed) return std::move(confirmed).error();
    if (!same || !*confirmed || !still_stands(substrate_.root(), records_)) {
      return Error(ErrorCode::repo_changed, "The work tree kept changing while it was captured; try again.");
    }
    gate.unlock();
    return save(status->fingerprint);
  }

 private:
  Result<Unit> find_touched() {
    for (FileRecord& record : lease_->touched()) {
      if (!S_ISDIR(record.stat.mode) && !is_absence(record))
        add(CaptureTarget{.path = std::move(record.path), .listed = {}, .named = true});
    }
    return Unit{};
  }

  Result<Unit> find_named() {
    for (const std::string& path : *query_.paths) {
      Result<Unit> done = path.empty() ? add_listed("") : add_path(path);
      if (!done) return done;
    }
    std::vector<std::string> scopes = outermost(folders_);
    for (const std::string& scope : scopes) {
      Result<Skipped> skipped = view_->skipped_below(scope, true);
      if (!skipped) return std::move(skipped).error();
      core::add(skipped_, *skipped);
    }
    // What is ignored and was named is not left out.
    std::set<std::string> named(query_.paths->begin(), query_.paths->end());
    for (const std::string& path : named) {
      bool counted =
          std::any_of(scopes.begin(), scopes.end(), [&](const auto& scope) { return is_below(path, scope); });
      if (counted && view_->ignores(path)) --skipped_.ignored;
    }
    return Unit{};
  }

  Result<Unit> add_path(const std::string& path) {
    Result<FileStat> found = substrate_.root().look(path);
    if (!found) return std::move(found).error();
    FileKind kind = kind_of(*found);
    if (kind == FileKind::folder) return add_folder(path);
    if (kind == FileKind::other) {
      return Error(ErrorCode::invalid_argument,
                   path_in_sentence(path) + " is a FIFO, socket or device, which cannot be captured.");
    }
    if (kind == FileKind::symlink) {
      add(CaptureTarget{.path = path, .listed = {}, .named = true});
      return Unit{};
    }
    // A path through symlinks names the file that they lead to, and the links are part of what was named.
    Result<Opened> opened = substrate_.root().open_file(path);
    if (!opened) return std::move(opened).error();
    for (std::string& link : opened->links)
      add(CaptureTarget{.path = std::move(link), .listed = {}, .named = true});
    add(CaptureTarget{.path = std::move(opened->path), .listed = {}, .named = true});
    return Unit{};
  }

  Result<Unit> add_folder(const std::string& path) {
    Result<bool> ignored = substrate_.ignores(path, true);
    if (!ignored) return std::move(ignored).error();
    Result<const Listing*> listing = view_->listing();
    if (!listing) return std::move(listing).error();
    auto [first, last] = range_below(**listing, path);
    if (first != last || !*ignored) return add_listed(path);
    return add_everything(path);
  }

  Result<Unit> add_listed(const std::string& path) {
    Result<const Listing*> listing = view_->listing();
    if (!listing) return std::move(listing).error();
    auto [first, last] = range_below(**listing, path);
    for (std::size_t i = first; i < last; ++i) {
      add(CaptureTarget{.path = std::string((*listing)->path(i)),
                        .listed = view_->stat_of(i),
                        .listed_ns = view_->listed_ns()});
    }
    folders_.push_back(path);
    return Unit{};
  }

  // An ignored folder that was named: all files in it.
  Result<Unit> add_everything(const std::string& path) {
    if (stop_.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    Result<std::vector<FolderEntry>> entries = substrate_.root().read_folder(path);
    if (!entries && entries.error().code == ErrorCode::permission_denied) {
      ++skipped_.unreadable;
      return Unit{};
    }
    if (!entries) return std::move(entries).error();
    for (const FolderEntry& entry : *entries) {
      std::string below = joined(path, entry.name);
      if (entry.kind == FileKind::other) ++skipped_.not_a_file;
      if (entry.kind == FileKind::file || entry.kind == FileKind::symlink)
        add(CaptureTarget{.path = below, .listed = {}});
      if (entry.kind != FileKind::folder) continue;
      Result<Unit> done = add_everything(below);
      if (!done) return done;
    }
    return Unit{};
  }

  void add(CaptureTarget target) { targets_.push_back(std::move(target)); }

  // In the order of their paths, each once.
  void sort_targets() {
    std::stable_sort(targets_.begin(), targets_.end(),
                     [](const CaptureTarget& a, const CaptureTarget& b) { return a.path < b.path; });
    auto last = targets_.begin();
    for (auto it = targets_.begin(); it != targets_.end(); ++it) {
      if (it == targets_.begin()) continue;
      if (it->path == last->path) {
        last->named = last->named || it->named;
      } else if (++last != it) {
        *last = std::move(*it);
      }
    }
    if (!targets_.empty()) targets_.erase(std::next(last), targets_.end());
  }

  Result<Unit> capture_all() {
    sort_targets();
    auto [records, failed] = capture_files(substrate_, targets_, stop_);
    records_ = std::move(records);
    if (stop_.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
    if (failed) return failure(targets_[failed->first], std::move(failed->second));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (records_[i].blob) continue;
      ++skipped_.unreadable;
      unreadable_.push_back(std::move(targets_[i].path));
    }
    std::erase_if(records_, [](const FileRecord& record) { return !record.blob; });
    targets_ = {};
    return Unit{};
  }

  // A file that was just listed or touched and is gone has changed; one that the client named is not there.
  Error failure(const CaptureTarget& target, Error error) const {
    bool vanished = error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_argument;
    return vanished && (!target.named || !query_.paths) ? changed_while_read(target.path) : error;
  }

  SnapshotScope scope() {
    SnapshotScope scope{
        .folders = outermost(folders_), .unknown = unreadable_, .taken_ms = substrate_.now() / 1'000'000};
    for (const SkippedPath& skipped : left_out_) {
      bool unknown =
          skipped.reason == SkipReason::nested_repository || skipped.reason == SkipReason::unreadable;
      bool inside = std::any_of(scope.folders.begin(), scope.folders.end(), [&](const std::string& folder) {
        return is_below(skipped.path, folder) || is_below(folder, skipped.path);
      });
      if (unknown && inside) scope.unknown.push_back(skipped.path);
    }
    return scope;
  }

  Result<Created> save(const Fingerprint& fingerprint) {
    std::vector<ManifestEntry> entries;
    entries.reserve(records_.size());
    ManifestStats stats{.files = static_cast<std::int64_t>(records_.size()), .bytes = 0};
    for (const FileRecord& record : records_) {
      stats.bytes += record.stat.size;
      FileMode mode = is_executable(record.stat) ? FileMode::executable : FileMode::plain;
      if (kind_of(record.stat) == FileKind::symlink) mode = FileMode::symlink;
      entries.push_back(ManifestEntry{.path = record.path, .blob = *record.blob, .mode = mode});
    }
    Result<std::shared_ptr<const Snapshot>> snapshot = substrate_.snapshots().save(
        fingerprint, std::move(entries), query_.message, substrate_.now() / 1'000'000, scope());
    if (!snapshot) return std::move(snapshot).error();
    substrate_.stats().remember(records_);
    return Created{.snapshot = *std::move(snapshot), .stats = stats, .skipped = skipped_};
  }

  Substrate& substrate_;
  const CreateQuery& query_;
  Lease* lease_;
  std::stop_token stop_;
  std::optional<LiveView> view_;  // Until it is known what to capture.
  std::optional<Fingerprint> before_;
  std::vector<SkippedPath> left_out_;
  std::vector<CaptureTarget> targets_;
  std::vector<std::string> folders_;  // Captured as far as they are listed.
  std::vector<FileRecord> records_;   // Sorted by path.
  std::vector<std::string> unreadable_;
  Skipped skipped_;
};

}  // namespace

Result<Created> create_snapshot(Substrate& substrate, const CreateQuery& query, const std::stop_token& stop) {
  if (!query.lease_id && !query.paths) {
    return Error(ErrorCode::invalid_argument,
                 "Give paths ([\".\"] for all files), or a lease_id to capture what was read with it.");
  }
  std::shared_ptr<Lease> lease;
  if (query.lease_id) {
    Result<std::shared_ptr<Lease>> found = substrate.leases().use(*query.lease_id);
    if (!found) return std::move(found).error();
    lease = *std::move(found);
  }
  Result<Unit> ready = substrate.prepare_store();
  if (!ready) return std::move(ready).error();
  for (int tries = 1;; ++tries) {
    Result<Created> created = Capture(substrate, query, lease.get(), stop).run();
    if (created || created.error().code != ErrorCode::repo_changed || tries == tries_max) return created;
  }
}

}  // namespace snapgen::core
