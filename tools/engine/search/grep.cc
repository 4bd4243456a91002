#include "tools/engine/search/grep.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>

#include "runtime/base/text.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/nearest_path.h"
#include "tools/engine/search/globs.h"
#include "tools/engine/search/matcher.h"

namespace snapgen::core {
namespace {

// Files are searched in batches, so that a reached limit does not cost a search of the whole tree.
constexpr std::size_t first_batch = 256;
constexpr std::size_t batch_max = 8192;
constexpr std::size_t searches_per_block = 32;   // Files that one thread takes at a time: about two folders.
constexpr std::size_t room_bytes_max = 1 << 20;  // Larger buffers are freed after each file.
// The bytes of a long line that are shown before its match, and at least from the match on.
constexpr std::size_t bytes_before_match = 100;
constexpr std::size_t bytes_from_match_min = 200;

struct Searched {
  SearchCandidate::Kind kind = SearchCandidate::Kind::text;
  std::vector<GrepMatch> matches;  // Only for GrepOutput::lines.
  std::int64_t line_count = 0;     // The number of matching lines, which is 1 at most if it is not asked for.
  std::optional<Error> error;
};

std::vector<std::string> lines_before(std::string_view text, std::size_t begin, std::size_t count) {
  std::vector<std::string> lines;
  while (lines.size() < count && begin > 0) {
    std::size_t end = begin - 1;
    std::size_t feed = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
    begin = feed == std::string_view::npos ? 0 : feed + 1;
    lines.push_back(shortened_line(text.substr(begin, end - begin)));
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> lines_after(std::string_view text, std::size_t end, std::size_t count) {
  std::vector<std::string> lines;
  while (lines.size() < count && end + 1 < text.size()) {
    std::size_t begin = end + 1;
    end = std::min(text.find('\n', begin), text.size());
    lines.push_back(shortened_line(text.substr(begin, end - begin)));
  }
  return lines;
}

class Search {
 public:
  Search(FileView& view, const GrepQuery& query, const LineMatcher& matcher)
      : view_(view), query_(query), matcher_(matcher), encodings_(view.declarations()) {}

  Result<Unit> run(const Listing& listing, const std::vector<std::size_t>& candidates) {
    view_.prepare_search(candidates);
    std::size_t batch = first_batch;
    for (std::size_t begin = 0; begin < candidates.size() && !answer_.truncated; begin += batch) {
      if (begin > 0) batch = std::min(2 * batch, batch_max);
      std::size_t end = std::min(begin + batch, candidates.size());
      std::vector<Searched> searched = search(listing, candidates, begin, end);
      TRY(view_.check_stop());
      for (std::size_t i = begin; i < end && !answer_.truncated; ++i) {
        TRY(take(listing, candidates[i], searched[i - begin]));
      }
    }
    return Unit{};
  }

  // Searches files that are not in the listing, one after the other. They become part of the lease like files
  // that a client reads.
  Result<Unit> add_ignored(const std::vector<std::string>& paths) {
    const std::unique_ptr<ReadBuffers> buffers = take_buffers();
    for (const std::string& path : paths) {
      if (answer_.truncated) break;
      TRY(view_.check_stop());
      Searched searched;
      const SearchCandidate candidate = TRY(read_ignored(path, *buffers));
      searched.kind = candidate.kind;
      if (searched.kind == SearchCandidate::Kind::text) search_text(path, candidate, searched);
      if (add_kind(searched.kind)) add_results(path, searched);
    }
    return Unit{};
  }

  GrepAnswer finish() && { return std::move(answer_); }

  SkippedCounts& skipped() { return answer_.skipped; }

 private:
  std::vector<Searched> search(const Listing& listing, const std::vector<std::size_t>& candidates,
                               std::size_t begin, std::size_t end) {
    std::vector<Searched> searched(end - begin);
    in_parallel(end - begin, searches_per_block, [&](std::size_t first, std::size_t last) {
      std::unique_ptr<ReadBuffers> buffers = take_buffers();
      for (std::size_t i = first; i < last && !view_.stop().stop_requested(); ++i) {
        std::size_t index = candidates[begin + i];
        if (const auto skipped = view_.skip_without_read(index, matcher_, *buffers)) {
          searched[i].kind = *skipped;
          continue;
        }
        Result<SearchCandidate> candidate = view_.read_candidate(index, *buffers);
        if (!candidate) {
          searched[i].error = std::move(candidate).error();
          continue;
        }
        searched[i].kind = candidate->kind;
        if (candidate->kind != SearchCandidate::Kind::text) continue;
        search_text(listing.path(index), *candidate, searched[i]);
      }
      give_back_buffers(std::move(buffers));
    });
    return searched;
  }

  void search_text(std::string_view path, const SearchCandidate& candidate, Searched& searched) const {
    const std::string_view text = candidate.bytes;
    if (query_.output != GrepOutput::lines) {
      const std::size_t lines_max = query_.output == GrepOutput::count ? text.size() + 1 : 1;
      searched.line_count = static_cast<std::int64_t>(matcher_.lines(text, lines_max).size());
      return;
    }
    // One match more than the limit shows that there are more.
    for (LineMatch& line : matcher_.lines(text, query_.matches_max + 1)) {
      searched.matches.push_back(
          GrepMatch{.path = std::string(path),
                    .line = line.line,
                    .column = line.column,
                    .more_columns = std::move(line.more_columns),
                    .text = shortened_line(text.substr(line.begin, line.end - line.begin), line.column),
                    .before = lines_before(text, line.begin, query_.context),
                    .after = lines_after(text, line.end, query_.context),
                    .encoding = candidate.encoding});
    }
  }

  std::unique_ptr<ReadBuffers> take_buffers() {
    std::lock_guard lock(mutex_);
    if (buffers_.empty()) {
      auto fresh = std::make_unique<ReadBuffers>();
      fresh->encodings = &encodings_;
      return fresh;
    }
    std::unique_ptr<ReadBuffers> buffers = std::move(buffers_.back());
    buffers_.pop_back();
    return buffers;
  }

  void give_back_buffers(std::unique_ptr<ReadBuffers> buffers) {
    if (buffers->bytes.size() > room_bytes_max) std::string().swap(buffers->bytes);
    if (buffers->converted_text.size() > room_bytes_max) std::string().swap(buffers->converted_text);
    std::lock_guard lock(mutex_);
    buffers_.push_back(std::move(buffers));
  }

  // Reads a whole file.
  Result<SearchCandidate> read_ignored(const std::string& path, ReadBuffers& buffers) {
    Result<std::unique_ptr<FileContent>> content = view_.open(path);
    if (!content) return SearchCandidate{.kind = SearchCandidate::Kind::unreadable, .bytes = {}};
    std::string& bytes = buffers.bytes;
    bytes.clear();
    while (true) {
      const std::string_view piece = TRY((*content)->next());
      if (piece.empty()) break;
      bytes += piece;
      if (static_cast<std::int64_t>(bytes.size()) > search_bytes_max)
        return SearchCandidate{.kind = SearchCandidate::Kind::too_large, .bytes = {}};
    }
    TRY((*content)->finish());
    return candidate_of(path, bytes, buffers);
  }

  Result<Unit> take(const Listing& listing, std::size_t index, Searched& searched) {
    if (searched.error) return *std::move(searched.error);
    if (!add_kind(searched.kind)) return Unit{};
    const bool is_shown = add_results(listing.path(index), searched);
    if (is_shown)
      view_.mark_shown(index);
    else
      view_.mark_touched(index);
    return Unit{};
  }

  // Counts a file. Returns whether its text counts as searched.
  bool add_kind(SearchCandidate::Kind kind) {
    switch (kind) {
      case SearchCandidate::Kind::binary: ++answer_.skipped.binary; return false;
      case SearchCandidate::Kind::too_large: ++answer_.skipped.too_large; return false;
      case SearchCandidate::Kind::unreadable: ++answer_.skipped.unreadable; return false;
      case SearchCandidate::Kind::text: break;
    }
    answer_.truncated = static_cast<std::size_t>(answer_.files_searched) == query_.files_max;
    if (!answer_.truncated) ++answer_.files_searched;
    return !answer_.truncated;
  }

  // Adds what was found in a file, as far as the limit allows. Returns whether the answer shows some of it.
  bool add_results(std::string_view path, Searched& searched) {
    if (query_.output != GrepOutput::lines) {
      if ((searched.line_count == 0) != (query_.output == GrepOutput::files_without)) return false;
      answer_.truncated = answer_.files.size() == query_.matches_max;
      if (!answer_.truncated)
        answer_.files.push_back({.path = std::string(path), .line_count = searched.line_count});
      return false;
    }
    const std::size_t matches_left = query_.matches_max - answer_.matches.size();
    answer_.truncated = searched.matches.size() > matches_left;
    if (answer_.truncated) searched.matches.resize(matches_left);
    const bool is_shown = !searched.matches.empty();
    std::ranges::move(searched.matches, std::back_inserter(answer_.matches));
    return is_shown;
  }

  FileView& view_;
  const GrepQuery& query_;
  const LineMatcher& matcher_;
  TextEncodings encodings_;
  GrepAnswer answer_;
  std::mutex mutex_;  // Guards buffers_.
  std::vector<std::unique_ptr<ReadBuffers>> buffers_;
};

Error with_grep_explanation(FileView& view, std::string_view path, Error error) {
  if (error.code == ErrorCode::not_found && path.find_first_of("*?[{") != std::string_view::npos)
    error.message += " Pass patterns for paths in the argument globs.";
  return with_suggested_path(view, path, std::move(error));
}

}  // namespace

std::string shortened_line(std::string_view line, std::int64_t column) {
  if (line.size() <= grep_line_bytes_max) return std::string(line);
  std::string out;
  const auto match = static_cast<std::size_t>(column - 1);
  if (match + bytes_from_match_min > grep_line_bytes_max) {
    std::size_t begin = match - bytes_before_match;
    while (begin > 0 && (static_cast<unsigned char>(line[begin]) & 0xc0) == 0x80) --begin;
    out = "[" + std::to_string(begin) + " bytes+] …";
    line.remove_prefix(begin);
  }
  const std::string_view cut = utf8_head(line, grep_line_bytes_max);
  out += cut;
  if (cut.size() < line.size()) out += "… [+" + std::to_string(line.size() - cut.size()) + " bytes]";
  return out;
}

Result<GrepAnswer> grep(FileView& view, const GrepQuery& query) {
  LineMatcher matcher = TRY(LineMatcher::make(query.pattern, query.fixed, query.ignore_case));
  Globs globs = TRY(Globs::parse(query.globs));
  const Listing* listing = TRY(view.listing());

  Search search(view, query, matcher);
  std::vector<FileRange> ranges;
  std::vector<std::string> named = query.paths;
  if (named.empty()) named.emplace_back();
  std::vector<std::string> scopes = outermost_paths(named);
  std::vector<std::string> ignored;
  for (const std::string& path : named) {
    Result<SkippedCounts> skipped = view.skipped_below(path, true);
    if (!skipped) return with_grep_explanation(view, path, std::move(skipped).error());
    if (std::erase(scopes, path) == 0) continue;  // Another path covers it.
    std::vector<std::string> files = TRY(view.ignored_files(path, true));
    if (!files.empty()) {
      std::ranges::move(files, std::back_inserter(ignored));
      continue;
    }
    ranges.push_back(range_below(*listing, path));
    add(search.skipped(), *skipped);
  }
  std::sort(ranges.begin(), ranges.end(), [](FileRange a, FileRange b) { return a.first < b.first; });
  std::vector<std::size_t> candidates;
  for (auto [first, last] : ranges) {
    for (std::size_t i = first; i < last; ++i) {
      if (!globs.selects(listing->path(i))) continue;
      if (listing->is_symlink(i)) {
        ++search.skipped().symlink;
      } else {
        candidates.push_back(i);
      }
    }
  }
  std::erase_if(ignored, [&](const std::string& path) { return !globs.selects(path); });
  TRY(search.run(*listing, candidates));
  TRY(search.add_ignored(ignored));
  return std::move(search).finish();
}

}  // namespace snapgen::core
