#pragma once
// Leases: records of the files that a client has read from the work tree. They let the server detect that a
// file has changed since.
//
// Most leases are never used again after they are issued. An issued lease therefore takes a few hundred bytes
// in memory (issued_leases.h) and no file. LeaseStore::save() writes such leases to disk together, so that
// they survive an orderly restart. When a client first uses a lease, it gets an append-only file named by its
// id: its base fingerprint, then the touched files in the order in which they were touched. Files of a large
// listing are named by their numbers in a listing that leases share (shared_listing.h). The file's
// modification time is the time of the last use, to the minute.
//
// A lease expires when it is unused for 24 hours, or earlier if all leases together exceed their limit
// (lease_folder.h). A torn or unreadable lease is reported as not found.
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
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/caches/shared_listing.h"
#include "tools/engine/store/caches/touched.h"
#include "tools/engine/store/leases/issued_leases.h"
#include "tools/engine/store/leases/lease_folder.h"

namespace snapgen::core {

// The state of the work tree that a lease is based on.
struct LeaseBase {
  Fingerprint fingerprint;
  std::optional<std::string> status;  // The output of `git status --porcelain=v1 -z`, unless it was long.
};

// Thread-safe. A process has one object per lease; other processes may use the same lease through its file.
class Lease {
 public:
  const std::string& id() const { return id_; }
  LeaseBase base() const;
  // The touched files and folders as they were last seen, sorted by path.
  std::vector<FileRecord> touched() const;
  std::optional<FileRecord> touched(std::string_view path) const;
  // The touched files that `seen` does not prove unchanged. From now on the lease identifies files by
  // their index in the listing of `seen`, which makes the next comparison with that listing cheap.
  std::vector<FileRecord> unproven_files(const TouchedFiles& seen);
  // Like unproven_files(seen), where a complete watch maintains the listing `watched`: files that the lease
  // only searched or listed are unchanged if this listing still has their stats. Costs time in proportion to
  // the other touched files, and to all of them after a change of the listing.
  std::vector<FileRecord> unproven_files(const TouchedFiles& seen,
                                         const std::shared_ptr<const FileList>& watched);
  // Does as unproven_files({}, watched); nullopt if the lease does not identify its files by
  // the listing `watched` yet.
  std::optional<std::vector<FileRecord>> try_unproven_files(
      const std::shared_ptr<const FileList>& watched) const;
  // Whether unproven_files() could use a watched listing.
  bool has_listed_files() const;

 private:
  friend class LeaseStore;
  Lease(std::string id, Fd file) : id_(std::move(id)), file_(std::move(file)) {}

  // The caller of the following functions holds mutex_.
  enum class RecordMatch : std::uint8_t { unrecorded, recorded, conflicting };
  RecordMatch match_of(const FileRecord& record) const;
  // Returns the part of `touched` that is not recorded yet, or nullopt on a conflict (see add_touched()).
  std::optional<TouchedFiles> unrecorded_part(const TouchedFiles& touched) const;
  void add_touched(TouchedFiles touched);
  // Numbers files by this listing, if it has them with the same stat.
  void renumber_by(const std::shared_ptr<const FileList>& listing);
  // Turns listed files with a racy stat into records: no listing proves that they are unchanged.
  void move_racy_to_records();
  void add_listing_name(const std::string& listing);  // Ignores an empty name.

  std::string id_;
  Fd file_;
  mutable std::mutex mutex_;
  std::uint64_t loaded_bytes_ = 0;          // How much of file_ was loaded.
  std::vector<std::string> listing_names_;  // Names of the listings that the file refers to.
  LeaseBase base_;
  ListedFiles listed_;  // The touched files of one listing; none has a racy stat.
  // All other touched files; these records override listed_.
  std::map<std::string, FileRecord, std::less<>> touched_;
};

// Thread-safe.
class LeaseStore {
 public:
  using Clock = LeaseClock;

