#pragma once
// Leases: what a client was shown of the live tree, so that it can be told when that no longer holds
// (substrate specification, section 2.3).
//
// Most leases are never given back. One that was issued therefore takes a few hundred bytes in memory
// (issued_leases.h) and no file; LeaseStore::save() puts such leases on disk together, so that they outlive
// an orderly restart. When a lease is given back for the first time, it gets an append-only file, named by
// its id: its base fingerprint, then what was touched, in the order in which it was touched. Files of a large
// listing are named by their numbers in a listing that leases share (shared_listing.h). The file's
// modification time is when the lease was last used, to the minute.
//
// A lease expires when it is unused for 24 hours, or goes before that time if all leases together exceed
// their limit (lease_folder.h). A torn or unreadable lease is as unknown as one that never was.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/store/file_record.h"
#include "tools/engine/store/issued_leases.h"
#include "tools/engine/store/lease_folder.h"
#include "tools/engine/store/shared_listing.h"
#include "tools/engine/store/touched.h"

namespace snapgen::core {

// What a lease stands on.
struct LeaseBase {
  Fingerprint fingerprint;
  std::optional<std::string>
      status;  // What `git status --porcelain=v1 -z` printed then, if that was not long.
};

// Thread-safe. One object per lease in a process; other processes may use the same lease through its file.
class Lease {
 public:
  const std::string& id() const { return id_; }
  LeaseBase base() const;
  // The files and folders that were touched, each as it was seen last; in the order of their paths.
  std::vector<FileRecord> touched() const;
  std::optional<FileRecord> touched(std::string_view path) const;
  // Those that this does not show to be what they were. Numbers files by the listing of `seen` from now on,
  // which makes the next comparison with that listing cheap.
  std::vector<FileRecord> touched_but(const Touched& seen);

 private:
  friend class LeaseStore;
  Lease(std::string id, Fd file) : id_(std::move(id)), file_(std::move(file)) {}

  // Under mutex_.
  enum class Held : std::uint8_t { no, yes, otherwise };
  Held holds(const FileRecord& record) const;
  std::optional<Touched> unknown_of(
      const Touched& touched) const;  // What it does not hold; none: see touch().
  void take(Touched touched);
  // Numbers files by this listing, as far as it has them with the same stat.
  void rebase(const ListedFiles& listed);
  void refer_to(const std::string& listing);  // Empty: to none.

  std::string id_;
  Fd file_;
  mutable std::mutex mutex_;
  std::uint64_t loaded_bytes_ = 0;     // Of it.
  std::vector<std::string> listings_;  // That it refers to.
  LeaseBase base_;
  ListedFiles listed_;                                      // What was touched of one listing,
  std::map<std::string, FileRecord, std::less<>> touched_;  // and all else; it goes before what is listed.
};

// Thread-safe.
class LeaseStore {
 public:
  using Clock = LeaseClock;

  static constexpr std::int64_t unused_ns_max = lease_unused_ns_max;

  explicit LeaseStore(std::string folder, Clock clock = &now_ns)
      : clock_(std::move(clock)), folder_(std::move(folder), clock_) {}

  // What all files together may take on disk. Called before any other use.
  void set_bytes_max(std::uint64_t bytes) { folder_.set_bytes_max(bytes); }

  // The id of a new lease. Nothing is written unless many leases wait in memory.
  std::string issue(const LeaseBase& base, const Touched& touched);

  // The lease, marked as used now. Errors: not_found (never issued, expired, or gone for others); too_large;
  // unavailable.
  Result<std::shared_ptr<Lease>> use(std::string_view id);

  // The same for one that is in memory and touched at most so much: nothing is waited for. Null otherwise.
  std::shared_ptr<Lease> try_use(std::string_view id, std::size_t records_max);

  // Adds to what the lease touched; a record replaces an earlier one of the same path and content. Errors:
  // repo_changed (another call has shown another content of a file meanwhile; nothing is added); not_found
  // (the lease is gone meanwhile, or has become too long); too_large; unavailable.
  Result<Unit> touch(Lease& lease, const Touched& touched);

  // The tree was changed through the lease: it stands on another base from now on, and touched what was
  // written. Errors: as touch(), but for repo_changed.
  Result<Unit> move(Lease& lease, const LeaseBase& base, const std::vector<FileRecord>& records);

  // Puts the leases that nobody has given back yet on disk. A server calls it when it ends, and when it
  // rests. Errors: too_large; unavailable. The leases then stay in memory.
  Result<Unit> save();

 private:
  std::shared_ptr<Lease> find(std::string_view id);  // Null: it has no file.
  Result<Unit> give_back(std::string_view id);       // It gets its file.
  // It is used now; false if its file has more than memory. Under the lease's mutex_. Errors: not_found.
  Result<bool> mark(const Lease& lease) const;
  // `taken`: what the batches say is in memory; else it is read from them.
  Result<Unit> append(Lease& lease, std::string_view batches, bool taken);
  Result<Unit> catch_up(Lease& lease, int fd);  // Under the lease's mutex_.
  bool take_listed(Lease& lease, const Batch& batch);

  // Under mutex_.
  void keep(const std::shared_ptr<Lease>& lease);  // It is the latest used.
  EncodedTouched encoded(const Touched& touched);
  void share_listing(const ListedFiles& listed);
  Result<Unit> save_issued();
  // Has the listings that these batches refer to on disk, and returns their names. Errors: as save().
  Result<std::vector<std::string>> keep_listings(std::string_view batches);
  Result<Unit> save_listing();
  std::string shared_name() const { return listing_ ? listing_->name() : std::string(); }

  Clock clock_;
  std::mutex mutex_;  // Guards what follows. Taken after a lease's.
  LeaseFolder folder_;
  IssuedLeases issued_;
  std::string issued_file_;  // Where the last ones were saved; empty: in a new file.
  std::uint64_t issued_file_bytes_ = 0;
  std::shared_ptr<const SharedListing> listing_;  // New leases refer to it; null before the first.
  bool listing_is_saved_ = false;                 // It is on disk, and must not change.
  std::uint64_t repeated_bytes_ = 0;              // That leases had beside it, because it is not up to date.
  std::shared_ptr<const SharedListing> read_listing_;  // The last one that was read from disk, or null.
  std::unordered_map<std::string, std::shared_ptr<Lease>> loaded_;
  std::vector<std::string> recent_;  // Ids of loaded_, the latest last.
};

}  // namespace snapgen::core
