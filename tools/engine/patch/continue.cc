#include "tools/engine/patch/continue.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "tools/engine/patch/parse.h"

namespace snapgen::core {
namespace {

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
    if (part != files.end() && only_changes_lines(sent) && !is_rejected_as_whole(path)) {
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

  bool is_rejected_as_whole(const std::string& path) const {
    return std::ranges::any_of(
        rejects_, [&](const Reject& reject) { return reject.path == path && !reject.hunk_index; });
  }

  void replace_hunks(FilePatch& part, FilePatch sent, std::vector<Reject>& sent_rejects) {
    std::set<std::int64_t> replaced;
    for (const Reject& reject : rejects_)
      if (reject.path == part.path() && reject.hunk_index) replaced.insert(*reject.hunk_index);
    for (const Hunk& hunk : part.hunks)
      if (std::ranges::find(sent.hunks, hunk.body, &Hunk::body) != sent.hunks.end())
        replaced.insert(hunk.index);
    std::erase_if(part.hunks, [&](const Hunk& hunk) { return replaced.contains(hunk.index); });
    std::int64_t index = 0;
    for (Hunk& hunk : part.hunks) hunk.index = index++;
    for (Hunk& hunk : sent.hunks) {
      hunk.index += index;
      part.hunks.push_back(std::move(hunk));
    }
    for (Reject& reject : sent_rejects) {
      if (reject.path != sent.path()) continue;
      reject.path = part.path();
      if (reject.hunk_index) *reject.hunk_index += index;
    }
    part.has_faults = sent.has_faults;
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

bool can_be_continued(const std::vector<Reject>& rejects) {
  return !rejects.empty() && std::ranges::none_of(rejects, [](const Reject& reject) {
    return reject.path.empty() || reject.reason == RejectReason::forbidden_path ||
           reject.reason == RejectReason::unsupported || reject.reason == RejectReason::too_large;
  });
}

OwnedPatch continue_patch(const OwnedPatch& earlier, const std::vector<Reject>& rejects, OwnedPatch sent) {
  return Continuation(earlier, rejects).run(std::move(sent));
}

}  // namespace snapgen::core
