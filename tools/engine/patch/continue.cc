#include "tools/engine/patch/continue.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/parse.h"

namespace snapgen::core {
namespace {

using ChangedLine = std::pair<char, std::string_view>;  // '-' or '+', and the line.

// Returns the removed and the added lines of a hunk, without its context.
std::vector<ChangedLine> changed_lines_of(const Hunk& hunk) {
  std::vector<ChangedLine> lines;
  std::string_view body = hunk.body;
  HunkLine line;
  while (next_line(body, line))
    if (line.kind != ' ') lines.emplace_back(line.kind, line.text);
  return lines;
}

// Returns the hunk of `hunks` that `sent` repeats, or null.
const Hunk* repeated_hunk(const std::vector<Hunk>& hunks, const Hunk& sent) {
  const auto same = std::ranges::find(hunks, sent.body, &Hunk::body);
  if (same != hunks.end()) return &*same;
  const std::vector<ChangedLine> change = changed_lines_of(sent);
  const Hunk* only = nullptr;
  for (const Hunk& hunk : hunks) {
    if (changed_lines_of(hunk) != change) continue;
    if (only != nullptr) return nullptr;
    only = &hunk;
  }
  return only;
}

// Returns true if the hunks share at least half of the changed lines of the one that has fewer, white space
// at their ends aside.
bool make_like_changes(const Hunk& first, const Hunk& second) {
  auto sorted_lines = [](const Hunk& hunk) {
    std::vector<ChangedLine> lines = changed_lines_of(hunk);
    for (ChangedLine& line : lines) line.second = trimmed(line.second);
    std::ranges::sort(lines);
    return lines;
  };
  const std::vector<ChangedLine> lines = sorted_lines(first), others = sorted_lines(second);
  std::vector<ChangedLine> common;
  std::ranges::set_intersection(lines, others, std::back_inserter(common));
  return !common.empty() && common.size() * 2 >= std::min(lines.size(), others.size());
}

// Returns the only path for which the patch was rejected, if a header can have it unquoted; otherwise an
// empty text.
std::string only_rejected_path(const std::vector<Reject>& rejects) {
  if (rejects.empty() || rejects.front().path.find_first_of("\"\\\n\r\t") != std::string::npos) return {};
  const std::string& path = rejects.front().path;
  return std::ranges::all_of(rejects, [&](const Reject& reject) { return reject.path == path; }) ? path : "";
}

// Returns the offset of the first hunk of a text that has no header above it; npos if there is none.
std::size_t hunk_without_header(const OwnedPatch& patch) {
  const std::string_view text = *patch.texts.front();
  if (!patch.patch.files.empty()) return std::string_view::npos;
  const std::size_t at = text.starts_with("@@") ? 0 : text.find("\n@@");
  return at == std::string_view::npos || at == 0 ? at : at + 1;
}

// Subtracts lines that the author did not send from the line numbers of a patch.
void shift_lines(Patch& patch, std::int64_t added_lines) {
  auto shift = [&](std::int64_t& line) { line = std::max<std::int64_t>(line - added_lines, 1); };
  for (FilePatch& file : patch.files) {
    shift(file.patch_line);
    for (std::int64_t& line : file.merged_lines) shift(line);
    for (Hunk& hunk : file.hunks) shift(hunk.patch_line);
  }
  for (Reject& reject : patch.rejects)
    if (reject.patch_line) shift(*reject.patch_line);
}

// Removes these hunks of a file and numbers the others again from 0.
void remove_hunks(std::vector<Hunk>& hunks, const std::set<std::int64_t>& removed) {
  std::erase_if(hunks, [&](const Hunk& hunk) { return removed.contains(hunk.index); });
  std::int64_t index = 0;
  for (Hunk& hunk : hunks) hunk.index = index++;
}

// What was rejected in the part for a file.
struct Rejected {
  bool as_whole = false;
  std::set<std::int64_t> hunks;   // The indexes of the hunks that could be read.
  std::vector<Reject> malformed;  // Of the other hunks.
};

Rejected rejected_in(const FilePatch& part, const std::vector<Reject>& rejects) {
  Rejected rejected;
  for (const Reject& reject : rejects) {
    if (reject.path != part.path()) continue;
    if (!reject.hunk_index)
      rejected.as_whole = true;
    else if (std::ranges::find(part.hunks, *reject.hunk_index, &Hunk::index) != part.hunks.end())
      rejected.hunks.insert(*reject.hunk_index);
    else
      rejected.malformed.push_back(reject);
  }
  return rejected;
}

class Continuation {
 public:
  Continuation(const OwnedPatch& earlier, const std::vector<Reject>& rejects)
      : whole_(earlier), rejects_(rejects) {}

