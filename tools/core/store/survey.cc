#include "tools/core/store/survey.h"

#include <algorithm>
#include <map>

#include <sys/stat.h>

namespace snapgen::core {
namespace {

// What the index says, by place.
std::map<std::uint64_t, BlobId> promised(const Segment& segment) {
  std::map<std::uint64_t, BlobId> places;
  for (const auto& [id, place] : segment.index_entries()) places.emplace(place.offset, id);
  return places;
}

std::uint64_t file_bytes(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
}

}  // namespace

Result<SurveyedSegment> survey_segment(const std::string& folder, const std::string& name) {
  Result<std::shared_ptr<Segment>> segment = Segment::open(folder, name);
  if (!segment) return std::move(segment).error();
  Result<std::uint64_t> size = (*segment)->size();
  if (!size) return std::move(size).error();
  SurveyedSegment found{.name = name,
                        .bytes = *size,
                        .index_bytes = file_bytes(folder + "/" + name + ".idx"),
                        .records = {},
                        .gaps = {}};
  std::map<std::uint64_t, BlobId> places = promised(**segment);
  std::uint64_t at = std::min<std::uint64_t>(segment_header_bytes, *size);
  while (at < *size) {
    std::optional<RecordHeader> header = (*segment)->header_at(at, *size);
    auto here = places.find(at);
    if (header) {
      if (here != places.end() && here->second == header->id) places.erase(here);
      BlobPlace place{.offset = at, .stored_bytes = header->stored_bytes, .raw_bytes = header->raw_bytes};
      found.records.push_back({.place = place, .id = header->id});
      at += record_header_bytes + header->stored_bytes;
      continue;
    }
    SurveyedSegment::Gap gap{.offset = at, .bytes = 0, .lost = {}};
    if (here != places.end()) gap.lost.push_back(here->second);
    auto next = places.upper_bound(at);
    while (next != places.end() && !(*segment)->header_at(next->first, *size)) {
      if (next->first < *size) gap.lost.push_back(next->second);
      ++next;
    }
    if (next == places.end() && gap.lost.empty()) {
      found.torn_bytes = *size - at;
      break;
    }
    std::uint64_t until = next == places.end() ? *size : next->first;
    gap.bytes = until - at;
    for (const BlobId& id : gap.lost) {
      std::erase_if(places, [&](const auto& item) { return item.second == id; });
    }
    found.gaps.push_back(std::move(gap));
    at = until;
  }
  found.index_is_wrong = !places.empty();
  return found;
}

Result<std::vector<SurveyedSegment>> survey_segments(const std::string& folder, const std::stop_token& stop) {
  std::vector<SurveyedSegment> all;
  for (const std::string& name : segment_names(folder).value_or(std::vector<std::string>())) {
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "The call was cancelled.");
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
