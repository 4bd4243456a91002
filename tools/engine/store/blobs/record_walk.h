#pragma once
// RecordWalk: the records of a segment in file order, skipping damage between them.
//
// Records follow each other without gaps. If a header is damaged, the length of its record is unknown: the
// next record is found through the index, or else by searching byte by byte. A record that was found this way
// may be part of a content, such as a stored copy of another store, or an attack. So from there on, until the
// index confirms a record, a record counts only if its content has its hash.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {

struct SurveyedRecord {
  BlobLocation location;
  BlobId id;

  std::uint64_t end() const { return location.offset + record_header_bytes + location.stored_bytes; }
};

class RecordWalk {
 public:
  // Walks from `from`, the offset of a record, to `until`. `known`: the entries of an index; may be empty.
  RecordWalk(std::shared_ptr<const Segment> segment, std::vector<BlobEntry> known, std::uint64_t from,
             std::uint64_t until);

  // Returns the next record, or nullopt when there are no more.
  std::optional<SurveyedRecord> next();

 private:
  std::optional<SurveyedRecord> record_at(std::uint64_t offset) const;
  bool is_known(const SurveyedRecord& record) const;
  bool is_sound(const SurveyedRecord& record);
  std::optional<SurveyedRecord> next_after_damage();
  std::optional<SurveyedRecord> search_record(std::uint64_t from);

  std::shared_ptr<const Segment> segment_;
  std::vector<BlobEntry> known_;  // Sorted by offset.
  std::uint64_t at_;
  std::uint64_t until_;
  std::uint64_t search_bytes_left_;  // Bytes that may still be read without finding a record.
  bool is_doubtful_ = false;
};

// Verifies that the record's content has its hash. Errors: internal (damaged).
Result<Unit> check_record(const std::shared_ptr<const Segment>& segment, const SurveyedRecord& record);

}  // namespace snapgen::core
