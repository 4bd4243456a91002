#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <vector>

#include <dirent.h>
#include <unistd.h>

#include "tools/engine/base/hash.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/codec.h"
#include "tools/engine/store/blobs/large_blob.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t segment_bytes_max = 512 << 20;  // A larger segment gets no further records.
constexpr std::size_t pending_bytes_max = 1 << 20;  // Maximum of appended bytes that are not in the file yet.
// commit() indexes a tail beyond either limit, so that no process scans more than this.
constexpr std::size_t tail_records_max = 1024;
constexpr std::uint64_t tail_bytes_max = 8 << 20;

// A listing of the segments is repeated if a collector removed some meanwhile. That never happens so often in
// a row.
constexpr int listings_max = 100;

// Lock order: append_ before table_. writer_ changes only under both.
class SegmentStore final : public BlobStore {
 public:
  explicit SegmentStore(std::string folder) : folder_(std::move(folder)), generation_(folder_) {}

  Result<BlobId> put(std::string_view bytes) override {
    BlobId id = blob_id_of(bytes);
    TRY(keep(id, bytes, CompressionEffort::thorough));
    return id;
  }

  Result<std::vector<BlobId>> put_each(std::span<const std::string_view> contents,
                                       CompressionEffort effort) override {
    std::vector<BlobId> ids;
    ids.reserve(contents.size());
    for (const Sha256::Digest& digest : sha256_of_each(contents)) ids.push_back(BlobId{.digest = digest});
    for (std::size_t i = 0; i < ids.size(); ++i) {
      TRY(keep(ids[i], contents[i], effort));
    }
    return ids;
  }

  Result<BlobId> put_file(int fd, std::uint64_t size, std::stop_token stop) override {
    std::optional<CompressedFile> packed = TRY(compress_large_file(fd, size, stop));
    if (packed) {
      RecordHeader header{
          .codec = Codec::zstd, .raw_bytes = size, .stored_bytes = packed->stored.size(), .id = packed->id};
      TRY(has(header.id) ? Unit{} : append(header, packed->stored));
      return header.id;
    }
    Result<BlobId> id = hash_large_file(fd, size, stop);
    if (!id || has(*id)) return id;
    std::lock_guard appending(append_);
    TRY(ensure_writer());
    TRY(flush());
    Result<RecordHeader> header = write_large_file(writer_->fd(), flushed_, {fd, size, *id}, stop);
    if (!header) {
      writer_->cut_failed_write();  // Removes the rest of a large file, which may take all space.
      return std::move(header).error();
    }
    record(flushed_, *header);
    flushed_ += record_header_bytes + header->stored_bytes;
    return id;
  }

  std::optional<std::uint64_t> size_of(const BlobId& id) override {
    for (int round = 0; round < 3; ++round) {
      if (round == 1 && !refresh()) break;
      if (round == 2 && !recover_location(id)) break;
      std::shared_lock reading(table_);
      for (const auto& segment : segments_) {
        std::optional<BlobLocation> location = segment->find(id);
        if (location) return location->raw_bytes;
      }
    }
    return std::nullopt;
  }

  bool contains(const BlobId& id) override {
    if (!loaded_ && !refresh()) return false;
    bool in_doubt = false;
    {
      std::shared_lock reading(table_);
      for (const auto& segment : segments_) {
        const Segment::TailRecord* tail = segment->find_in_tail(id);
        if (tail == nullptr ? segment->find_in_index(id).has_value() : is_safe(segment, *tail)) return true;
        in_doubt = in_doubt || tail != nullptr;
      }
    }
    return in_doubt && vouch_for(id);
  }

  Result<std::string> get(const BlobId& id) override {
    return first_sound<std::string>(
        id, [&](const std::shared_ptr<Segment>& segment, const BlobLocation& location) {
          return segment->read(id, location);
        });
  }

  Result<std::unique_ptr<ByteSource>> open(const BlobId& id) override {
    using Source = std::unique_ptr<ByteSource>;
    return first_sound<Source>(
        id, [&](const std::shared_ptr<Segment>& segment, const BlobLocation& location) -> Result<Source> {
          if (location.raw_bytes > whole_blob_bytes_max) {
            RecordHeader header = TRY(segment->expected_header(id, location));
            return open_large_blob(segment, header, location.offset);
          }
          std::string bytes = TRY(segment->read(id, location));
          return Source(std::make_unique<MemorySource>(std::move(bytes)));
        });
  }

