#pragma once
// Survey: all records of the segments, read from the segments themselves without relying on their indexes.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/record_walk.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {

struct SurveyedSegment {
  std::string name;
  std::uint64_t bytes = 0;  // The size of the file.
  std::uint64_t index_bytes = 0;
  std::vector<SurveyedRecord> records;  // In file order.
  // Bytes between the records that are not a record; nothing refers to them.
  struct Gap {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::vector<BlobId> lost;  // Blobs that the index locates there or after the end of the file.
  };
  std::vector<Gap> gaps;
  std::uint64_t torn_bytes = 0;  // After the last record: left by a crash, or being written now.
  bool index_is_wrong = false;   // Damaged, or names a wrong location of a blob.

  // Whether some bytes of the file are not a record.
  bool has_unrecognized_bytes() const { return !gaps.empty() || torn_bytes > 0; }
};

// Surveys one segment. Records are recognised by their headers. Contents are read only after a damaged
// header that the index does not bridge (see record_walk.h). Errors: unavailable; not_found.
Result<SurveyedSegment> survey_segment(const std::string& folder, const std::string& name);

// Surveys all segments, except those that are removed meanwhile. Errors: unavailable, cancelled.
Result<std::vector<SurveyedSegment>> survey_segments(const std::string& folder, const std::stop_token& stop);

}  // namespace snapgen::core
