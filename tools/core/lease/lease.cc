#include "tools/core/lease/lease.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/base/fd.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/core/encoding.h"
#include "tools/core/random.h"
#include "tools/core/store/durable.h"
#include "tools/core/store/file_lock.h"

namespace snapgen::core {
namespace {

constexpr std::string_view id_prefix = "lease_";
constexpr std::size_t id_random = 16;
constexpr std::size_t status_bytes_max = 64 << 10;
constexpr std::size_t loaded_max = 8;                    // Leases kept in memory.
constexpr std::int64_t mark_ns = 60LL * 1'000'000'000;   // Used again within it, it is not marked again.
constexpr std::int64_t sweep_ns = 60LL * 1'000'000'000;  // Between two looks for expired ones.
// Beyond, the longest unused go before their time: a host that never gives one back makes one a read, and a
// collector looks at each.
constexpr std::uint64_t folder_bytes_max = 256 << 20;
constexpr std::size_t leases_max = 10'000;

Error unknown(std::string_view id) {
  return Error(ErrorCode::not_found,
               "There is no lease " + json::quoted(id) +
                   "; it may have expired (24 hours unused). Read again without lease_id to get a new one.");
}

bool is_lease_id(std::string_view id) {
  if (!id.starts_with(id_prefix) || id.size() != id_prefix.size() + id_random) return false;
  return std::all_of(id.begin() + id_prefix.size(), id.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'); });
}

std::string encoded_base(const LeaseBase& base) {
  std::string text;
  json::Writer out(text);
  out.text("{\"head_oid\":");
  out.string(base.fingerprint.head_oid);
  out.text(",\"index_oid\":");
  out.string(base.fingerprint.index_oid);
  if (base.status && base.status->size() <= status_bytes_max) {
    out.text(",\"status\":");
    out.string(text_of_bytes(*base.status));
  }
  out.text(",\"status_hash\":");
  out.string(base.fingerprint.status_hash);
  out.text("}");
  return encoded_batch(BatchKind::text, text);
}

std::optional<LeaseBase> decoded_base(std::string_view text) {
  if (!json::valid_utf8(text)) return std::nullopt;
  LeaseBase base;
  std::string status;
  json::Reader in(text);
  std::string_view key;
  if (in.begin_object()) {
    while (in.next_key(key)) {
      if (key == "head_oid") {
        in.string(base.fingerprint.head_oid);
      } else if (key == "index_oid") {
        in.string(base.fingerprint.index_oid);
      } else if (key == "status") {
        if (!in.string(status)) continue;
        Result<std::string> bytes = bytes_of_text(status);
        if (!bytes) return std::nullopt;
        base.status = *std::move(bytes);
      } else if (key == "status_hash") {
        in.string(base.fingerprint.status_hash);
      } else {
        in.skip();
      }
    }
  }
  in.end();
  if (!in.ok()) return std::nullopt;
  return base;
}

// Of what was touched; nothing, if nothing was.
std::string encoded_touched(const Touched& touched) {
  constexpr std::size_t bytes_of_each = 160;  // Most have fewer.
  if (touched.size() == 0) return {};
  RecordBatch batch;
  batch.reserve(touched.size() * bytes_of_each);
  const ListedFiles& listed = touched.listed;
  for (std::size_t i = 0; i < listed.size(); ++i)
    batch.add(listed.path(i), listed.stat(i), listed.seen_ns(), listed.blob(i));
  for (const FileRecord& record : touched.records) batch.add(record);
  return std::move(batch).finished();
}

// If it fails the lease expires too early, which is no error.
void mark_used(const std::string& path, std::int64_t now_ns) {
  timespec now{.tv_sec = now_ns / 1'000'000'000, .tv_nsec = now_ns % 1'000'000'000};
  timespec times[2] = {now, now};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

std::int64_t last_used_ns(const struct stat& st) {
  return std::int64_t{st.st_mtim.tv_sec} * 1'000'000'000 + st.st_mtim.tv_nsec;
}

// The writer's lock keeps others from reading half a batch.
class FileLock {
 public:
  FileLock(int fd, LockKind kind) : fd_(fd), locked_(lock_file(fd, {}, kind)) {}
  FileLock(FileLock&&) = delete;
  ~FileLock() { unlock_file(fd_); }

  Result<Unit> held(const std::string& id) const {
    if (locked_ == Locked::yes) return Unit{};
    return Error(ErrorCode::unavailable, "Another process keeps " + id + " busy; try again.");
  }

 private:
  int fd_;
  Locked locked_;
};

}  // namespace

LeaseBase Lease::base() const {
  std::lock_guard lock(mutex_);
  return base_;
}

std::vector<FileRecord> Lease::touched() const {
  std::lock_guard lock(mutex_);
  std::vector<FileRecord> records;
  records.reserve(touched_.size() + listed_.size());
  auto other = touched_.begin();
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const std::string_view path = listed_.path(i);
    for (; other != touched_.end() && other->first < path; ++other) records.push_back(other->second);
    if (other == touched_.end() || other->first != path) records.push_back(listed_.record(i));
  }
  for (; other != touched_.end(); ++other) records.push_back(other->second);
  return records;
}

std::vector<FileRecord> Lease::touched_but(const Touched& seen) const {
  std::lock_guard lock(mutex_);
  std::vector<FileRecord> records;
  const ListedFiles& now = seen.listed;
  std::size_t next = 0;  // Of `now`, where both are of one listing.
  auto other = touched_.begin();
  const auto add_others_until = [&](std::string_view path) {
    for (; other != touched_.end() && other->first < path; ++other)
      if (!seen.shows(other->second)) records.push_back(other->second);
  };
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (listed_.same_listing(now)) {
      const std::uint32_t index = listed_.indexes()[i];
      while (next < now.size() && now.indexes()[next] < index) ++next;
      const bool shown = next < now.size() && now.indexes()[next] == index && seen.listed_seen[next] &&
                         (!listed_.blob(i) || listed_.blob(i) == now.blob(next)) &&
                         !is_racy(listed_.stat(i), listed_.seen_ns());
      if (shown) continue;
    }
    const std::string_view path = listed_.path(i);
    add_others_until(path);
    if (other != touched_.end() && other->first == path) continue;
    FileRecord record = listed_.record(i);
    if (!seen.shows(record)) records.push_back(std::move(record));
  }
  for (; other != touched_.end(); ++other)
    if (!seen.shows(other->second)) records.push_back(other->second);
  return records;
}

std::optional<FileRecord> Lease::touched(std::string_view path) const {
  std::lock_guard lock(mutex_);
  if (const auto it = touched_.find(path); it != touched_.end()) return it->second;
  const std::size_t at = listed_.find(path);
  return at == listed_.size() ? std::nullopt : std::optional(listed_.record(at));
}

std::optional<Touched> Lease::unknown_of(const Touched& touched) const {
  const ListedFiles& listed = touched.listed;
  const bool one_listing = listed_.same_listing(listed);
  Touched fresh;
  if (!listed.empty()) fresh.listed = listed.none();
  std::size_t at = 0;  // Of listed_, where both are of one listing.
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::uint32_t index = listed.indexes()[i];
    while (one_listing && at < listed_.size() && listed_.indexes()[at] < index) ++at;
    const bool listed_here = one_listing && at < listed_.size() && listed_.indexes()[at] == index;
    if (listed_here && touched_.empty()) {
      const bool is_known = (listed_.blob(at) == listed.blob(i) || !listed.blob(i)) &&
                            !is_racy(listed_.stat(at), listed_.seen_ns());
      if (!is_known) fresh.listed.add(index, listed.blob(i));
      continue;
    }
    const Held held = holds(listed.record(i));
    if (held == Held::otherwise) return std::nullopt;
    if (held == Held::no) fresh.listed.add(index, listed.blob(i));
  }
  for (const FileRecord& record : touched.records) {
    const Held held = holds(record);
    if (held == Held::otherwise) return std::nullopt;
    if (held == Held::no) fresh.records.push_back(record);
  }
  return fresh;
}

