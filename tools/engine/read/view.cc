#include "tools/engine/read/view.h"

#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {

void add(SkippedCounts& sum, const SkippedCounts& more) {
  sum.binary += more.binary;
  sum.ignored += more.ignored;
  sum.nested_repository += more.nested_repository;
  sum.not_captured += more.not_captured;
  sum.not_a_file += more.not_a_file;
  sum.symlink += more.symlink;
  sum.too_large += more.too_large;
  sum.unreadable += more.unreadable;
}

std::string not_checked_out_sentence(std::string_view path) {
  return path_in_sentence(path) + " is in HEAD, but not checked out (sparse checkout).";
}

bool is_behind_symlink(const Listing& listing, std::string_view path) {
  for (path = parent_path(path); !path.empty(); path = parent_path(path)) {
    const std::size_t at = listing.find(path);
    if (at != listing.size() && listing.is_symlink(at)) return true;
  }
  return false;
}

SearchCandidate candidate_of(std::string_view path, std::string_view bytes, ReadBuffers& buffers) {
  if (buffers.encodings != nullptr) {
    std::optional<DecodedText> decoded = buffers.encodings->decode(path, bytes);
    if (decoded) {
      buffers.converted_text = std::move(decoded->text);
      return {.kind = SearchCandidate::Kind::text,
              .bytes = buffers.converted_text,
              .encoding = decoded->encoding.encoding};
    }
  }
  if (looks_binary(bytes)) return {.kind = SearchCandidate::Kind::binary, .bytes = {}};
  return {.kind = SearchCandidate::Kind::text, .bytes = bytes};
}

std::vector<FileRange> ranges_below(const Listing& listing, std::span<const std::string> paths) {
  std::vector<FileRange> ranges;
  for (const std::string& path : paths) ranges.push_back(listing.at_or_below(path));
  return ranges;
}

}  // namespace snapgen::core