  bool is_sound(const BlobId& id) override {
    Result<std::unique_ptr<ByteSource>> source = open(id);
    while (source) {
      const Result<std::string_view> piece = (*source)->next();
      if (!piece) return false;
      if (piece->empty()) return true;
    }
    return false;
  }

  Result<Unit> commit() override {
    std::lock_guard appending(append_);
    // Records that abandon_puts() could not write need a writer.
    Result<Unit> done = pending_.empty() || writer_ != nullptr ? Result<Unit>(Unit{}) : ensure_writer();
    if (done) done = flush();
    if (!done) return done;
    std::map<std::shared_ptr<Segment>, std::uint64_t> unsynced;
    {
      std::lock_guard lock(table_);
      if (writer_ != nullptr && writer_->synced_end() < writer_->end()) unsynced_.insert(writer_);
      for (const auto& segment : unsynced_) unsynced[segment] = segment->end();
      unsynced_.clear();
    }
    for (const auto& [segment, end] : unsynced) {
      done = sync_file(segment->fd());
      if (!done) return done;
    }
    if (new_segment_) done = sync_folder(folder_);
    if (!done) return done;
    new_segment_ = false;
    std::lock_guard lock(table_);
    for (const auto& [segment, end] : unsynced) segment->set_synced_end(end);
    if (writer_ != nullptr) {
      if (writer_->tail_records() >= tail_records_max || writer_->tail_bytes() >= tail_bytes_max)
        done = writer_->write_index();
      release_writer();
    }
    // Rebuilds missing indexes once, so that no process repeats that work.
    for (const auto& segment : segments_)
      if (segment->needs_new_index()) segment->rebuild_index();
    return done;
  }

  void abandon_puts() override {
    std::lock_guard appending(append_);
    if (writer_ == nullptr) return;
    Result<Unit> flushed = flush();
    std::lock_guard lock(table_);
    if (!flushed) {  // The records remain pending; those already written remain in the file.
      writer_->forget_records_from(flushed_);
      Result<Unit> fresh = writer_->refresh();
      (void)fresh;
    }
    if (writer_->synced_end() < writer_->end()) unsynced_.insert(writer_);
    release_writer();
  }

  Result<GenerationLock> lock_generation() override {
    TRY(make_folders(folder_));
    return generation_.lock_shared();
  }

  void list_again() override {
    if (refresh()) return;
    const std::lock_guard lock(table_);  // The folder was deleted.
    segments_.clear();
    unsynced_.clear();
  }

  void release_memory() override {
    generation();  // Closes the segments that a collector removed.
    std::shared_lock reading(table_);
    for (const auto& segment : segments_) segment->release_memory();
  }

  std::uint64_t generation() override {
    std::uint64_t now = generation_.current();
    if (now == seen_) return now;
    refresh();
    return seen_;
  }

 private:
  // Whether the record is on disk, or will be after commit().
  bool is_safe(const std::shared_ptr<Segment>& segment, const Segment::TailRecord& tail) const {
    return tail.verified && (segment == writer_ || tail.location.offset < segment->synced_end());
  }

  // Verifies a record that another process wrote and may not have finished. commit() then makes it durable.
  bool vouch_for(const BlobId& id) {
    std::lock_guard lock(table_);
    for (const auto& segment : segments_) {
      Segment::TailRecord* tail = segment->find_in_tail(id);
      if (tail == nullptr) continue;
      if (!tail->verified && !segment->read(id, tail->location)) {
        segment->forget_in_tail(id);
        continue;
      }
      tail->verified = true;
      unsynced_.insert(segment);
      return true;
    }
    return false;
  }

  // Whether the content need not be stored again. The caller may soon delete its only copy, so an index
  // entry alone is not trusted: the blob is read, unless this process wrote or read it before.
  bool has(const BlobId& id) {
    if (!contains(id)) return false;
    {
      std::shared_lock reading(table_);
      for (const auto& segment : segments_) {
        const Segment::TailRecord* tail = segment->find_in_tail(id);
        if (tail != nullptr && tail->verified) return true;
      }
    }
    return is_sound(id);
  }

