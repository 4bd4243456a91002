#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {
namespace {

constexpr std::size_t status_bytes_max = 64 << 10;
constexpr std::size_t loaded_max = 8;                   // Maximum number of leases in memory.
constexpr std::int64_t mark_ns = 60LL * 1'000'000'000;  // Minimum time between two marks of a lease.
constexpr std::uint64_t issued_bytes_max = 4 << 20;     // Above this, waiting leases are saved.
constexpr std::uint64_t issued_file_bytes_max = 4 << 20;
constexpr std::size_t listed_min = 64;  // With fewer files, records are cheaper than writing a listing.
// A lease makes its listing the shared one only if it has at least 1/8 of the listing's files.
constexpr std::size_t listing_part_max = 8;
constexpr std::uint64_t lease_part_max = 4;  // One lease may take 1/4 of the limit.

Error unknown_lease_error(std::string_view id) {
  return Error(ErrorCode::not_found,
               "There is no lease " + json::quoted(id) +
                   "; it may have expired (24 hours unused). Read again without lease_id to get a new one.");
}

std::string encoded_base(const LeaseBase& base) {
  JsonObject out;
  out.add("head_oid", base.fingerprint.head_oid).add("index_oid", base.fingerprint.index_oid);
  if (base.status && base.status->size() <= status_bytes_max) out.add("status", text_of_bytes(*base.status));
  return encoded_batch(BatchKind::text, out.add("status_hash", base.fingerprint.status_hash).finish());
}

std::optional<LeaseBase> decoded_base(std::string_view text) {
  if (!json::valid_utf8(text)) return std::nullopt;
  LeaseBase base;
  std::optional<std::string> status;
  json::Reader in(text);
  json::read_members(in, "head_oid", base.fingerprint.head_oid, "index_oid", base.fingerprint.index_oid,
                     "status", status, "status_hash", base.fingerprint.status_hash);
  in.end();
  if (!in.ok()) return std::nullopt;
  if (status) {
    Result<std::string> bytes = bytes_of_text(*status);
    if (!bytes) return std::nullopt;
    base.status = *std::move(bytes);
  }
  return base;
}

std::int64_t last_used_ns(const struct stat& st) {
  return std::int64_t{st.st_mtim.tv_sec} * 1'000'000'000 + st.st_mtim.tv_nsec;
}

// Locks the file of a lease, so that no process reads half a batch.
class FileLock {
 public:
  FileLock(int fd, LockKind kind) : fd_(fd), locked_(lock_file(fd, {}, kind)) {}
  FileLock(FileLock&&) = delete;
  ~FileLock() { unlock_file(fd_); }

  Result<Unit> held(const std::string& id) const {
    if (locked_ == LockResult::acquired) return Unit{};
    return Error(ErrorCode::unavailable, "Another process is using " + id + "; try again.");
  }

 private:
  int fd_;
  LockResult locked_;
};

}  // namespace

std::string LeaseStore::issue(const LeaseBase& base, const TouchedFiles& touched) {
  const std::lock_guard lock(mutex_);
  folder_.sweep_if_due();
  EncodedTouched shown = encoded(touched);
  const std::string id = std::string(lease_prefix) + random_name(lease_id_random_characters);
  issued_.add({.id = id,
               .issued_ns = clock_(),
               .encoded_base = std::make_shared<const std::string>(encoded_base(base)),
               .encoded_touched = std::move(shown.batches),
               .refers_to_listing = shown.refers_to_listing});
  // If the disk is not writable, the oldest leases are dropped.
  if (issued_.bytes() > issued_bytes_max && !save_issued()) issued_.drop_older_half();
  return id;
}

// Encodes `touched`. Refers to the shared listing where that is shorter, and starts a new one if the current
// one is outdated.
EncodedTouched LeaseStore::encoded(const TouchedFiles& touched) {
  const ListedFiles& listed = touched.listed;
  if (listed.size() < listed_min) return encoded_touched(touched, nullptr);
  const bool is_large_part = listed.size() * listing_part_max >= listed.files().size();
  if (!listing_ && is_large_part) share_listing(listed);
  EncodedTouched out = encoded_touched(touched, listing_.get());
  if (out.missing_contents > 0 && !listing_is_saved_) {
    listing_ = listing_->with_contents_of(listed);
    out = encoded_touched(touched, listing_.get());
  }
  if (!is_large_part) return out;
  repeated_bytes_ += out.repeated_bytes;
  const bool is_old = out.repeated_files * 2 > listed.size() || repeated_bytes_ > listing_->bytes();
  if (!is_old) return out;
  share_listing(listed);
  return encoded_touched(touched, listing_.get());
}

