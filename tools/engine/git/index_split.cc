#include <algorithm>

#include "tools/engine/git/index.h"

namespace snapgen::core::git {
namespace {

bool before(const IndexEntry& a, const IndexEntry& b) {
  const int order = a.path.compare(b.path);
  return order != 0 ? order < 0 : a.stage < b.stage;
}

bool same_place(const IndexEntry& a, const IndexEntry& b) { return a.path == b.path && a.stage == b.stage; }

}  // namespace

IndexPtr with_shared_index(const ParsedIndex& split, const IndexPtr& shared) {
  IndexBuilder out(split.index->stat(), split.index->kind());
  out.keep_alive(split.index);
  out.keep_alive(shared);
  const std::vector<bool>& deleted = split.link->deleted_bitmap;
  const std::vector<bool>& replaced = split.link->replaced_bitmap;
  const std::vector<IndexEntry>& base = shared->entries();
  const std::vector<IndexEntry>& own = split.index->entries();
  if (!shared->fallback_reason().empty() || deleted.size() > base.size() || replaced.size() > base.size()) {
    out.set_fallback_reason("the shared index is damaged");
    return out.finish();
  }
  out.reserve(base.size() + own.size());
  std::size_t next_nameless = 0;
  auto added = own.begin();
  bool good = true;
  for (std::size_t i = 0; i < base.size(); ++i) {
    IndexEntry entry = base[i];
    if (i < replaced.size() && replaced[i]) {
      good = good && next_nameless < split.replacements.size();
      if (!good) break;
      entry = split.replacements[next_nameless++];
      entry.path = base[i].path;
    }
    for (; added != own.end() && before(*added, entry); ++added) good = good && out.add(*added);
    if (i < deleted.size() && deleted[i]) continue;
    if (added != own.end() && same_place(*added, entry)) continue;
    good = good && out.add(entry);
  }
  for (; added != own.end(); ++added) good = good && out.add(*added);
  if (!good || next_nameless != split.replacements.size())
    out.set_fallback_reason("the split index is damaged");
  if (split.index->cached_tree() != nullptr) out.set_tree(*split.index->cached_tree());
  return out.finish();
}

}  // namespace snapgen::core::git
