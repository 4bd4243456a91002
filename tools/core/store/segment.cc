#include "tools/core/store/segment.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/store/durable.h"

namespace snapgen::core {
namespace {

static_assert(std::endian::native == std::endian::little, "the store's integers are copied as they stand");

constexpr std::string_view segment_magic("snapgen segment1", 16);
constexpr std::string_view index_magic("snapgen index 01", 16);
constexpr std::uint32_t record_magic = 0x31626c42;  // "Blb1"
constexpr std::size_t index_header_bytes = 40;      // magic, covered, count, check
constexpr std::size_t index_entry_bytes = 56;       // id, offset, stored, raw
constexpr std::uint64_t unasked_bytes_max = 1 << 20;

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::uint64_t check_of(std::string_view bytes) {
  Sha256::Digest digest = sha256(bytes);
  return load<std::uint64_t>(bytes_of(digest).data());
}

}  // namespace

Error damaged(const BlobId& id, const std::string& segment, std::uint64_t offset, std::string_view why) {
  return Error(ErrorCode::internal, "The blob " + id.text() + " in the snapshot store is damaged.",
               "{\"blob\":\"" + id.text() + "\"}",
               "segment " + segment + " at " + std::to_string(offset) + ": " + std::string(why));
}

std::string RecordHeader::encoded() const {
  std::string out;
  out.reserve(record_header_bytes);
  append(out, record_magic);
  append(out, static_cast<std::uint32_t>(codec));
  append(out, raw_bytes);
  append(out, stored_bytes);
  out.append(bytes_of(id.digest));
  append(out, check_of(out));
  return out;
}

std::optional<RecordHeader> RecordHeader::decoded(const char* bytes) {
  if (load<std::uint32_t>(bytes) != record_magic) return std::nullopt;
  if (load<std::uint64_t>(bytes + 56) != check_of({bytes, 56})) return std::nullopt;
  std::uint32_t codec = load<std::uint32_t>(bytes + 4);
  if (codec > static_cast<std::uint32_t>(Codec::lz4)) return std::nullopt;
  RecordHeader header{.codec = static_cast<Codec>(codec),
                      .raw_bytes = load<std::uint64_t>(bytes + 8),
                      .stored_bytes = load<std::uint64_t>(bytes + 16),
                      .id = {}};
  if (header.codec == Codec::lz4 && header.raw_bytes > lz4_bytes_max) return std::nullopt;
  std::memcpy(header.id.digest.data(), bytes + 24, header.id.digest.size());
  return header;
}

Segment::Segment(std::string folder, std::string name, Fd fd)
    : folder_(std::move(folder)), name_(std::move(name)), fd_(std::move(fd)) {}

Segment::~Segment() {
  if (!index_.empty()) ::munmap(const_cast<char*>(index_.data()), index_.size());
}

Result<std::shared_ptr<Segment>> Segment::open(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + ".seg";
  Fd fd(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && (errno == EACCES || errno == EROFS))
    fd = Fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && errno == ENOENT)
    return Error(ErrorCode::not_found, "A segment of the snapshot store is gone.", {}, path);
  if (!fd) return Error(ErrorCode::unavailable, "Cannot open a segment of the snapshot store.", {}, path);
  std::shared_ptr<Segment> segment(new Segment(folder, name, std::move(fd)));
  Result<Unit> fresh = segment->refresh();
  if (!fresh) return std::move(fresh).error();
  return segment;
}

// Under a name that nobody looks for until it is locked.
Result<std::shared_ptr<Segment>> Segment::create(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + ".seg";
  std::string temporary = folder + "/" + std::string(temporary_prefix) + name;
  Fd fd(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd)
    return Error(ErrorCode::unavailable, "Cannot make a segment of the snapshot store.", {},
                 path + ": " + std::strerror(errno));
  std::shared_ptr<Segment> segment(new Segment(folder, name, std::move(fd)));
  Result<Unit> done = write_at(segment->fd(), segment_magic, 0);
  if (done && (!segment->lock() || ::rename(temporary.c_str(), path.c_str()) != 0)) {
    done = Error(ErrorCode::unavailable, "Cannot make a segment of the snapshot store.", {},
                 path + ": " + std::strerror(errno));
  }
  if (done) return segment;
  ::unlink(temporary.c_str());
  return std::move(done).error();
}

bool Segment::lock() { return ::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }

void Segment::unlock() { ::flock(fd_.get(), LOCK_UN); }

bool Segment::ends_cleanly() const {
  struct stat st;
  return ::fstat(fd_.get(), &st) == 0 && st.st_nlink > 0 && static_cast<std::uint64_t>(st.st_size) == end_;
}

