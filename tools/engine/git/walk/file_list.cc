#include "tools/engine/git/walk/file_list.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace snapgen::core {

std::size_t FileList::lower_bound(std::string_view path) const {
  std::size_t first = 0;
  std::size_t count = size();
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

std::vector<std::uint32_t> FileList::indexes_with_another_stat(const FileList& other) const {
  std::vector<std::uint32_t> indexes;
  for (std::size_t block = 0; block < stats_.size(); ++block) {
    if (stats_[block] == other.stats_[block]) continue;
    const std::size_t first = block * stats_per_block;
    for (std::size_t i = first; i < first + stats_[block]->size(); ++i)
      if (stat(i) != other.stat(i)) indexes.push_back(static_cast<std::uint32_t>(i));
  }
  return indexes;
}

void FileList::reserve(std::size_t files, std::size_t path_bytes) {
  paths_->begins.reserve(files);
  paths_->text.reserve(path_bytes + files);
  stats_.reserve(files / stats_per_block + 1);
}

void FileList::add(std::string_view path, const FileStat& stat, bool is_hard_linked) {
  if (is_hard_linked) hard_linked_.push_back(static_cast<std::uint32_t>(size()));
  add_stat(packed(stat));
  paths_->begins.push_back(static_cast<std::uint32_t>(paths_->text.size()));
  paths_->text.append(path).append(1, '\0');
}

void FileList::append(const FileList& other, FileRange run) {
  if (run.empty()) return;
  const Paths& from = *other.paths_;
  const std::size_t begin = from.begins[run.first];
  const std::size_t end = run.last < other.size() ? from.begins[run.last] : from.text.size();
  const std::size_t shift = paths_->text.size() - begin;  // May wrap around, modulo 2^64.
  const std::size_t first = size();
  paths_->text.append(from.text, begin, end - begin);
  for (std::size_t i = run.first; i < run.last; ++i) {
    PackedStat stat = other.packed_stat(i);
    stat.device = device_number(other.devices_[stat.device]);
    add_stat(stat);
    paths_->begins.push_back(static_cast<std::uint32_t>(from.begins[i] + shift));
  }
  const auto linked = std::lower_bound(other.hard_linked_.begin(), other.hard_linked_.end(), run.first);
  for (auto it = linked; it != other.hard_linked_.end() && *it < run.last; ++it)
    hard_linked_.push_back(static_cast<std::uint32_t>(*it - run.first + first));
}

void FileList::set_stat(std::size_t index, const FileStat& stat, bool is_hard_linked) {
  std::shared_ptr<StatBlock>& block = stats_[index / stats_per_block];
  if (block.use_count() > 1) block = std::make_shared<StatBlock>(*block);
  // Orders this write after the reads of lists that have released the block.
  std::atomic_thread_fence(std::memory_order_acquire);
  (*block)[index % stats_per_block] = packed(stat);
  const auto number = static_cast<std::uint32_t>(index);
  const auto at = std::lower_bound(hard_linked_.begin(), hard_linked_.end(), number);
  const bool had = at != hard_linked_.end() && *at == number;
  if (is_hard_linked && !had) hard_linked_.insert(at, number);
  if (!is_hard_linked && had) hard_linked_.erase(at);
}

void FileList::add_stat(const PackedStat& stat) {
  if (stats_.empty() || stats_.back()->size() == stats_per_block) {
    stats_.push_back(std::make_shared<StatBlock>());
    if (stats_.size() > 1) stats_.back()->reserve(stats_per_block);
  }
  stats_.back()->push_back(stat);
}

FileList::PackedStat FileList::packed(const FileStat& stat) {
  return {.size = stat.size,
          .mtime_ns = stat.mtime_ns,
          .ctime_ns = stat.ctime_ns,
          .inode = stat.inode,
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