// Whether it says of the file what the record does, and proves it; or says that it was another one.
Lease::Held Lease::holds(const FileRecord& record) const {
  const auto says = [&](const FileStat& stat, std::int64_t seen_ns, const std::optional<BlobId>& blob) {
    if (S_ISDIR(stat.mode) || S_ISDIR(record.stat.mode))
      return stat == record.stat && blob == record.blob ? Held::yes : Held::no;
    if (stat == record.stat && (blob == record.blob || !record.blob) && !is_racy(stat, seen_ns))
      return Held::yes;
    const bool same_content = blob && record.blob && *blob == *record.blob;
    return stat == record.stat || same_content ? Held::no : Held::otherwise;
  };
  if (const auto it = touched_.find(record.path); it != touched_.end())
    return says(it->second.stat, it->second.seen_ns, it->second.blob);
  const std::size_t at = listed_.find(record.path);
  return at == listed_.size() ? Held::no : says(listed_.stat(at), listed_.seen_ns(), listed_.blob(at));
}

// What comes later goes before what was known. Of a second listing the files are kept by themselves.
void Lease::take(Touched touched) {
  const ListedFiles& listed = touched.listed;
  if (listed_.empty()) listed_ = listed.none();
  ListedFiles more = listed.none();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const bool is_new = listed_.same_listing(listed) && listed_.find(listed.indexes()[i]) == listed_.size();
    if (is_new && (touched_.empty() || !touched_.contains(listed.path(i)))) {
      more.add(listed.indexes()[i], listed.blob(i));
    } else {
      touched_.insert_or_assign(std::string(listed.path(i)), listed.record(i));
    }
  }
  if (!more.empty()) listed_.add(more);
  if (listed_.empty()) listed_ = ListedFiles();
  for (FileRecord& record : touched.records) {
    std::string path = record.path;
    touched_.insert_or_assign(std::move(path), std::move(record));
  }
}

