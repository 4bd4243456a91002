#include "tools/engine/store/caches/stat_cache.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/files/durable.h"

namespace snapgen::core {
namespace {

constexpr std::string_view stats_file_name = "stats";
// More later records than this, and than 1/4 of all records, are merged into the first batch.
constexpr std::size_t later_records_max = 4096;
// Longer appended batches than this, and than the first batch, are mostly duplicates; the file is then
// rewritten.
constexpr off_t appended_bytes_max = 1 << 20;

}  // namespace

StatCache::~StatCache() { unload(); }

std::optional<BlobId> StatCache::find(std::string_view path, const FileStat& stat) {
  std::shared_lock reading(mutex_);
  if (!loaded_) {
    reading.unlock();
    {
      std::lock_guard lock(mutex_);
      load();
    }
    reading.lock();
  }
  auto it = later_.find(path);
  if (it != later_.end()) {
    if (it->second.stat != stat || is_racy(stat, it->second.seen_ns)) return std::nullopt;
    return it->second.blob;
  }
  std::optional<RecordView> record = find_ordered(path);
  if (!record || record->stat != stat || is_racy(stat, record->seen_ns)) return std::nullopt;
  return record->blob;
}

RecordView StatCache::ordered(std::size_t index) const {
  std::string_view rest = payload_.substr(offsets_[index]);
  return *next_record(rest);
}

// Callers that ask in sorted order find each record directly after the previous one.
std::optional<RecordView> StatCache::find_ordered(std::string_view path) const {
  static thread_local std::size_t hint = 0;
  if (hint < offsets_.size()) {
    RecordView next = ordered(hint);
    if (next.path == path) {
      ++hint;
      return next;
    }
  }
  auto found = std::partition_point(offsets_.begin(), offsets_.end(), [&](const std::uint32_t& offset) {
    return ordered(static_cast<std::size_t>(&offset - offsets_.data())).path < path;
  });
  if (found == offsets_.end()) return std::nullopt;
  auto index = static_cast<std::size_t>(found - offsets_.begin());
  RecordView record = ordered(index);
  if (record.path != path) return std::nullopt;
  hint = index + 1;
  return record;
}

void StatCache::remember(const std::vector<FileRecord>& records) {
  std::lock_guard lock(mutex_);
  load();
  std::vector<const FileRecord*> fresh;
  for (const FileRecord& record : records) {
    // A record with a racy stat would prove nothing.
    if (!record.blob || is_racy(record.stat, record.seen_ns)) continue;
    auto it = later_.find(record.path);
    if (it != later_.end()) {
      if (it->second.stat == record.stat && it->second.blob == record.blob) continue;
    } else {
      std::optional<RecordView> known = find_ordered(record.path);
      if (known && known->stat == record.stat && known->blob == record.blob) continue;
    }
    fresh.push_back(&record);
  }
  if (fresh.empty() || !make_folders(folder_)) return;
  std::size_t later = later_.size() + fresh.size();
  if (torn_ || file_.empty() || (later > later_records_max && later > offsets_.size() / 4))
    return rewrite(fresh);
  RecordBatch batch;
  for (const FileRecord* record : fresh) batch.add(*record);
  std::string bytes = std::move(batch).finish();
  Fd fd(::open((folder_ + "/" + std::string(stats_file_name)).c_str(),
               O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return;
  const auto in_order = static_cast<off_t>(payload_.size());
  if (st.st_size - in_order > std::max(appended_bytes_max, in_order)) return rewrite(fresh);
  // A single write(), so that batches of several processes do not interleave.
  if (::write(fd.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return;
  for (const FileRecord* record : fresh) later_.insert_or_assign(record->path, *record);
}

// Writes a single batch with the newest record of each path.
void StatCache::rewrite(const std::vector<const FileRecord*>& fresh) {
  std::vector<const FileRecord*> newer = fresh;
  auto path_less = [](const FileRecord* a, const FileRecord* b) { return a->path < b->path; };
  if (!std::is_sorted(newer.begin(), newer.end(), path_less))
    std::sort(newer.begin(), newer.end(), path_less);
  for (const auto& [path, record] : later_) {
    if (!std::binary_search(newer.begin(), newer.begin() + static_cast<std::ptrdiff_t>(fresh.size()), &record,
                            path_less)) {
      newer.push_back(&record);
    }
  }
  if (newer.size() > fresh.size()) std::sort(newer.begin(), newer.end(), path_less);
  RecordBatch batch;
  std::size_t bytes = payload_.size() + 128;
  for (const FileRecord* record : newer) bytes += record->path.size() + 128;
  batch.reserve(bytes);
  std::size_t old = 0;
  for (const FileRecord* record : newer) {
    while (old < offsets_.size() && ordered(old).path < record->path)
      batch.add_encoded(ordered(old++).encoded);
    if (old < offsets_.size() && ordered(old).path == record->path) ++old;
    batch.add(*record);
  }
  while (old < offsets_.size()) batch.add_encoded(ordered(old++).encoded);
  Result<Unit> replaced =
      replace_file(folder_, stats_file_name, std::move(batch).finish(), Durability::process_crash);
  (void)replaced;
  unload();
}

void StatCache::release_memory() {
  std::lock_guard lock(mutex_);
  unload();
}

void StatCache::unload() {
  if (!file_.empty()) ::munmap(const_cast<char*>(file_.data()), file_.size());
  file_ = payload_ = {};
  offsets_ = {};
  later_.clear();
  loaded_ = torn_ = false;
}

void StatCache::load() {
  if (std::exchange(loaded_, true)) return;
  Fd fd(::open((folder_ + "/" + std::string(stats_file_name)).c_str(),
               O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) return;
  auto size = static_cast<std::size_t>(st.st_size);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (mapped == MAP_FAILED) return;
  file_ = {static_cast<const char*>(mapped), size};
  std::string_view rest = file_;
  while (std::optional<Batch> batch = next_batch(rest)) {
    if (batch->kind != BatchKind::records) break;
    if (payload_.empty()) {
      load_ordered(batch->payload);
      continue;
    }
    std::optional<std::vector<FileRecord>> records = records_of(*batch);
    if (!records) break;
    for (FileRecord& record : *records) later_.insert_or_assign(record.path, record);
  }
  torn_ = torn_ || !rest.empty();
}

void StatCache::load_ordered(std::string_view payload) {
  payload_ = payload;
  std::string_view rest = payload;
  std::string_view before;
  while (!rest.empty()) {
    std::size_t offset = payload.size() - rest.size();
    std::optional<RecordView> record = next_record(rest);
    if (!record || offset > std::numeric_limits<std::uint32_t>::max() ||
        (!offsets_.empty() && record->path <= before)) {
      offsets_.clear();  // The batch is from another program or an old version.
      torn_ = true;
      return;
    }
    before = record->path;
    offsets_.push_back(static_cast<std::uint32_t>(offset));
  }
}

}  // namespace snapgen::core
