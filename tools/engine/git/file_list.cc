#include "tools/engine/git/file_list.h"

#include <algorithm>
#include <limits>

namespace snapgen::core {

std::size_t FileList::lower_bound(std::string_view path) const {
  std::size_t first = 0;
  std::size_t count = items_.size();
  while (count > 0) {
    const std::size_t half = count / 2;
    if (this->path(first + half) < path) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

std::size_t FileList::find(std::string_view path) const {
  const std::size_t at = lower_bound(path);
  return at < size() && this->path(at) == path ? at : size();
}

FileRange FileList::at_or_below(std::string_view path) const {
  const std::size_t at = find(path);
  return at < size() ? FileRange{at, at + 1} : below(path);
}

FileRange FileList::below(std::string_view path) const {
  if (path.empty()) return {0, size()};
  std::string bound(path);
  const std::size_t first = lower_bound(bound += '/');
  bound.back() = '/' + 1;
  return {first, lower_bound(bound)};
}

bool FileList::is_hard_linked(std::size_t index) const {
  return std::binary_search(hard_linked_.begin(), hard_linked_.end(), static_cast<std::uint32_t>(index));
}

void FileList::reserve(std::size_t files, std::size_t path_bytes) {
  items_.reserve(files);
  text_->reserve(path_bytes + files);
}

void FileList::add(std::string_view path, const FileStat& stat, bool is_hard_linked) {
  if (is_hard_linked) hard_linked_.push_back(static_cast<std::uint32_t>(items_.size()));
  items_.push_back(packed(stat, text_->size()));
  text_->append(path).append(1, '\0');
}

void FileList::append(const FileList& other, FileRange run) {
  if (run.empty()) return;
  const std::size_t from = other.items_[run.first].path_at;
  const std::size_t to = run.last < other.size() ? other.items_[run.last].path_at : other.text_->size();
  const std::size_t shift = text_->size() - from;  // May wrap around, modulo 2^64.
  const std::size_t first = items_.size();
  text_->append(*other.text_, from, to - from);
  for (std::size_t i = run.first; i < run.last; ++i) {
    Item item = other.items_[i];
    item.path_at = static_cast<std::uint32_t>(item.path_at + shift);
    item.device = device_number(other.devices_[item.device]);
    items_.push_back(item);
  }
  const auto begin = std::lower_bound(other.hard_linked_.begin(), other.hard_linked_.end(), run.first);
  for (auto it = begin; it != other.hard_linked_.end() && *it < run.last; ++it)
    hard_linked_.push_back(static_cast<std::uint32_t>(*it - run.first + first));
}

void FileList::set_stat(std::size_t index, const FileStat& stat, bool is_hard_linked) {
  items_[index] = packed(stat, items_[index].path_at);
  const auto number = static_cast<std::uint32_t>(index);
  const auto at = std::lower_bound(hard_linked_.begin(), hard_linked_.end(), number);
  const bool had = at != hard_linked_.end() && *at == number;
  if (is_hard_linked && !had) hard_linked_.insert(at, number);
  if (!is_hard_linked && had) hard_linked_.erase(at);
}

FileList::Item FileList::packed(const FileStat& stat, std::size_t path_at) {
  return {.size = stat.size,
          .mtime_ns = stat.mtime_ns,
          .ctime_ns = stat.ctime_ns,
          .inode = stat.inode,
          .path_at = static_cast<std::uint32_t>(path_at),
          .mode = static_cast<std::uint16_t>(stat.mode),
          .device = device_number(stat.device)};
}

std::uint16_t FileList::device_number(std::uint64_t device) {
  // The next file is usually on the same device as the last one.
  if (!devices_.empty() && devices_.back() == device) return static_cast<std::uint16_t>(devices_.size() - 1);
  const auto known = std::find(devices_.begin(), devices_.end(), device);
  if (known != devices_.end()) return static_cast<std::uint16_t>(known - devices_.begin());
  // A stat with a wrong device never matches, so its file is only read more often.
  if (devices_.size() < std::numeric_limits<std::uint16_t>::max()) devices_.push_back(device);
  return static_cast<std::uint16_t>(devices_.size() - 1);
}

FileList file_list_of(FileListing listing, const ListScope& scope) {
  FileList out;
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (const WorktreeFile& file : listing.files) {
    if (!file.path.starts_with(scope.prefix)) continue;
    bytes += file.path.size() - scope.prefix.size();
    ++count;
  }
  out.reserve(count, bytes);
  const auto within = [&](const std::string& path) {
    return std::string_view(path).substr(scope.prefix.size());
  };
  for (const WorktreeFile& file : listing.files) {
    if (scope.contains(file.path)) out.add(within(file.path), file.stat, file.is_hard_linked);
  }
  std::erase_if(listing.skipped, [&](const SkippedPath& one) { return !scope.contains(one.path); });
  for (SkippedPath& one : listing.skipped) one.path.erase(0, scope.prefix.size());
  const auto by_path = [](const SkippedPath& a, const SkippedPath& b) { return a.path < b.path; };
  std::sort(listing.skipped.begin(), listing.skipped.end(), by_path);
  listing.skipped.shrink_to_fit();
  out.set_skipped(std::move(listing.skipped));
  return out;
}

}  // namespace snapgen::core
