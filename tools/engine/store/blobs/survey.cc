#include "tools/engine/store/blobs/survey.h"

#include <algorithm>
#include <limits>
#include <map>

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"

namespace snapgen::core {
namespace {

// The entries of an index, by offset.
using Promised = std::map<std::uint64_t, BlobEntry>;

Promised promised(const std::vector<BlobEntry>& entries) {
  Promised places;
  for (const BlobEntry& entry : entries) places.emplace(entry.second.offset, entry);
  return places;
}

// A gap with the indexed blobs that should be between `from` and `until`; removes them from `places`.
SurveyedSegment::Gap gap_of(Promised& places, std::uint64_t from, std::uint64_t until, std::uint64_t bytes) {
  SurveyedSegment::Gap gap{.offset = from, .bytes = bytes, .lost = {}};
  const auto first = places.lower_bound(from);
  const auto last = places.lower_bound(until);
  for (auto at = first; at != last; ++at) gap.lost.push_back(at->second.first);
  places.erase(first, last);
  return gap;
}

std::uint64_t file_bytes(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
}

}  // namespace

Result<SurveyedSegment> survey_segment(const std::string& folder, const std::string& name) {
  std::shared_ptr<Segment> segment = TRY(Segment::open(folder, name));
  std::uint64_t size = TRY(segment->size());
  SurveyedSegment found{.name = name,
                        .bytes = size,
                        .index_bytes = file_bytes(folder + "/" + name + ".idx"),
                        .records = {},
                        .gaps = {}};
  const std::vector<BlobEntry> entries = segment->index_entries();
  Promised places = promised(entries);
  std::uint64_t at = std::min<std::uint64_t>(segment_header_bytes, size);
  RecordWalk walk(segment, entries, at, size);
  while (const std::optional<SurveyedRecord> record = walk.next()) {
    const std::uint64_t offset = record->location.offset;
    if (offset > at) found.gaps.push_back(gap_of(places, at, offset, offset - at));
    if (auto here = places.find(offset);
        here != places.end() && here->second == BlobEntry(record->id, record->location))
      places.erase(here);
    found.records.push_back(*record);
    at = record->end();
  }
  // Records before this offset were synced, so no crash can have torn them.
  const bool is_short = at < segment->covered();
  if (is_short) {
    found.gaps.push_back(gap_of(places, at, std::numeric_limits<std::uint64_t>::max(), size - at));
  } else {
    found.torn_bytes = size - at;
  }
  found.index_is_wrong = segment->index_state() == IndexFile::State::wrong || !places.empty();
  return found;
}

Result<std::vector<SurveyedSegment>> survey_segments(const std::string& folder, const std::stop_token& stop) {
  std::vector<SurveyedSegment> all;
  for (const std::string& name : segment_names(folder).value_or(std::vector<std::string>())) {
    if (stop.stop_requested()) return cancelled_call_error();
    Result<SurveyedSegment> segment = survey_segment(folder, name);
    if (segment) {
      all.push_back(*std::move(segment));
    } else if (segment.error().code != ErrorCode::not_found) {
      return std::move(segment).error();
    }
  }
  return all;
}

}  // namespace snapgen::core
