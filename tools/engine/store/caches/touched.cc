#include "tools/engine/store/caches/touched.h"

#include <algorithm>
#include <cassert>

namespace snapgen::core {

FileRecord ListedFiles::record(std::size_t at) const {
  return {.path = std::string(path(at)), .stat = stat(at), .seen_ns = seen_ns_, .blob = blobs_[at]};
}

std::size_t ListedFiles::find(std::string_view path) const {
  if (empty()) return 0;
  const std::size_t index = files_->find(path);
  return index == files_->size() ? size() : find(static_cast<std::uint32_t>(index));
}

std::size_t ListedFiles::find(std::uint32_t index) const {
  const auto found = std::lower_bound(indexes_.begin(), indexes_.end(), index);
  const bool there = found != indexes_.end() && *found == index;
  return there ? static_cast<std::size_t>(found - indexes_.begin()) : size();
}

void ListedFiles::add(std::uint32_t index, const std::optional<BlobId>& blob) {
  assert(indexes_.empty() || indexes_.back() < index);
  indexes_.push_back(index);
  blobs_.push_back(blob);
}

void ListedFiles::add(const ListedFiles& more) {
  ListedFiles both(files_, std::min(seen_ns_, more.seen_ns_));
  std::size_t mine = 0;
  for (std::size_t i = 0; i < more.size(); ++i) {
    for (; mine < size() && indexes_[mine] < more.indexes_[i]; ++mine) both.add(indexes_[mine], blobs_[mine]);
    both.add(more.indexes_[i], more.blobs_[i]);
  }
  for (; mine < size(); ++mine) both.add(indexes_[mine], blobs_[mine]);
  *this = std::move(both);
}

bool TouchedFiles::confirms(const FileRecord& record) const {
  const auto by_path = [](const FileRecord& one, std::string_view path) { return one.path < path; };
  const auto found = std::lower_bound(records.begin(), records.end(), record.path, by_path);
  if (found != records.end() && found->path == record.path) {
    return record_was_observed[static_cast<std::size_t>(found - records.begin())] &&
           (!record.blob || found->blob == record.blob) && proves_unchanged(record, found->stat);
  }
  const std::size_t at = listed.find(record.path);
  return at != listed.size() && listed_was_observed[at] && (!record.blob || listed.blob(at) == record.blob) &&
         proves_unchanged(record, listed.stat(at));
}

}  // namespace snapgen::core