  Result<Unit> keep(const BlobId& id, std::string_view bytes, CompressionEffort effort) {
    if (has(id)) return Unit{};
    static thread_local std::string compressed;
    RecordHeader header{
        .codec = compress(bytes, compressed, effort), .raw_bytes = bytes.size(), .stored_bytes = 0, .id = id};
    std::string_view stored = header.codec == Codec::raw ? bytes : std::string_view(compressed);
    header.stored_bytes = stored.size();
    Result<Unit> done = append(header, stored);
    if (compressed.capacity() > pending_bytes_max) std::string().swap(compressed);
    return done;
  }

  Result<Unit> append(const RecordHeader& header, std::string_view stored) {
    std::lock_guard appending(append_);
    Result<Unit> done = ensure_writer();
    if (!done) return done;
    Segment::TailRecord* tail = writer_->find_in_tail(header.id);
    if (tail != nullptr && tail->verified) return Unit{};
    std::size_t before = pending_.size();
    std::uint64_t offset = writer_->end();
    pending_ += header.encoded();
    pending_ += stored;
    record(offset, header);
    if (pending_.size() >= pending_bytes_max) done = flush();
    if (done) return done;
    // Only this record is removed: the earlier ones were reported as stored, and their commit() tries to
    // write them again.
    std::lock_guard lock(table_);
    pending_.resize(before);
    writer_->forget_records_from(offset);
    writer_->cut_failed_write();
    return done;
  }

  void record(std::uint64_t offset, const RecordHeader& header) {
    std::lock_guard lock(table_);
    writer_->add_appended_record(
        header.id,
        BlobLocation{.offset = offset, .stored_bytes = header.stored_bytes, .raw_bytes = header.raw_bytes});
  }

  // Loads the changes of other processes. Returns false if the folder cannot be read.
  bool refresh() {
    std::lock_guard lock(table_);
    for (int tries = 0; tries < listings_max; ++tries) {
      std::uint64_t before = generation_.current();
      std::optional<std::vector<std::string>> names = segment_names(folder_);
      if (!names) return false;
      bool whole = take_in(*names);
      seen_ = before;
      if (whole && generation_.current() == before) break;
    }
    loaded_ = true;
    return true;
  }

  // Makes `names`, which are sorted, the list of segments. Returns false if one of them is already removed.
  bool take_in(const std::vector<std::string>& names) {
    bool whole = true;
    std::vector<std::shared_ptr<Segment>> segments;
    for (const std::string& name : names) {
      auto known = std::find_if(segments_.begin(), segments_.end(),
                                [&](const auto& segment) { return segment->name() == name; });
      if (known == segments_.end()) {
        Result<std::shared_ptr<Segment>> opened = Segment::open(folder_, name);
        if (!opened && opened.error().code == ErrorCode::not_found) whole = false;
        if (opened) segments.push_back(*std::move(opened));
        continue;
      }
      // If a known segment has become unreadable, its known entries remain.
      Result<Unit> fresh = *known == writer_ ? Result<Unit>(Unit{}) : (*known)->refresh();
      (void)fresh;
      segments.push_back(*known);
    }
    segments_ = std::move(segments);
    // No durable file may refer to removed segments, so they need no sync.
    std::erase_if(unsynced_, [&](const auto& segment) {
      return std::find(segments_.begin(), segments_.end(), segment) == segments_.end();
    });
    return whole;
  }

  // Calls `read` for each copy of the blob until one is sound.
  template <class T, class F>
  Result<T> first_sound(const BlobId& id, F read) {
    std::optional<Error> damage;
    for (int round = 0; round < 3; ++round) {
      if (round == 1 && !refresh()) break;
      if (round == 2 && !recover_location(id)) break;
      std::vector<std::pair<std::shared_ptr<Segment>, BlobLocation>> places;
      bool pending = false;
      {
        std::shared_lock reading(table_);
        for (const auto& segment : segments_) {
          std::optional<BlobLocation> location = segment->find(id);
          if (location) places.emplace_back(segment, *location);
          pending = pending || (location && segment == writer_);
        }
      }
      if (pending) {
        std::lock_guard appending(append_);
        TRY(flush());
      }
      for (const auto& [segment, location] : places) {
        Result<T> value = read(segment, location);
        if (value) return value;
        damage = std::move(value).error();
      }
    }
    if (damage) return *std::move(damage);
    return Error(ErrorCode::not_found, "The snapshot store has no blob " + id.text() + ".");
  }

