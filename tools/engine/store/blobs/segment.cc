#include "tools/engine/store/blobs/segment.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/integers.h"
#include "tools/engine/store/blobs/record_walk.h"

namespace snapgen::core {
namespace {

constexpr std::string_view segment_magic("snapgen segment1", 16);
constexpr std::uint64_t unasked_bytes_max = 1 << 20;

// The largest stored size of a content: zstd adds less than 1/100 to an incompressible stream.
std::uint64_t stored_bytes_max(std::uint64_t raw_bytes) { return raw_bytes + raw_bytes / 64 + 1024; }

Error creation_error(const std::string& path) {
  return Error(
      ErrorCode::unavailable,
      "A file of the snapshot store cannot be created. snap doctor checks its permissions and free space.",
      {}, path + ": " + std::strerror(errno));
}

}  // namespace

Error damaged_record_error(const BlobId& id, const std::string& segment, std::uint64_t offset,
                           std::string_view why) {
  return Error(
      ErrorCode::internal,
      "The blob " + id.text() + " in the snapshot store is damaged. " + std::string(verify_store_sentence),
      ErrorDetails().add("blob", id.text()),
      "segment " + segment + " at " + std::to_string(offset) + ": " + std::string(why));
}

std::string RecordHeader::encoded() const {
  std::string out;
  out.reserve(record_header_bytes);
  out.append(record_magic);
  append_integer(out, static_cast<std::uint32_t>(codec));
  append_integer(out, raw_bytes);
  append_integer(out, stored_bytes);
  out.append(bytes_of(id.digest));
  append_integer(out, checksum_of(out));
  return out;
}

std::optional<RecordHeader> RecordHeader::decoded(const char* bytes) {
  if (std::string_view(bytes, record_magic.size()) != record_magic) return std::nullopt;
  if (integer_at<std::uint64_t>(bytes + 56) != checksum_of({bytes, 56})) return std::nullopt;
  std::uint32_t codec = integer_at<std::uint32_t>(bytes + 4);
  if (codec > static_cast<std::uint32_t>(Codec::lz4)) return std::nullopt;
  RecordHeader header{.codec = static_cast<Codec>(codec),
                      .raw_bytes = integer_at<std::uint64_t>(bytes + 8),
                      .stored_bytes = integer_at<std::uint64_t>(bytes + 16),
                      .id = {}};
  if (header.codec == Codec::lz4 && header.raw_bytes > lz4_bytes_max) return std::nullopt;
  std::memcpy(header.id.digest.data(), bytes + 24, header.id.digest.size());
  return header;
}

Segment::Segment(std::string folder, std::string name, Fd fd)
    : folder_(std::move(folder)), name_(std::move(name)), fd_(std::move(fd)) {}

Segment::~Segment() = default;

Result<std::shared_ptr<Segment>> Segment::open(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + ".seg";
  Fd fd(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && (errno == EACCES || errno == EROFS))
    fd = Fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (!fd && errno == ENOENT)
    return Error(
        ErrorCode::not_found,
        "A file of the snapshot store is missing. snap store verify names the snapshots that lack content.",
        {}, path);
  if (!fd)
    return Error(ErrorCode::unavailable,
                 "A file of the snapshot store cannot be opened. snap doctor checks its permissions.", {},
                 path);
  std::shared_ptr<Segment> segment(new Segment(folder, name, std::move(fd)));
  TRY(segment->refresh());
  return segment;
}

// Creates the file under a temporary name until it is locked, so that no other process locks it first.
Result<std::shared_ptr<Segment>> Segment::create(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + ".seg";
  std::string temporary = folder + "/" + std::string(temporary_prefix) + name;
  Fd fd(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return creation_error(path);
  std::shared_ptr<Segment> segment(new Segment(folder, name, std::move(fd)));
  Result<Unit> done = write_at(segment->fd(), segment_magic, 0);
  if (done && (!segment->lock() || ::rename(temporary.c_str(), path.c_str()) != 0)) {
    done = creation_error(path);
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

void Segment::cut_failed_write() {
  const Result<std::uint64_t> size = this->size();
  if (!size || *size <= end_) return;  // Never extends the file with zeros.
  int cut = ::ftruncate(fd_.get(), static_cast<off_t>(end_));
  (void)cut;
}

Result<std::uint64_t> Segment::size() const {
  struct stat st;
  if (::fstat(fd_.get(), &st) != 0)
    return Error(ErrorCode::unavailable,
                 "The snapshot store cannot be examined. snap doctor checks its permissions.");
  return static_cast<std::uint64_t>(st.st_size);
}

Result<Unit> Segment::refresh() {
  TRY(load_index(IndexAge::newer));
  return scan();
}

// A missing, older or unusable index is not an error: scanning finds all records.
Result<Unit> Segment::load_index(IndexAge age) {
  IndexFile file = open_index_file(folder_ + "/" + name_ + ".idx");
  if (file.state == IndexFile::State::none) return Unit{};
  if (file.covered_bytes == 0) index_state_ = file.state;
  if (file.covered_bytes < covered_ || (file.covered_bytes == covered_ && age == IndexAge::newer))
    return Unit{};
  if (index_.map(file)) {
    index_state_ = IndexFile::State::sound;
  } else {
    const bool is_older = file.state == IndexFile::State::older;
    index_state_ = is_older ? IndexFile::State::older : IndexFile::State::wrong;
    TRY(make_index(file.covered_bytes));
  }
  covered_ = file.covered_bytes;
  end_ = std::max(end_, covered_);
  std::erase_if(tail_, [&](const auto& item) { return item.second.location.offset < covered_; });
  return Unit{};
}

Result<Unit> Segment::make_index(std::uint64_t covered) {
  const std::uint64_t size = TRY(this->size());
  std::vector<BlobEntry> entries;
  RecordWalk walk(shared_from_this(), {}, segment_header_bytes, std::min(covered, size));
  while (const std::optional<SurveyedRecord> record = walk.next())
    entries.emplace_back(record->id, record->location);
  index_.make(std::move(entries), covered);
  return Unit{};
}

Result<Unit> Segment::scan() {
  std::uint64_t size = TRY(this->size());
  while (std::optional<RecordHeader> header = header_at(end_, size)) {
    BlobLocation location{
        .offset = end_, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes};
    tail_.insert_or_assign(header->id, TailRecord{.location = location, .verified = false});
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

bool Segment::recover_location(const BlobId& id) {
  distrust_index(id);
  search_after_damage();
  // The result is also true if another thread has found the blob since.
  return tail_.contains(id) || after_damage_.contains(id);
}

void Segment::distrust_index(const BlobId& id) {
  const std::optional<BlobLocation> location = find_in_index(id);
  const Result<std::uint64_t> size = this->size();
  if (is_index_wrong_ || !location || !size || expected_header(id, *location)) return;
  is_index_wrong_ = true;
  RecordWalk walk(shared_from_this(), index_entries(), segment_header_bytes, std::min(covered_, *size));
  while (const std::optional<SurveyedRecord> record = walk.next())
    tail_.insert_or_assign(record->id, TailRecord{.location = record->location, .verified = false});
}

// Searches the bytes after end() only once for each size of the file, so that a torn record is not searched
// again and again.
void Segment::search_after_damage() {
  const Result<std::uint64_t> size = this->size();
  if (!size || *size <= end_ || searched_ == std::pair(end_, *size)) return;
  searched_ = {end_, *size};
  RecordWalk walk(shared_from_this(), {}, end_, *size);
  while (const std::optional<SurveyedRecord> record = walk.next())
    after_damage_.insert_or_assign(record->id, record->location);
}

std::optional<BlobLocation> Segment::find(const BlobId& id) const {
  if (auto it = tail_.find(id); it != tail_.end()) return it->second.location;
  if (const std::optional<BlobLocation> location = find_in_index(id)) return location;
  auto behind = after_damage_.find(id);
  return behind == after_damage_.end() ? std::nullopt : std::optional(behind->second);
}

std::optional<BlobLocation> Segment::find_in_index(const BlobId& id) const { return index_.find(id); }

Segment::TailRecord* Segment::find_in_tail(const BlobId& id) {
  auto it = tail_.find(id);
  return it == tail_.end() ? nullptr : &it->second;
}

Result<RecordHeader> Segment::expected_header(const BlobId& id, const BlobLocation& location) const {
  char bytes[record_header_bytes];
  Result<Unit> got = read_at(fd_.get(), bytes, sizeof bytes, location.offset);
  if (!got) return damaged_record_error(id, name_, location.offset, got.error().message);
  std::optional<RecordHeader> header = RecordHeader::decoded(bytes);
  if (!header || header->id != id || header->stored_bytes != location.stored_bytes ||
      header->raw_bytes != location.raw_bytes) {
    return damaged_record_error(id, name_, location.offset, "its header does not match the index");
  }
  return *header;
}

Result<std::string> Segment::read(const BlobId& id, const BlobLocation& location) const {
  RecordHeader header = TRY(expected_header(id, location));
  // A damaged header must not cause an allocation larger than the content or the segment allows.
  if (location.stored_bytes > stored_bytes_max(location.raw_bytes))
    return damaged_record_error(id, name_, location.offset,
                                "its stored size exceeds what its content can take");
  if (location.stored_bytes > unasked_bytes_max) {
    std::uint64_t size = TRY(this->size());
    if (location.stored_bytes > size)
      return damaged_record_error(id, name_, location.offset, "it is longer than its segment");
  }
  std::string stored(location.stored_bytes, '\0');
  Result<Unit> got = read_at(fd_.get(), stored.data(), stored.size(), location.offset + record_header_bytes);
  if (!got) return damaged_record_error(id, name_, location.offset, got.error().message);
  Result<std::string> raw = decompressed(header.codec, std::move(stored), header.raw_bytes);
  if (!raw) return damaged_record_error(id, name_, location.offset, raw.error().message);
  if (blob_id_of(*raw) != id)
    return damaged_record_error(id, name_, location.offset, "its content has another hash");
  return raw;
}

void Segment::add_appended_record(const BlobId& id, const BlobLocation& location) {
  tail_.insert_or_assign(id, TailRecord{.location = location, .verified = true});
  end_ = location.offset + record_header_bytes + location.stored_bytes;
}

void Segment::forget_records_from(std::uint64_t offset) {
  std::erase_if(tail_, [&](const auto& item) { return item.second.location.offset >= offset; });
  end_ = std::min(end_, offset);
}

void Segment::release_memory() const { index_.release_memory(); }

Result<Unit> Segment::write_index() {
  std::vector<BlobEntry> entries = index_entries();
  std::erase_if(entries, [&](const auto& entry) { return tail_.contains(entry.first); });
  entries.reserve(entries.size() + tail_.size());
  for (auto& [id, tail] : tail_) {
    if (!tail.verified && !read(id, tail.location)) continue;
    entries.emplace_back(id, tail.location);
  }
  const std::string file = encoded_index(std::move(entries), end_);
  TRY(replace_file(folder_, name_ + ".idx", file, Durability::machine_crash));
  return load_index(IndexAge::any);
}

void Segment::rebuild_index() {
  if (!lock()) return;
  Result<Unit> done = refresh();
  if (done) done = sync_file(fd());
  if (done) done = write_index();
  unlock();
}

std::optional<std::vector<std::string>> segment_names(const std::string& folder) {
  const FolderNames found = names_in_folder(folder);
  if (found.error != 0) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& name : found.names)
    if (name.ends_with(".seg")) names.push_back(name.substr(0, name.size() - 4));
  std::ranges::sort(names);
  return names;
}

}  // namespace snapgen::core