  OwnedPatch run(OwnedPatch sent) {
    whole_.patch.has_crlf_lines = whole_.patch.has_crlf_lines && sent.patch.has_crlf_lines;
    for (FilePatch& file : sent.patch.files) apply(std::move(file), sent.patch.rejects);
    std::ranges::move(sent.patch.rejects, std::back_inserter(whole_.patch.rejects));
    std::ranges::move(sent.texts, std::back_inserter(whole_.texts));
    sort_rejects(whole_.patch.rejects);
    return std::move(whole_);
  }

 private:
  // `sent_rejects` are those of the sent patch; their hunks are numbered again here.
  void apply(FilePatch sent, std::vector<Reject>& sent_rejects) {
    const std::string path = path_of_earlier_part(sent);
    std::vector<FilePatch>& files = whole_.patch.files;
    const auto part = std::ranges::find(files, path, &FilePatch::path);
    std::erase_if(whole_.patch.rejects, [&](const Reject& reject) { return reject.path == path; });
    if (part != files.end() && only_changes_lines(sent) && !rejected_in(*part, rejects_).as_whole) {
      replace_hunks(*part, std::move(sent), sent_rejects);
      return;
    }
    std::erase_if(files, [&](const FilePatch& file) { return file.path() == path; });
    files.push_back(std::move(sent));
  }

  // Returns the path under which the earlier patch has the part that `sent` corrects, or that of `sent`.
  std::string path_of_earlier_part(const FilePatch& sent) const {
    const std::string& path = sent.path();
    for (const FilePatch& file : whole_.patch.files)
      if (path == file.path() || path == file.old_path) return file.path();
    for (const Reject& reject : rejects_)
      if (std::ranges::find(reject.similar_paths, path) != reject.similar_paths.end()) return reject.path;
    return path;
  }

  // Leaves in `rejected` those that none of the new hunks corrects.
  static void remove_corrected(const std::vector<Hunk>& hunks, const std::vector<const Hunk*>& sent,
                               Rejected& rejected) {
    if (sent.size() >= rejected.hunks.size() + rejected.malformed.size()) {
      rejected = {};
      return;
    }
    std::size_t others = 0;  // Hunks that correct none of the readable ones.
    for (const Hunk* const hunk : sent) {
      const std::size_t removed = std::erase_if(rejected.hunks, [&](std::int64_t index) {
        return make_like_changes(*std::ranges::find(hunks, index, &Hunk::index), *hunk);
      });
      if (removed == 0) ++others;
    }
    const std::size_t replaced = std::min(others, rejected.malformed.size());
    rejected.malformed.erase(rejected.malformed.begin(),
                             rejected.malformed.begin() + static_cast<std::ptrdiff_t>(replaced));
  }