  // Searches all segments for other locations of the blob. Returns false if there are none.
  bool recover_location(const BlobId& id) {
    std::lock_guard lock(table_);
    bool any = false;
    for (const auto& segment : segments_) any = segment->recover_location(id) || any;
    return any;
  }

  // The callers of the following functions hold append_.

  Result<Unit> ensure_writer() {
    if (writer_ != nullptr && writer_->end() < segment_bytes_max) return Unit{};
    if (writer_ != nullptr) {
      TRY(seal_writer());
    }
    TRY(make_folders(folder_));
    TRY(generation_.create_file());
    refresh();
    std::lock_guard lock(table_);
    for (const auto& segment : segments_) {
      if (segment->end() >= segment_bytes_max || !segment->lock()) continue;
      Result<Unit> fresh = segment->refresh();
      if (fresh && segment->ends_cleanly()) return begin_writing(segment);
      segment->unlock();
    }
    std::shared_ptr<Segment> created = TRY(Segment::create(folder_, random_name(16)));
    segments_.push_back(std::move(created));
    new_segment_ = true;
    return begin_writing(segments_.back());
  }

  Result<Unit> begin_writing(std::shared_ptr<Segment> segment) {
    flushed_ = segment->end();
    writer_ = std::move(segment);
    // Pending records of a previous writer move to this segment.
    for (std::size_t at = 0; at < pending_.size();) {
      const std::optional<RecordHeader> header = RecordHeader::decoded(pending_.data() + at);
      writer_->add_appended_record(
          header->id,
          {.offset = flushed_ + at, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes});
      at += record_header_bytes + header->stored_bytes;
    }
    return Unit{};
  }

  Result<Unit> seal_writer() {
    Result<Unit> done = flush();
    if (done) done = sync_file(writer_->fd());
    if (done && new_segment_) done = sync_folder(folder_);
    if (!done) return done;
    new_segment_ = false;
    std::lock_guard lock(table_);
    writer_->set_synced_end(writer_->end());
    done = writer_->write_index();
    if (done) release_writer();
    return done;
  }

  // Lets a collector, or the next writer, lock the segment. The caller also holds table_.
  void release_writer() {
    // A failed write may have left bytes after the end. If they remain, no process appends to this segment.
    writer_->cut_failed_write();
    writer_->unlock();
    writer_ = nullptr;
    if (pending_.empty()) std::string().swap(pending_);
  }

  // Writes the pending records to the file. If that fails, they remain pending for the next try.
  Result<Unit> flush() {
    if (pending_.empty()) return Unit{};
    TRY(write_at(writer_->fd(), pending_, flushed_));
    if (pending_.size() >= pending_bytes_max) start_writeback(writer_->fd(), flushed_, pending_.size());
    flushed_ += pending_.size();
    pending_.clear();
    return Unit{};
  }

  std::string folder_;
  GenerationFile generation_;
  std::atomic<std::uint64_t> seen_ = 0;  // The generation of segments_, or an older one.
  std::shared_mutex table_;
  std::vector<std::shared_ptr<Segment>> segments_;
  std::atomic<bool> loaded_ = false;
  // Segments of other processes with tail records that this process verified.
  std::set<std::shared_ptr<Segment>> unsynced_;

  std::mutex append_;
  // One of segments_, locked; null unless something was appended since commit().
  std::shared_ptr<Segment> writer_;
  bool new_segment_ = false;
  std::string pending_;  // Whole records for offset flushed_ on; without a writer if abandon_puts() failed.
  std::uint64_t flushed_ = 0;  // The writer's bytes before this offset are in the file.
};

}  // namespace

Result<std::unique_ptr<BlobStore>> open_segment_store(std::string folder) {
  return std::unique_ptr<BlobStore>(std::make_unique<SegmentStore>(std::move(folder)));
}

}  // namespace snapgen::core