void LeaseStore::share_listing(const ListedFiles& listed) {
  // If the leases that refer to the previous listing cannot be saved, they are lost, as in a crash.
  if (issued_.any_refers_to_listing() && !save_issued()) issued_.drop_leases_of_listing();
  listing_ = SharedListing::from_listed_files(listed);
  listing_is_saved_ = false;
  repeated_bytes_ = 0;
}

Result<Unit> LeaseStore::save() {
  const std::lock_guard lock(mutex_);
  read_listing_.reset();
  return save_issued();
}

Result<Unit> LeaseStore::save_issued() {
  if (issued_.empty()) return Unit{};
  TRY(make_folders(folder_.path()));
  if (issued_.any_refers_to_listing()) TRY(save_listing());
  const std::string group = issued_.encoded_group();
  TRY(folder_.make_space(group.size(), shared_listing_name()));
  if (issued_file_bytes_ > issued_file_bytes_max) issued_file_.clear();
  Fd file;
  if (!issued_file_.empty())
    file = Fd(::open(folder_.path_of(issued_file_).c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) {
    issued_file_ = std::string(issued_prefix) + random_name(lease_id_random_characters);
    issued_file_bytes_ = 0;
  }
  Result<Unit> written = file ? write_at(file.get(), group, issued_file_bytes_)
                              : make_file_if_missing(folder_.path(), issued_file_, group);
  if (!written) {
    issued_file_.clear();  // Readers stop at a torn group, so later ones need a new file.
    return written;
  }
  issued_file_bytes_ += group.size();
  folder_.mark_used(issued_file_, issued_.any_refers_to_listing() ? std::vector{shared_listing_name()}
                                                                  : std::vector<std::string>());
  issued_.clear();
  return Unit{};
}

Result<Unit> LeaseStore::save_listing() {
  if (listing_is_saved_ && folder_.mark_used(listing_->name())) return Unit{};
  const std::string bytes = listing_->encoded();
  TRY(folder_.make_space(bytes.size(), listing_->name()));
  TRY(replace_file(folder_.path(), listing_->name(), bytes, Durability::process_crash));
  folder_.mark_used(listing_->name());
  listing_is_saved_ = true;
  return Unit{};
}

Result<std::vector<std::string>> LeaseStore::save_referenced_listings(std::string_view batches) {
  std::vector<std::string> names;
  while (const std::optional<Batch> batch = next_batch(batches)) {
    std::string name = listing_name_in(*batch);
    if (name.empty()) continue;
    TRY(name == shared_listing_name() ? save_listing() : Unit{});
    names.push_back(std::move(name));
  }
  return names;
}

Result<Unit> LeaseStore::create_file(std::string_view id) {
  const std::lock_guard lock(mutex_);
  struct stat st;
  // A concurrent call may have created the file first.
  if (::lstat(folder_.path_of(id).c_str(), &st) == 0) return Unit{};
  std::optional<IssuedLease> lease = issued_.take(id);
  if (!lease) lease = take_saved_lease(folder_.path(), id);
  if (!lease || lease->issued_ns + unused_ns_max < clock_()) return unknown_lease_error(id);
  const std::string bytes = *lease->encoded_base + lease->encoded_touched;
  Result<Unit> done = make_folders(folder_.path());
  Result<std::vector<std::string>> listings = std::vector<std::string>();
  if (done) listings = save_referenced_listings(lease->encoded_touched);
  if (!listings) done = std::move(listings).error();
  if (done) done = folder_.make_space(bytes.size(), shared_listing_name());
  if (done) done = make_file_if_missing(folder_.path(), lease->id, bytes);
  if (done) {
    folder_.mark_used(lease->id, *listings);
  } else {
    issued_.add(*std::move(lease));
  }
  return done;
}

std::shared_ptr<Lease> LeaseStore::find(std::string_view id) {
  {
    std::lock_guard lock(mutex_);
    auto known = loaded_.find(std::string(id));
    if (known != loaded_.end()) return known->second;
  }
  Fd file(::open(folder_.path_of(id).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return nullptr;
  std::lock_guard lock(mutex_);
  std::shared_ptr<Lease>& known = loaded_[std::string(id)];
  if (!known) known.reset(new Lease(std::string(id), std::move(file)));
  return known;
}

void LeaseStore::make_most_recent(const std::shared_ptr<Lease>& lease) {
  if (!recent_.empty() && recent_.back() == lease->id()) return;
  std::erase(recent_, lease->id());
  recent_.push_back(lease->id());
  if (recent_.size() > loaded_max) {
    loaded_.erase(recent_.front());
    recent_.erase(recent_.begin());
  }
}

Result<bool> LeaseStore::mark_used(const Lease& lease) const {
  struct stat st;
  // Another process may have removed the file.
  const bool is_there = ::fstat(lease.file_.get(), &st) == 0 && st.st_nlink > 0;
  const std::int64_t now = clock_();
  if (!is_there || last_used_ns(st) + unused_ns_max < now) {
    if (is_there) ::unlink(folder_.path_of(lease.id_).c_str());
    return unknown_lease_error(lease.id_);
  }
  if (last_used_ns(st) + mark_ns < now || last_used_ns(st) > now)
    folder_.mark_used(lease.id_, lease.listing_names_);
  // If another process has written, the file is longer than what was loaded.
  return lease.loaded_bytes_ > 0 && static_cast<std::uint64_t>(st.st_size) == lease.loaded_bytes_;
}

Result<std::shared_ptr<Lease>> LeaseStore::use(std::string_view id) {
  if (!is_lease_id(id)) return unknown_lease_error(id);
  std::shared_ptr<Lease> lease = find(id);
  if (!lease) {
    TRY(create_file(id));
    lease = find(id);
  }
  if (!lease) return unknown_lease_error(id);
  std::lock_guard lock(lease->mutex_);
  Result<bool> is_whole = mark_used(*lease);
  {
    const std::lock_guard storing(mutex_);
    if (is_whole) {
      make_most_recent(lease);
    } else {
      loaded_.erase(lease->id_);
      std::erase(recent_, lease->id_);
    }
  }
  if (!is_whole) return std::move(is_whole).error();
  if (*is_whole) return lease;
  TRY(load_new_entries(*lease, lease->file_.get()));
  return lease;
}

std::shared_ptr<Lease> LeaseStore::try_use(std::string_view id, std::size_t records_max) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return nullptr;
  const auto known = loaded_.find(std::string(id));
  if (known == loaded_.end()) return nullptr;
  const std::shared_ptr<Lease> lease = known->second;
  const std::unique_lock reading(lease->mutex_, std::try_to_lock);
  if (!reading || lease->touched_.size() > records_max) return nullptr;
  // Loading the rest of the file could block on its writer.
  const Result<bool> is_whole = mark_used(*lease);
  if (!is_whole || !*is_whole) return nullptr;
  make_most_recent(lease);
  return lease;
}

// Loads the part of the file that was written since the last load.
Result<Unit> LeaseStore::load_new_entries(Lease& lease, int fd) {
  const FileLock reading(fd, LockKind::shared);
  TRY(reading.held(lease.id_));
  struct stat st;
  if (::fstat(fd, &st) != 0) return unknown_lease_error(lease.id_);
  auto size = static_cast<std::uint64_t>(st.st_size);
  if (size == lease.loaded_bytes_ && size > 0) return Unit{};
  // This program never writes a file of this size.
  if (size < lease.loaded_bytes_ || size > folder_.bytes_max()) return unknown_lease_error(lease.id_);
  std::string bytes(size - lease.loaded_bytes_, '\0');
  TRY(read_at(fd, bytes.data(), bytes.size(), lease.loaded_bytes_));
  std::string_view rest = bytes;
  while (std::optional<Batch> batch = next_batch(rest)) {
    if (batch->kind == BatchKind::text) {
      std::optional<LeaseBase> base = decoded_base(batch->payload);
      if (!base) return unknown_lease_error(lease.id_);
      lease.base_ = *std::move(base);
      continue;
    }
    if (batch->kind == BatchKind::listed) {
      if (!add_listed(lease, *batch)) return unknown_lease_error(lease.id_);
      continue;
    }
    std::optional<std::vector<FileRecord>> records = records_of(*batch);
    if (!records) return unknown_lease_error(lease.id_);
    for (FileRecord& record : *records) lease.touched_[record.path] = std::move(record);
  }
  if (!rest.empty() || lease.base_.fingerprint.status_hash.empty()) return unknown_lease_error(lease.id_);
  lease.loaded_bytes_ = size;
  return Unit{};
}

// Adds the touched files of a batch that refers to a listing. Returns false if the batch or the listing is
// damaged or missing.
bool LeaseStore::add_listed(Lease& lease, const Batch& batch) {
  const std::string name = listing_name_in(batch);
  if (name.empty()) return false;
  std::shared_ptr<const SharedListing> shared;
  {
    const std::lock_guard lock(mutex_);
    if (listing_ && listing_->name() == name) shared = listing_;
    if (read_listing_ && read_listing_->name() == name) shared = read_listing_;
    if (!shared) shared = SharedListing::read(folder_.path(), name, folder_.bytes_max());
    if (shared && shared != listing_) read_listing_ = shared;
    // A restarted server continues with the listing of its earlier leases.
    if (shared && !listing_) {
      listing_ = shared;
      listing_is_saved_ = true;
    }
  }
  std::optional<ListedFiles> listed = shared ? listed_files_in(batch, *shared) : std::nullopt;
  if (!listed) return false;
  lease.add_listing_name(name);
  lease.add_touched({.listed = *std::move(listed)});
  return true;
}

Result<Unit> LeaseStore::add_touched(Lease& lease, const TouchedFiles& touched) {
  std::optional<TouchedFiles> fresh;
  {
    // Two calls may have seen different contents of a file, each valid at its time. Comparing and recording
    // under one lock makes the second one fail.
    std::lock_guard lock(lease.mutex_);
    fresh = lease.unrecorded_part(touched);
    if (fresh && fresh->size() > 0) lease.add_touched(*fresh);
  }
  if (!fresh) return work_tree_changed_error("read");
  if (fresh->size() == 0) return Unit{};
  std::string batches;
  {
    const std::lock_guard lock(mutex_);
    batches = encoded(*fresh).batches;
    // The listings must be saved before another call replaces the shared one.
    TRY(save_referenced_listings(batches));
  }
  return append(lease, batches, true);
}

Result<Unit> LeaseStore::update_base(Lease& lease, const LeaseBase& base,
                                     const std::vector<FileRecord>& records) {
  std::string batches = encoded_base(base);
  if (!records.empty()) batches += encoded_records(records);
  return append(lease, batches, false);
}

Result<Unit> LeaseStore::append(Lease& lease, std::string_view batches, bool taken) {
  {
    const std::lock_guard lock(mutex_);
    TRY(folder_.make_space(batches.size(), shared_listing_name()));
  }
  Fd fd(::open(folder_.path_of(lease.id_).c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return unknown_lease_error(lease.id_);
  struct stat before;
  {
    const FileLock writing(fd.get(), LockKind::exclusive);
    TRY(writing.held(lease.id_));
    if (::fstat(fd.get(), &before) != 0) return unknown_lease_error(lease.id_);
    if (static_cast<std::uint64_t>(before.st_size) + batches.size() > folder_.bytes_max() / lease_part_max) {
      // The file is too long: the lease was used for very long, or for very many files.
      ::unlink(folder_.path_of(lease.id_).c_str());
      return unknown_lease_error(lease.id_);
    }
    Result<Unit> written = write_at(fd.get(), batches, static_cast<std::uint64_t>(before.st_size));
    if (!written) {
      // Half a batch would make the lease unreadable.
      if (::ftruncate(fd.get(), before.st_size) != 0) ::unlink(folder_.path_of(lease.id_).c_str());
      return written;
    }
  }
  std::lock_guard lock(lease.mutex_);
  // Whether no other process wrote before this batch, and no other call has loaded it since.
  const bool is_next = taken && lease.loaded_bytes_ == static_cast<std::uint64_t>(before.st_size);
  Result<Unit> known = Unit{};
  if (is_next) {
    lease.loaded_bytes_ += batches.size();
    while (const std::optional<Batch> batch = next_batch(batches))
      lease.add_listing_name(listing_name_in(*batch));
  } else {
    known = load_new_entries(lease, fd.get());
  }
  folder_.mark_used(lease.id_, lease.listing_names_);
  return known;
}

}  // namespace snapgen::core
