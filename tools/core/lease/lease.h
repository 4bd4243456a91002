#pragma once
// Leases: what a client was shown of the live tree, so that it can be told when that no longer holds
// (substrate specification, section 2.3).
//
// A lease is one append-only file, named by its id: its base fingerprint, then what was touched, in the order
// in which it was touched. The file's modification time is when the lease was last used, to the minute;
// unused for 24 hours it expires. A torn or unreadable lease is as unknown as one that never was.
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
#include "tools/core/git/fingerprint.h"
#include "tools/core/store/file_record.h"
#include "tools/core/store/touched.h"

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
  // Those that this does not show to be what they were.
  std::vector<FileRecord> touched_but(const Touched& seen) const;

 private:
  friend class LeaseStore;
  Lease(std::string id, Fd file) : id_(std::move(id)), file_(std::move(file)) {}

  // Under mutex_.
  enum class Held : std::uint8_t { no, yes, otherwise };
  Held holds(const FileRecord& record) const;
  std::optional<Touched> unknown_of(
      const Touched& touched) const;  // What it does not hold; none: see touch().
  void take(Touched touched);

  std::string id_;
  Fd file_;
  mutable std::mutex mutex_;
  std::uint64_t loaded_bytes_ = 0;  // Of it.
  LeaseBase base_;
  ListedFiles listed_;                                      // What was touched of one listing,
  std::map<std::string, FileRecord, std::less<>> touched_;  // and all else; it goes before what is listed.
};

// Thread-safe.
class LeaseStore {
 public:
  using Clock = std::function<std::int64_t()>;  // nanoseconds since 1970

  static constexpr std::int64_t unused_ns_max = 24LL * 3600 * 1'000'000'000;

  explicit LeaseStore(std::string folder, Clock clock = &now_ns)
      : folder_(std::move(folder)), clock_(std::move(clock)) {}

  // A new lease, on disk when this returns. Errors: unavailable.
  Result<std::shared_ptr<Lease>> issue(const LeaseBase& base, Touched touched);

  // The lease, marked as used now. Errors: not_found (never issued, or expired); unavailable.
  Result<std::shared_ptr<Lease>> use(std::string_view id);

  // The same for one that is in memory and touched at most so much: nothing is waited for. Null otherwise.
  std::shared_ptr<Lease> use_at_once(std::string_view id, std::size_t records_max);

  // Adds to what the lease touched; a record replaces an earlier one of the same path and content. Errors:
  // repo_changed (another call has shown another content of a file meanwhile; nothing is added); unavailable.
  Result<Unit> touch(Lease& lease, const Touched& touched);

  // The tree was changed through the lease: it stands on another base from now on, and touched what was
  // written. Errors: unavailable.
  Result<Unit> move(Lease& lease, const LeaseBase& base, const std::vector<FileRecord>& records);

 private:
  std::string path_of(std::string_view id) const { return folder_ + "/" + std::string(id); }
  std::shared_ptr<Lease> find(std::string_view id);  // Null: there is none.
  void keep(const std::shared_ptr<Lease>& lease);    // It is the latest used.
  void forget(std::string_view id);
  // It is used now; false if its file has more than memory. Under the lease's mutex_. Errors: not_found.
  Result<bool> mark(const std::shared_ptr<Lease>& lease);
  // `taken`: what the batches say is in memory; else it is read from them.
  Result<Unit> append(Lease& lease, std::string_view batches, bool taken);
  Result<Unit> catch_up(Lease& lease, int fd);  // Under the lease's mutex_.
  void sweep();

  std::string folder_;
  Clock clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Lease>> loaded_;
  std::vector<std::string> recent_;  // Ids of loaded_, the latest last.
  std::int64_t next_sweep_ns_ = 0;
};

}  // namespace snapgen::core