void Segment::cut() {
  const Result<std::uint64_t> size = this->size();
  if (!size || *size <= end_) return;  // What is not written yet is not to be made of zeros.
  int cut = ::ftruncate(fd_.get(), static_cast<off_t>(end_));
  (void)cut;
}

Result<std::uint64_t> Segment::size() const {
  struct stat st;
  if (::fstat(fd_.get(), &st) != 0)
    return Error(ErrorCode::unavailable, "Cannot examine the snapshot store.");
  return static_cast<std::uint64_t>(st.st_size);
}

Result<Unit> Segment::refresh() {
  Result<Unit> loaded = load_index();
  if (!loaded) return loaded;
  return scan();
}

// A missing, older or unusable index is no error: scanning finds everything.
Result<Unit> Segment::load_index() {
  Fd fd(::open((folder_ + "/" + name_ + ".idx").c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return Unit{};
  auto size = static_cast<std::size_t>(st.st_size);
  char header[index_header_bytes];
  if (size < sizeof header || !read_at(fd.get(), header, sizeof header, 0)) return Unit{};
  std::uint64_t covered = load<std::uint64_t>(header + 16);
  std::uint64_t count = load<std::uint64_t>(header + 24);
  const std::size_t entries_bytes = size - index_header_bytes;
  if (std::string_view(header, 16) != index_magic ||
      load<std::uint64_t>(header + 32) != check_of({header, 32}) || covered <= covered_ ||
      entries_bytes % index_entry_bytes != 0 || count != entries_bytes / index_entry_bytes) {
    return Unit{};
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (mapped == MAP_FAILED) return Unit{};
  if (!index_.empty()) ::munmap(const_cast<char*>(index_.data()), index_.size());
  index_ = {static_cast<const char*>(mapped), size};
  index_count_ = count;
  covered_ = covered;
  end_ = std::max(end_, covered);
  std::erase_if(tail_, [&](const auto& item) { return item.second.place.offset < covered; });
  return Unit{};
}

Result<Unit> Segment::scan() {
  Result<std::uint64_t> size = this->size();
  if (!size) return std::move(size).error();
  while (std::optional<RecordHeader> header = header_at(end_, *size)) {
    BlobPlace place{.offset = end_, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes};
    tail_.insert_or_assign(header->id, Tail{.place = place, .verified = false});
    end_ += record_header_bytes + header->stored_bytes;
  }
  return Unit{};
}

std::optional<RecordHeader> Segment::header_at(std::uint64_t offset, std::uint64_t size) const {
  char bytes[record_header_bytes];
  if (offset + record_header_bytes > size || !read_at(fd_.get(), bytes, sizeof bytes, offset))
    return std::nullopt;
  std::optional<RecordHeader> header = RecordHeader::decoded(bytes);
  if (header && header->stored_bytes > size - offset - record_header_bytes) return std::nullopt;
  return header;
}

bool Segment::distrust_index(const BlobId& id) {
  std::optional<BlobPlace> place = find_in_index(id);
  if (index_lied_ || !place || expected_header(id, *place)) return false;
  index_lied_ = true;
  std::vector<std::uint64_t> offsets;
  for (const auto& [one, where] : index_entries()) offsets.push_back(where.offset);
  std::sort(offsets.begin(), offsets.end());
  std::uint64_t at = segment_header_bytes;
  while (at < covered_) {
    std::optional<RecordHeader> header = header_at(at, covered_);
    if (!header) {  // A damaged header; the index still knows where some others are.
      auto next = std::upper_bound(offsets.begin(), offsets.end(), at);
      if (next == offsets.end()) break;
      at = *next;
      continue;
    }
    BlobPlace found{.offset = at, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes};
    tail_.insert_or_assign(header->id, Tail{.place = found, .verified = false});
    at += record_header_bytes + header->stored_bytes;
  }
  return true;
}

std::vector<std::pair<BlobId, BlobPlace>> Segment::index_entries() const {
  std::vector<std::pair<BlobId, BlobPlace>> entries(index_count_);
  for (std::uint64_t i = 0; i < index_count_; ++i) {
    const char* bytes = index_.data() + index_header_bytes + i * index_entry_bytes;
    std::memcpy(entries[i].first.digest.data(), bytes, entries[i].first.digest.size());
    entries[i].second = BlobPlace{.offset = load<std::uint64_t>(bytes + 32),
                                  .stored_bytes = load<std::uint64_t>(bytes + 40),
                                  .raw_bytes = load<std::uint64_t>(bytes + 48)};
  }
  return entries;
}

std::optional<BlobPlace> Segment::find(const BlobId& id) const {
  if (auto it = tail_.find(id); it != tail_.end()) return it->second.place;
  return find_in_index(id);
}

std::optional<BlobPlace> Segment::find_in_index(const BlobId& id) const {
  if (index_count_ == 0) return std::nullopt;  // A segment that is still written has no index to point into.
  const char* entries = index_.data() + index_header_bytes;
  std::uint64_t low = 0;
  std::uint64_t high = index_count_;
  while (low < high) {
    std::uint64_t middle = low + (high - low) / 2;
    const char* entry = entries + middle * index_entry_bytes;
    int order = std::memcmp(entry, id.digest.data(), id.digest.size());
    if (order == 0) {
      return BlobPlace{.offset = load<std::uint64_t>(entry + 32),
                       .stored_bytes = load<std::uint64_t>(entry + 40),
                       .raw_bytes = load<std::uint64_t>(entry + 48)};
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

Segment::Tail* Segment::find_in_tail(const BlobId& id) {
  auto it = tail_.find(id);
  return it == tail_.end() ? nullptr : &it->second;
}

Result<RecordHeader> Segment::expected_header(const BlobId& id, const BlobPlace& place) const {
  char bytes[record_header_bytes];
  Result<Unit> got = read_at(fd_.get(), bytes, sizeof bytes, place.offset);
  if (!got) return damaged(id, name_, place.offset, got.error().message);
  std::optional<RecordHeader> header = RecordHeader::decoded(bytes);
  if (!header || header->id != id || header->stored_bytes != place.stored_bytes ||
      header->raw_bytes != place.raw_bytes) {
    return damaged(id, name_, place.offset, "its header is not what the index says");
  }
  return *header;
}

Result<std::string> Segment::read(const BlobId& id, const BlobPlace& place) const {
  Result<RecordHeader> header = expected_header(id, place);
  if (!header) return std::move(header).error();
  // An index is believed, but not for much memory.
  if (place.stored_bytes > unasked_bytes_max) {
    Result<std::uint64_t> size = this->size();
    if (!size) return std::move(size).error();
    if (place.stored_bytes > *size) return damaged(id, name_, place.offset, "it is longer than its segment");
  }
  std::string stored(place.stored_bytes, '\0');
  Result<Unit> got = read_at(fd_.get(), stored.data(), stored.size(), place.offset + record_header_bytes);
  if (!got) return damaged(id, name_, place.offset, got.error().message);
  Result<std::string> raw = decompressed(header->codec, std::move(stored), header->raw_bytes);
  if (!raw) return damaged(id, name_, place.offset, raw.error().message);
  if (blob_id_of(*raw) != id) return damaged(id, name_, place.offset, "its content has another hash");
  return raw;
}

void Segment::appended(const BlobId& id, const BlobPlace& place) {
  tail_.insert_or_assign(id, Tail{.place = place, .verified = true});
  end_ = place.offset + record_header_bytes + place.stored_bytes;
}

void Segment::withdraw(std::uint64_t offset) {
  std::erase_if(tail_, [&](const auto& item) { return item.second.place.offset >= offset; });
  end_ = std::min(end_, offset);
}

void Segment::rest() const {
  if (!index_.empty()) ::madvise(const_cast<char*>(index_.data()), index_.size(), MADV_DONTNEED);
}

Result<Unit> Segment::write_index() {
  std::vector<std::pair<BlobId, BlobPlace>> entries = index_entries();
  std::erase_if(entries, [&](const auto& entry) { return tail_.contains(entry.first); });
  entries.reserve(index_count_ + tail_.size());
  for (auto& [id, tail] : tail_) {
    if (!tail.verified && !read(id, tail.place)) continue;
    entries.emplace_back(id, tail.place);
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  std::string file(index_magic);
  file.reserve(index_header_bytes + entries.size() * index_entry_bytes);
  append(file, end_);
  append(file, static_cast<std::uint64_t>(entries.size()));
  append(file, check_of(file));
  for (const auto& [id, place] : entries) {
    file.append(bytes_of(id.digest));
    append(file, place.offset);
    append(file, place.stored_bytes);
    append(file, place.raw_bytes);
  }
  Result<Unit> written = replace_file(folder_, name_ + ".idx", file, Durability::machine);
  if (!written) return written;
  return load_index();
}

std::optional<std::vector<std::string>> segment_names(const std::string& folder) {
  std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), &::closedir);
  if (!entries) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    std::string_view name = entry->d_name;
    if (name.ends_with(".seg")) names.emplace_back(name.substr(0, name.size() - 4));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace snapgen::core
