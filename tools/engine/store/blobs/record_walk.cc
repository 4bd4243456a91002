#include "tools/engine/store/blobs/record_walk.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/large_blob.h"

namespace snapgen::core {
namespace {

constexpr std::size_t window_bytes = 256 << 10;
// A content may have forged headers of very long records, each of which must be read to be rejected. The walk
// reads at most effort_bytes, plus effort_times the length of the walked range, without finding a record.
constexpr std::uint64_t effort_bytes = std::uint64_t{4} << 30;
constexpr std::uint64_t effort_times = 8;

bool starts_before(const BlobEntry& entry, std::uint64_t offset) { return entry.second.offset < offset; }

}  // namespace

RecordWalk::RecordWalk(std::shared_ptr<const Segment> segment, std::vector<BlobEntry> known,
                       std::uint64_t from, std::uint64_t until)
    : segment_(std::move(segment)),
      known_(std::move(known)),
      at_(from),
      until_(until),
      search_bytes_left_(effort_bytes + effort_times * (until - std::min(from, until))) {
  std::sort(known_.begin(), known_.end(),
            [](const BlobEntry& a, const BlobEntry& b) { return a.second.offset < b.second.offset; });
}

std::optional<SurveyedRecord> RecordWalk::next() {
  if (at_ >= until_) return std::nullopt;
  std::optional<SurveyedRecord> found = record_at(at_);
  if (found && is_doubtful_) {
    is_doubtful_ = !is_known(*found);
    if (is_doubtful_ && !is_sound(*found)) found.reset();
  }
  if (!found) found = next_after_damage();
  at_ = found ? found->end() : until_;
  return found;
}

std::optional<SurveyedRecord> RecordWalk::record_at(std::uint64_t offset) const {
  const std::optional<RecordHeader> header = segment_->header_at(offset, until_);
  if (!header) return std::nullopt;
  return SurveyedRecord{
      .location = {.offset = offset, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes},
      .id = header->id};
}

bool RecordWalk::is_known(const SurveyedRecord& record) const {
  const auto at = std::lower_bound(known_.begin(), known_.end(), record.location.offset, starts_before);
  return at != known_.end() && at->first == record.id && at->second == record.location;
}

bool RecordWalk::is_sound(const SurveyedRecord& record) {
  const std::uint64_t cost =
      record.location.stored_bytes + std::min(record.location.raw_bytes, search_bytes_left_);
  if (cost > search_bytes_left_) return false;
  if (check_record(segment_, record)) return true;
  search_bytes_left_ -= cost;
  return false;
}

std::optional<SurveyedRecord> RecordWalk::next_after_damage() {
  for (auto known = std::lower_bound(known_.begin(), known_.end(), at_ + 1, starts_before);
       known != known_.end() && known->second.offset < until_; ++known) {
    const std::optional<SurveyedRecord> found = record_at(known->second.offset);
    if (!found || !is_known(*found)) continue;
    is_doubtful_ = false;
    return found;
  }
  is_doubtful_ = true;
  return search_record(at_ + 1);
}

std::optional<SurveyedRecord> RecordWalk::search_record(std::uint64_t from) {
  std::string window;
  while (from < until_ && until_ - from >= record_header_bytes) {
    window.resize(std::min<std::uint64_t>(window_bytes, until_ - from));
    if (!read_at(segment_->fd(), window.data(), window.size(), from)) return std::nullopt;
    for (std::size_t at = window.find(record_magic); at != std::string::npos;
         at = window.find(record_magic, at + 1)) {
      const std::optional<SurveyedRecord> found = record_at(from + at);
      if (found && is_sound(*found)) return found;
    }
    from += window.size() - (record_magic.size() - 1);
  }
  return std::nullopt;
}

Result<Unit> check_record(const std::shared_ptr<const Segment>& segment, const SurveyedRecord& record) {
  if (record.location.raw_bytes <= whole_blob_bytes_max) {
    Result<std::string> bytes = segment->read(record.id, record.location);
    return bytes ? Result<Unit>(Unit{}) : std::move(bytes).error();
  }
  RecordHeader header = TRY(segment->expected_header(record.id, record.location));
  std::unique_ptr<ByteSource> source = open_large_blob(segment, header, record.location.offset);
  while (true) {
    std::string_view piece = TRY(source->next());
    if (piece.empty()) return Unit{};
  }
}

}  // namespace snapgen::core