Result<std::shared_ptr<Lease>> LeaseStore::issue(const LeaseBase& base, Touched touched) {
  sweep();
  Result<Unit> made = make_folders(folder_);
  if (!made) return std::move(made).error();
  const std::string bytes = encoded_base(base) + encoded_touched(touched);
  std::string id = std::string(id_prefix) + random_name(id_random);
  Result<Unit> written = replace_file(folder_, id, bytes, Durability::process);
  if (!written) return std::move(written).error();
  mark_used(path_of(id), clock_());
  Fd file(::open(path_of(id).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return unknown(id);
  std::shared_ptr<Lease> lease(new Lease(id, std::move(file)));
  lease->base_ = base;
  if (base.status && base.status->size() > status_bytes_max) lease->base_.status.reset();
  lease->take(std::move(touched));
  lease->loaded_bytes_ = bytes.size();
  {
    const std::lock_guard lock(mutex_);
    loaded_.emplace(std::move(id), lease);
  }
  keep(lease);
  return lease;
}

std::shared_ptr<Lease> LeaseStore::find(std::string_view id) {
  {
    std::lock_guard lock(mutex_);
    auto known = loaded_.find(std::string(id));
    if (known != loaded_.end()) return known->second;
  }
  Fd file(::open(path_of(id).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return nullptr;
  std::lock_guard lock(mutex_);
  std::shared_ptr<Lease>& known = loaded_[std::string(id)];
  if (!known) known.reset(new Lease(std::string(id), std::move(file)));
  return known;
}

void LeaseStore::keep(const std::shared_ptr<Lease>& lease) {
  std::lock_guard lock(mutex_);
  if (!recent_.empty() && recent_.back() == lease->id()) return;
  std::erase(recent_, lease->id());
  recent_.push_back(lease->id());
  if (recent_.size() > loaded_max) {
    loaded_.erase(recent_.front());
    recent_.erase(recent_.begin());
  }
}

void LeaseStore::forget(std::string_view id) {
  std::lock_guard lock(mutex_);
  loaded_.erase(std::string(id));
  std::erase(recent_, id);
}

Result<bool> LeaseStore::mark(const std::shared_ptr<Lease>& lease) {
  const std::string& id = lease->id_;
  struct stat st;
  // Others may have removed it.
  const bool is_there = ::fstat(lease->file_.get(), &st) == 0 && st.st_nlink > 0;
  const std::int64_t now = clock_();
  if (!is_there || last_used_ns(st) + unused_ns_max < now) {
    if (is_there) ::unlink(path_of(id).c_str());
    forget(id);
    return unknown(id);
  }
  keep(lease);
  if (last_used_ns(st) + mark_ns < now || last_used_ns(st) > now) mark_used(path_of(id), now);
  // Whoever writes makes it longer.
  return lease->loaded_bytes_ > 0 && static_cast<std::uint64_t>(st.st_size) == lease->loaded_bytes_;
}

Result<std::shared_ptr<Lease>> LeaseStore::use(std::string_view id) {
  if (!is_lease_id(id)) return unknown(id);
  std::shared_ptr<Lease> lease = find(id);
  if (!lease) return unknown(id);
  std::lock_guard lock(lease->mutex_);
  Result<bool> is_whole = mark(lease);
  if (!is_whole) return std::move(is_whole).error();
  if (*is_whole) return lease;
  Result<Unit> caught_up = catch_up(*lease, lease->file_.get());
  if (!caught_up) return std::move(caught_up).error();
  return lease;
}

std::shared_ptr<Lease> LeaseStore::use_at_once(std::string_view id, std::size_t records_max) {
  std::shared_ptr<Lease> lease;
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;
    const auto known = loaded_.find(std::string(id));
    if (known == loaded_.end()) return nullptr;
    lease = known->second;
  }
  const std::unique_lock reading(lease->mutex_, std::try_to_lock);
  if (!reading || lease->touched_.size() + lease->listed_.size() > records_max) return nullptr;
  // Who is still writing would have to be waited for.
  const Result<bool> is_whole = mark(lease);
  return is_whole && *is_whole ? lease : nullptr;
}

// Takes in what the file has beyond what was loaded before.
Result<Unit> LeaseStore::catch_up(Lease& lease, int fd) {
  const FileLock reading(fd, LockKind::shared);
  Result<Unit> held = reading.held(lease.id_);
  if (!held) return held;
  struct stat st;
  if (::fstat(fd, &st) != 0) return unknown(lease.id_);
  auto size = static_cast<std::uint64_t>(st.st_size);
  if (size == lease.loaded_bytes_ && size > 0) return Unit{};
  // Somebody else made it so.
  if (size < lease.loaded_bytes_ || size > folder_bytes_max) return unknown(lease.id_);
  std::string bytes(size - lease.loaded_bytes_, '\0');
  Result<Unit> got = read_at(fd, bytes.data(), bytes.size(), lease.loaded_bytes_);
  if (!got) return got;
  std::string_view rest = bytes;
  while (std::optional<Batch> batch = next_batch(rest)) {
    if (batch->kind == BatchKind::text) {
      std::optional<LeaseBase> base = decoded_base(batch->payload);
      if (!base) return unknown(lease.id_);
      lease.base_ = *std::move(base);
      continue;
    }
    std::optional<std::vector<FileRecord>> records = records_of(*batch);
    if (!records) return unknown(lease.id_);
    for (FileRecord& record : *records) lease.touched_[record.path] = std::move(record);
  }
  if (!rest.empty() || lease.base_.fingerprint.status_hash.empty()) return unknown(lease.id_);
  lease.loaded_bytes_ = size;
  return Unit{};
}

Result<Unit> LeaseStore::touch(Lease& lease, const Touched& touched) {
  std::optional<Touched> fresh;
  {
    // Of two calls that were shown different contents of a file, and were both found to be right before
    // either came here, one is refused: what is compared is taken at once.
    std::lock_guard lock(lease.mutex_);
    fresh = lease.unknown_of(touched);
    if (fresh && fresh->size() > 0) lease.take(*fresh);
  }
  if (!fresh)
    return Error(ErrorCode::repo_changed, "The work tree kept changing while it was read; try again.");
  if (fresh->size() == 0) return Unit{};
  return append(lease, encoded_touched(*fresh), true);
}

Result<Unit> LeaseStore::move(Lease& lease, const LeaseBase& base, const std::vector<FileRecord>& records) {
  std::string batches = encoded_base(base);
  if (!records.empty()) batches += encoded_records(records);
  return append(lease, batches, false);
}

Result<Unit> LeaseStore::append(Lease& lease, std::string_view batches, bool taken) {
  Fd fd(::open(path_of(lease.id_).c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return unknown(lease.id_);
  struct stat before;
  {
    const FileLock writing(fd.get(), LockKind::alone);
    Result<Unit> held = writing.held(lease.id_);
    if (!held) return held;
    if (::fstat(fd.get(), &before) != 0) return unknown(lease.id_);
    Result<Unit> written = write_at(fd.get(), batches, static_cast<std::uint64_t>(before.st_size));
    if (!written) {
      // Half a batch would make the lease unreadable.
      if (::ftruncate(fd.get(), before.st_size) != 0) ::unlink(path_of(lease.id_).c_str());
      return written;
    }
  }
  mark_used(path_of(lease.id_), clock_());
  std::lock_guard lock(lease.mutex_);
  // If nobody wrote in between, and nobody has read it since.
  if (taken && lease.loaded_bytes_ == static_cast<std::uint64_t>(before.st_size)) {
    lease.loaded_bytes_ += batches.size();
    return Unit{};
  }
  return catch_up(lease, fd.get());
}

void LeaseStore::sweep() {
  std::int64_t now = clock_();
  {
    std::lock_guard lock(mutex_);
    const bool was_set_back = now < next_sweep_ns_ - sweep_ns;
    if (now < next_sweep_ns_ && !was_set_back) return;
    next_sweep_ns_ = now + sweep_ns;
  }
  sweep_temporaries(folder_);
  std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder_.c_str()), &::closedir);
  if (!entries) return;
  struct Found {
    std::int64_t used_ns;
    std::uint64_t bytes;
    std::string name;
  };
  std::vector<Found> found;
  std::uint64_t sum = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    struct stat st;
    if (!is_lease_id(entry->d_name)) continue;
    if (::fstatat(::dirfd(entries.get()), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    Found lease{last_used_ns(st), static_cast<std::uint64_t>(st.st_size), entry->d_name};
    if (lease.bytes > folder_bytes_max) lease.used_ns = 0;  // No lease of ours: the others stay for it.
    sum += lease.bytes;
    found.push_back(std::move(lease));
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.used_ns < b.used_ns; });
  std::size_t left = found.size();
  for (const Found& lease : found) {
    if (lease.used_ns + unused_ns_max >= now && sum <= folder_bytes_max && left <= leases_max) break;
    if (::unlinkat(::dirfd(entries.get()), lease.name.c_str(), 0) != 0) continue;
    sum -= lease.bytes;
    --left;
  }
}

}  // namespace snapgen::core
