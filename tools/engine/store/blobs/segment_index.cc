#include "tools/engine/store/blobs/segment_index.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/integers.h"

namespace snapgen::core {
namespace {

constexpr std::string_view any_magic("snapgen index ", 14);
constexpr std::string_view older_magic("snapgen index 01", 16);
constexpr std::string_view magic("snapgen index 02", 16);
constexpr std::size_t older_header_bytes = 40;  // The fields: magic, covered, count, check.
constexpr std::size_t index_header_bytes = 48;
constexpr std::size_t entry_bytes = 56;
constexpr std::size_t index_read_bytes = 256 << 10;

std::uint64_t check_from(const Sha256::Digest& digest) {
  return integer_at<std::uint64_t>(bytes_of(digest).data());
}

// The checksum of a part of the file. Uses read(), not the mapping: an I/O error is an errno there, but
// SIGBUS in a mapping.
std::optional<std::uint64_t> check_of_file(int fd, std::uint64_t from, std::uint64_t until) {
  Sha256 hasher;
  std::string piece;
  while (from < until) {
    piece.resize(std::min<std::uint64_t>(index_read_bytes, until - from));
    if (!read_at(fd, piece.data(), piece.size(), from)) return std::nullopt;
    hasher.update(piece);
    from += piece.size();
  }
  return check_from(hasher.digest());
}

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) { return check_from(sha256(bytes)); }

IndexFile open_index_file(const std::string& path) {
  IndexFile file;
  file.fd = Fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  struct stat st;
  if (!file.fd || ::fstat(file.fd.get(), &st) != 0) return file;
  file.state = IndexFile::State::wrong;
  file.bytes = static_cast<std::uint64_t>(st.st_size);
  char header[index_header_bytes] = {};
  const std::size_t there = std::min<std::size_t>(file.bytes, sizeof header);
  if (there < older_header_bytes || !read_at(file.fd.get(), header, there, 0)) return file;
  const std::string_view begin(header, magic.size());
  const bool is_older = begin == older_magic;
  if (begin != magic && !is_older) {
    if (begin.starts_with(any_magic)) file.state = IndexFile::State::older;
    return file;
  }
  const std::size_t whole = is_older ? older_header_bytes : index_header_bytes;
  const std::size_t checked = whole - sizeof(std::uint64_t);
  if (there < whole || integer_at<std::uint64_t>(header + checked) != checksum_of({header, checked}))
    return file;
  file.covered_bytes = integer_at<std::uint64_t>(header + 16);
  file.count = integer_at<std::uint64_t>(header + 24);
  const std::uint64_t rest = file.bytes - whole;
  const bool fits = rest % entry_bytes == 0 && file.count == rest / entry_bytes;
  if (fits) file.state = is_older ? IndexFile::State::older : IndexFile::State::sound;
  return file;
}

bool SegmentIndex::map(const IndexFile& file) {
  char expected[sizeof(std::uint64_t)];
  if (file.state != IndexFile::State::sound || !read_at(file.fd.get(), expected, sizeof expected, 32) ||
      check_of_file(file.fd.get(), index_header_bytes, file.bytes) != integer_at<std::uint64_t>(expected)) {
    return false;
  }
  void* mapped = ::mmap(nullptr, file.bytes, PROT_READ, MAP_SHARED, file.fd.get(), 0);
  if (mapped == MAP_FAILED) return false;
  clear();
  mapped_ = {static_cast<const char*>(mapped), file.bytes};
  bytes_ = mapped_.substr(index_header_bytes);
  count_ = file.count;
  return true;
}

void SegmentIndex::make(std::vector<BlobEntry> entries, std::uint64_t covered) {
  clear();
  made_ = encoded_index(std::move(entries), covered);
  bytes_ = std::string_view(made_).substr(index_header_bytes);
  count_ = bytes_.size() / entry_bytes;
}

void SegmentIndex::clear() {
  if (!mapped_.empty()) ::munmap(const_cast<char*>(mapped_.data()), mapped_.size());
  mapped_ = {};
  std::string().swap(made_);
  bytes_ = {};
  count_ = 0;
}

BlobEntry SegmentIndex::entry(std::uint64_t index) const {
  const char* bytes = bytes_.data() + index * entry_bytes;
  BlobEntry entry;
  std::memcpy(entry.first.digest.data(), bytes, entry.first.digest.size());
  entry.second = BlobLocation{.offset = integer_at<std::uint64_t>(bytes + 32),
                              .stored_bytes = integer_at<std::uint64_t>(bytes + 40),
                              .raw_bytes = integer_at<std::uint64_t>(bytes + 48)};
  return entry;
}

std::optional<BlobLocation> SegmentIndex::find(const BlobId& id) const {
  std::uint64_t low = 0;
  std::uint64_t high = count_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const int order = std::memcmp(bytes_.data() + middle * entry_bytes, id.digest.data(), id.digest.size());
    if (order == 0) return entry(middle).second;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

std::vector<BlobEntry> SegmentIndex::entries() const {
  std::vector<BlobEntry> entries(count_);
  for (std::uint64_t i = 0; i < count_; ++i) entries[i] = entry(i);
  return entries;
}

void SegmentIndex::release_memory() const {
  if (!mapped_.empty()) ::madvise(const_cast<char*>(mapped_.data()), mapped_.size(), MADV_DONTNEED);
}

std::string encoded_index(std::vector<BlobEntry> entries, std::uint64_t covered) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const BlobEntry& a, const BlobEntry& b) { return a.first < b.first; });
  std::string body;
  body.reserve(entries.size() * entry_bytes);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [id, location] = entries[i];
    if (i + 1 < entries.size() && entries[i + 1].first == id) continue;
    body.append(bytes_of(id.digest));
    append_integer(body, location.offset);
    append_integer(body, location.stored_bytes);
    append_integer(body, location.raw_bytes);
    ++count;
  }
  std::string file(magic);
  file.reserve(index_header_bytes + body.size());
  append_integer(file, covered);
  append_integer(file, count);
  append_integer(file, checksum_of(body));
  append_integer(file, checksum_of(file));
  return file += body;
}

}  // namespace snapgen::core