  static constexpr std::int64_t unused_ns_max = lease_unused_ns_max;

  explicit LeaseStore(std::string folder, Clock clock = &now_ns)
      : clock_(std::move(clock)), folder_(std::move(folder), clock_) {}

  // Limits the disk space of all lease files together. Called before any other use.
  void set_bytes_max(std::uint64_t bytes) { folder_.set_bytes_max(bytes); }

  // Issues a lease and returns its id. Writes nothing unless many leases wait in memory.
  std::string issue(const LeaseBase& base, const TouchedFiles& touched);

  // Returns the lease and marks it as used. Errors: not_found (never issued, expired, or dropped to make
  // room); too_large; unavailable.
  Result<std::shared_ptr<Lease>> use(std::string_view id);

  // Like use(), but never waits: null unless the lease is in memory and has at most `records_max` records of
  // files that are not in its listing.
  std::shared_ptr<Lease> try_use(std::string_view id, std::size_t records_max);

  // Adds `touched` to the lease; a record replaces an earlier one of the same path and content. Errors:
  // repo_changed (a concurrent call recorded another content of a file; nothing is added); not_found (the
  // lease was removed meanwhile, or has become too long); too_large; unavailable.
  Result<Unit> add_touched(Lease& lease, const TouchedFiles& touched);

  // Records a change of the tree through the lease: its new base, and the written files. Errors: as
  // add_touched(), except repo_changed.
  Result<Unit> update_base(Lease& lease, const LeaseBase& base, const std::vector<FileRecord>& records);

  // Writes the leases that no client has used yet to disk. A server calls it when it stops and when it is
  // idle. Errors: too_large; unavailable. The leases then remain in memory.
  Result<Unit> save();

 private:
  std::shared_ptr<Lease> find(std::string_view id);  // Returns null if the lease has no file.
  Result<Unit> create_file(std::string_view id);     // Creates the file of an issued lease.
  // Marks the lease as used. Returns false if its file has entries that are not loaded yet. The caller holds
  // the lease's mutex_. Errors: not_found.
  Result<bool> mark_used(const Lease& lease) const;
  // Appends batches to the lease's file. `taken`: whether their content is in memory already; else it is read
  // from them.
  Result<Unit> append(Lease& lease, std::string_view batches, bool taken);
  Result<Unit> load_new_entries(Lease& lease, int fd);  // The caller holds the lease's mutex_.
  bool add_listed(Lease& lease, const Batch& batch);

  // The caller of the following functions holds mutex_.
  void make_most_recent(
      const std::shared_ptr<Lease>& lease);  // Makes it the most recently used lease in memory.
  EncodedTouched encoded(const TouchedFiles& touched);
  void share_listing(const ListedFiles& listed);
  Result<Unit> save_issued();
  // Writes the listings that these batches refer to to disk, and returns their names. Errors: as save().
  Result<std::vector<std::string>> save_referenced_listings(std::string_view batches);
  Result<Unit> save_listing();
  std::string shared_listing_name() const { return listing_ ? listing_->name() : std::string(); }

  Clock clock_;
  std::mutex mutex_;  // Guards the following members. Taken after a lease's mutex.
  LeaseFolder folder_;
  IssuedLeases issued_;
  std::string issued_file_;  // The file of the last save; empty: create a new one.
  std::uint64_t issued_file_bytes_ = 0;
  // The listing that new leases refer to; null before the first.
  std::shared_ptr<const SharedListing> listing_;
  bool listing_is_saved_ = false;  // The listing is on disk and must not change.
  // Bytes of records that leases repeated because the listing is outdated.
  std::uint64_t repeated_bytes_ = 0;
  std::shared_ptr<const SharedListing> read_listing_;  // The last listing that was read from disk, or null.
  std::unordered_map<std::string, std::shared_ptr<Lease>> loaded_;
  std::vector<std::string> recent_;  // Ids of loaded_, most recently used last.
};

}  // namespace snapgen::core