  void replace_hunks(FilePatch& part, FilePatch sent, std::vector<Reject>& sent_rejects) {
    Rejected rejected = rejected_in(part, rejects_);
    std::set<std::int64_t> replaced = rejected.hunks;
    std::set<std::int64_t> repeated;
    std::vector<const Hunk*> corrections;
    for (const Hunk& hunk : sent.hunks) {
      const Hunk* const same = repeated_hunk(part.hunks, hunk);
      if (same != nullptr && !rejected.hunks.contains(same->index))
        repeated.insert(same->index);
      else
        corrections.push_back(&hunk);
    }
    const auto sent_faults = std::ranges::count(sent_rejects, sent.path(), &Reject::path);
    if (sent_faults > 0)
      rejected = {};
    else
      remove_corrected(part.hunks, corrections, rejected);
    std::erase_if(replaced, [&](std::int64_t index) { return rejected.hunks.contains(index); });
    replaced.merge(repeated);
    remove_hunks(part.hunks, replaced);
    auto index = static_cast<std::int64_t>(part.hunks.size());
    for (Reject& reject : rejected.malformed) {
      reject.hunk_index = index++;
      whole_.patch.rejects.push_back(std::move(reject));
    }
    for (Hunk& hunk : sent.hunks) {
      hunk.index += index;
      hunk.text = whole_.texts.size();
      part.hunks.push_back(std::move(hunk));
    }
    for (Reject& reject : sent_rejects) {
      if (reject.path != sent.path()) continue;
      reject.path = part.path();
      if (reject.hunk_index) *reject.hunk_index += index;
    }
    part.has_faults = sent.has_faults || !rejected.malformed.empty();
    part.may_create = false;
  }

  OwnedPatch whole_;
  const std::vector<Reject>& rejects_;
};

}  // namespace

OwnedPatch parse_owned_patch(std::string text, std::string_view root) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  OwnedPatch patch{.patch = parse_patch(*owned, root), .texts = {}};
  patch.texts.push_back(std::move(owned));
  return patch;
}

OwnedPatch parse_correction(std::string text, std::string_view root, const RejectedPatch& earlier) {
  OwnedPatch sent = parse_owned_patch(std::move(text), root);
  const std::string path = only_rejected_path(earlier.rejects);
  const std::size_t at = hunk_without_header(sent);
  if (path.empty() || at == std::string_view::npos) return sent;
  const std::vector<FilePatch>& files = earlier.patch.patch.files;
  const auto part = std::ranges::find(files, path, &FilePatch::path);
  const bool is_v4a = part != files.end() && !part->hunks.empty() && part->hunks.front().headings_name_blocks;
  const std::string_view bare = *sent.texts.front();
  const std::string hunks(bare.substr(at));
  OwnedPatch with_header = parse_owned_patch(
      is_v4a ? "*** Begin Patch\n*** Update File: " + path + "\n" + hunks + "\n*** End Patch\n"
             : "--- a/" + path + "\n+++ b/" + path + "\n" + hunks,
      root);
  constexpr std::int64_t header_lines = 2;
  shift_lines(with_header.patch, header_lines - std::ranges::count(bare.substr(0, at), '\n'));
  return with_header;
}

bool can_be_continued(const std::vector<Reject>& rejects) {
  return !rejects.empty() && std::ranges::none_of(rejects, [](const Reject& reject) {
    return reject.path.empty() || reject.reason == RejectReason::forbidden_path ||
           reject.reason == RejectReason::unsupported || reject.reason == RejectReason::too_large;
  });
}

OwnedPatch without_rejected(const OwnedPatch& earlier, const std::vector<Reject>& rejects) {
  OwnedPatch rest = earlier;
  rest.patch.rejects.clear();
  std::erase_if(rest.patch.files, [&](FilePatch& part) {
    const Rejected rejected = rejected_in(part, rejects);
    const bool has_rejects = rejected.as_whole || !rejected.hunks.empty() || !rejected.malformed.empty();
    if (!has_rejects) return false;
    if (rejected.as_whole || part.kind == FilePatch::Kind::create || part.kind == FilePatch::Kind::remove)
      return true;
    const bool has_only_hunks = only_changes_lines(part);
    remove_hunks(part.hunks, rejected.hunks);
    part.has_faults = false;
    part.may_create = false;
    return part.hunks.empty() && has_only_hunks;
  });
  return rest;
}

OwnedPatch continue_patch(const OwnedPatch& earlier, const std::vector<Reject>& rejects, OwnedPatch sent) {
  return Continuation(earlier, rejects).run(std::move(sent));
}

}  // namespace snapgen::core
