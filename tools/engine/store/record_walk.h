#pragma once
// RecordWalk: the records of a segment in the order in which they stand, whatever is damaged between them.
//
// Each stands right behind the one before. Where a header does not pass, nobody knows how long its record is:
// the next one is where the index says, or else it is searched for byte by byte. What is found so may be part
// of a content, of somebody who keeps a copy of a store among their files, or who means harm; so from there
// on, until the index names one again, a record counts only if its content has the hash.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/segment.h"

namespace snapgen::core {

struct SurveyedRecord {
  BlobLocation place;
  BlobId id;

  std::uint64_t end() const { return place.offset + record_header_bytes + place.stored_bytes; }
};

class RecordWalk {
 public:
  // From `from`, where a record should stand, up to `until`. `known`: what an index says; it may be empty.
  RecordWalk(std::shared_ptr<const Segment> segment, std::vector<BlobEntry> known, std::uint64_t from,
             std::uint64_t until);

  // None: there is no more.
  std::optional<SurveyedRecord> next();

 private:
  std::optional<SurveyedRecord> record_at(std::uint64_t offset) const;
  bool is_known(const SurveyedRecord& record) const;
  bool is_sound(const SurveyedRecord& record);
  std::optional<SurveyedRecord> behind_damage();
  std::optional<SurveyedRecord> searched_for(std::uint64_t from);

  std::shared_ptr<const Segment> segment_;
  std::vector<BlobEntry> known_;  // By place.
  std::uint64_t at_;
  std::uint64_t until_;
  std::uint64_t effort_;  // Bytes that may yet be read in vain.
  bool is_doubtful_ = false;
};

// Whether the record's content is what it should be. Errors: internal (damaged).
Result<Unit> check_record(const std::shared_ptr<const Segment>& segment, const SurveyedRecord& record);

}  // namespace snapgen::core
