#include "tools/engine/search/trigram_filter_cache.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {
namespace {

constexpr std::string_view trigram_filters_file_name = "signatures";
// A record: the content's hash, the length of its trigram filter (two bytes, little-endian), the filter.
constexpr std::size_t hash_bytes = 32;
constexpr std::size_t trigram_filter_header_bytes = hash_bytes + 2;
constexpr std::size_t trigram_filter_bytes_max = 0xffff;
constexpr std::size_t places_min = 1024;
// If the file has more filters per content in use than this, most are of deleted files.
constexpr std::size_t kept_per_content = 4;
constexpr std::size_t kept_min = 4096;

std::size_t length_at(const char* record) {
  return static_cast<std::uint8_t>(record[hash_bytes]) |
         static_cast<std::size_t>(static_cast<std::uint8_t>(record[hash_bytes + 1])) << 8;
}

// SHA-256 digests are uniformly distributed, so a prefix serves as hash.
std::size_t place_of(const char* record) {
  std::size_t value = 0;
  std::memcpy(&value, record, sizeof value);
  return value;
}

std::string encoded_trigram_filters(const std::vector<ContentFilter>& contents) {
  std::string payload;
  for (const auto& [blob, trigram_filter] : contents) {
    if (trigram_filter.size() > trigram_filter_bytes_max) continue;
    payload += bytes_of(blob.digest);
    payload += static_cast<char>(trigram_filter.size() & 0xff);
    payload += static_cast<char>(trigram_filter.size() >> 8);
    payload += trigram_filter;
  }
  return encoded_batch(BatchKind::filters, payload);
}

}  // namespace

class TrigramFilterTable::Mapping {
 public:
  Mapping(int fd, std::size_t bytes) {
    void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) bytes_ = {static_cast<const char*>(mapped), bytes};
  }
  Mapping(Mapping&&) = delete;
  ~Mapping() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

std::optional<TrigramFilter> TrigramFilterTable::find(const BlobId& blob) const {
  if (places_.empty()) return std::nullopt;
  const char* const wanted = bytes_of(blob.digest).data();
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = place_of(wanted) & mask; places_[at] != nullptr; at = (at + 1) & mask) {
    if (std::memcmp(places_[at], wanted, hash_bytes) != 0) continue;
    return TrigramFilter::decoded({places_[at] + trigram_filter_header_bytes, length_at(places_[at])});
  }
  return std::nullopt;
}

void TrigramFilterTable::add_all(std::string_view payload) {
  while (payload.size() >= trigram_filter_header_bytes) {
    const char* const record = payload.data();
    const std::size_t length = trigram_filter_header_bytes + length_at(record);
    if (payload.size() < length) return;
    add(record);
    payload.remove_prefix(length);
  }
}

void TrigramFilterTable::add(const char* record) {
  if (2 * (count_ + 1) > places_.size()) grow();
  const std::size_t mask = places_.size() - 1;
  std::size_t at = place_of(record) & mask;
  for (; places_[at] != nullptr; at = (at + 1) & mask)
    if (std::memcmp(places_[at], record, hash_bytes) == 0) return;
  places_[at] = record;
  ++count_;
}

void TrigramFilterTable::grow() {
  const std::vector<const char*> before = std::move(places_);
  places_.assign(std::max(places_min, 2 * before.size()), nullptr);
  count_ = 0;
  for (const char* const record : before)
    if (record != nullptr) add(record);
}

std::shared_ptr<const TrigramFilterTable> TrigramFilterCache::table() {
  const std::lock_guard lock(mutex_);
  if (!table_) table_ = load(nullptr);
  return table_;
}

// Loads the part of the file after `before`, or all of it if the file was replaced.
std::shared_ptr<const TrigramFilterTable> TrigramFilterCache::load(const TrigramFilterTable* before) const {
  auto out = std::make_shared<TrigramFilterTable>();
  const Fd fd(::open((folder_ + "/" + std::string(trigram_filters_file_name)).c_str(),
                     O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0) return out;
  const auto size = static_cast<std::size_t>(st.st_size);
  out->device_ = st.st_dev;
  out->inode_ = st.st_ino;
  // This program does not write files of this size.
  if (size > 2 * file_bytes_max_) {
    out->torn_ = true;
    return out;
  }
  auto mapping = std::make_shared<const TrigramFilterTable::Mapping>(fd.get(), size);
  if (mapping->bytes().empty()) return out;
  const std::string_view bytes = mapping->bytes();
  const bool goes_on = before != nullptr && before->file_ && before->device_ == out->device_ &&
                       before->inode_ == out->inode_ && before->read_bytes_ <= size;
  if (goes_on) {
    out->count_ = before->count_;
    out->places_ = before->places_;
    const char* const old = before->file_->bytes().data();
    for (const char*& slot : out->places_)
      if (slot != nullptr) slot = bytes.data() + (slot - old);
    out->read_bytes_ = before->read_bytes_;
  }
  out->file_ = std::move(mapping);
  std::string_view rest = bytes.substr(out->read_bytes_);
  while (const std::optional<Batch> batch = next_batch(rest)) {
    // Earlier versions wrote texts: filters of bytes that are not UTF-8, which would exclude their text.
    if (batch->kind != BatchKind::filters) break;
    out->add_all(batch->payload);
    out->read_bytes_ = bytes.size() - rest.size();
  }
  out->torn_ = out->read_bytes_ != size;
  return out;
}

void TrigramFilterCache::add(const std::vector<ContentFilter>& fresh, std::size_t contents) {
  if (fresh.empty()) return;
  const std::string batch = encoded_trigram_filters(fresh);
  const std::lock_guard lock(mutex_);
  if (!table_) table_ = load(nullptr);
  if (!make_folders(folder_)) return;
  const std::size_t size = table_->file_ ? table_->file_->bytes().size() : 0;
  const bool is_full = size + batch.size() > file_bytes_max_;
  const bool is_old = table_->count_ > kept_min + kept_per_content * contents;
  // A full cache is replaced once, which drops the filters of deleted files. If it is full again, nothing is
  // added.
  if (is_full && (batch.size() > file_bytes_max_ || std::exchange(was_replaced_, true))) return;
  if (is_full || is_old || table_->torn_ || size == 0) {
    if (!replace_file(folder_, trigram_filters_file_name, batch, Durability::process_crash)) return;
    table_ = load(nullptr);
    return;
  }
  const Fd fd(::open((folder_ + "/" + std::string(trigram_filters_file_name)).c_str(),
                     O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  // A single write(), so that batches of several processes do not interleave.
  if (!fd || ::write(fd.get(), batch.data(), batch.size()) != static_cast<ssize_t>(batch.size())) return;
  table_ = load(table_.get());
}

void TrigramFilterCache::release_memory() {
  const std::lock_guard lock(mutex_);
  table_.reset();
}

}  // namespace snapgen::core
