#pragma once
// Survey: everything that stands in the segments, read from the segments themselves: what indexes say is not
// relied upon.
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/record_walk.h"
#include "tools/engine/store/segment.h"

namespace snapgen::core {

struct SurveyedSegment {
  std::string name;
  std::uint64_t bytes = 0;  // Of the file, and of its index.
  std::uint64_t index_bytes = 0;
  std::vector<SurveyedRecord> records;  // In the order in which they stand.
  // What lies between the records and is none; nothing refers to it.
  struct Gap {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::vector<BlobId> lost;  // What the index says should stand there, or behind the end of the file.
  };
  std::vector<Gap> gaps;
  std::uint64_t torn_bytes = 0;  // After the last record: left by a crash, or being written just now.
  bool index_is_wrong = false;   // It is damaged, or names a place where that blob does not stand.

  // Something stands there that is no record.
  bool is_doubtful() const { return !gaps.empty() || torn_bytes > 0; }
};

// One segment; records are recognised by their headers, and contents are read only behind a damaged one,
// where no index says how the records go on (see record_walk.h). Errors: unavailable; not_found.
Result<SurveyedSegment> survey_segment(const std::string& folder, const std::string& name);

// All of them; one that goes away meanwhile is left out. Errors: unavailable, cancelled.
Result<std::vector<SurveyedSegment>> survey_segments(const std::string& folder, const std::stop_token& stop);

}  // namespace snapgen::core
