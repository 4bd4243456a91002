#include "tools/engine/store/caches/known_contents.h"

#include <algorithm>
#include <atomic>

#include "tools/engine/base/parallel.h"

namespace snapgen::core {
namespace {

constexpr std::size_t lookups_per_block = 1024;  // Files that one thread looks up at a time.

}  // namespace

std::shared_ptr<const ListingContents> KnownContents::contents_of(
    const std::shared_ptr<const FileList>& files, std::span<const FileRange> wanted) {
  const std::lock_guard lock(mutex_);
  if (files_ != files) {
    if (files_ && files_->shares_paths_with(*files))
      forget_changed(*files);
    else
      adopt(*files);
    files_ = files;
  }
  look_up(*files, wanted);
  return contents_;
}

void KnownContents::mark_durable(const std::shared_ptr<const FileList>& files,
                                 std::span<const std::uint32_t> indexes, std::uint64_t generation) {
  using State = ListingContents::State;
  const std::lock_guard lock(mutex_);
  if (files_ != files) return;
  ListingContents& contents = writable_contents();
  if (contents.generation_ != generation)
    std::replace(contents.states_.begin(), contents.states_.end(), State::durable, State::known);
  contents.generation_ = generation;
  for (const std::uint32_t index : indexes)
    if (contents.states_[index] == State::known) contents.states_[index] = State::durable;
}

void KnownContents::release_memory() {
  const std::lock_guard lock(mutex_);
  files_.reset();
  contents_.reset();
}

// Takes over the contents of the files that have the same stat in files_. Both lists are sorted by path.
void KnownContents::adopt(const FileList& files) {
  auto contents = std::make_shared<ListingContents>(files.size());
  if (files_) {
    contents->generation_ = contents_->generation_;
    const FileList& before = *files_;
    std::size_t old = 0;
    for (std::size_t i = 0; i < files.size() && old < before.size(); ++i) {
      int order = before.path(old).compare(files.path(i));
      while (order < 0 && ++old < before.size()) order = before.path(old).compare(files.path(i));
      if (order != 0 || old == before.size()) continue;
      if (before.stat(old) == files.stat(i)) {
        contents->states_[i] = contents_->states_[old];
        contents->blobs_[i] = contents_->blobs_[old];
      }
      ++old;
    }
  }
  contents_ = std::move(contents);
}

// Takes over the contents if both lists have the same paths, so that they need not be compared.
void KnownContents::forget_changed(const FileList& files) {
  const std::vector<std::uint32_t> changed = files.indexes_with_another_stat(*files_);
  if (changed.empty()) return;
  ListingContents& contents = writable_contents();
  for (const std::uint32_t index : changed) contents.states_[index] = ListingContents::State::unknown;
}

void KnownContents::look_up(const FileList& files, std::span<const FileRange> wanted) {
  using State = ListingContents::State;
  std::vector<std::uint32_t> unknown;
  for (const FileRange& range : wanted)
    for (std::size_t i = range.first; i < range.last; ++i)
      if (!contents_->is_known(i)) unknown.push_back(static_cast<std::uint32_t>(i));
  if (unknown.empty()) return;
  ListingContents& contents = writable_contents();
  in_parallel(unknown.size(), lookups_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t index = unknown[i];
      const std::optional<BlobId> blob = stats_.find(files.path(index), files.stat(index));
      if (!blob) continue;
      contents.blobs_[index] = *blob;
      contents.states_[index] = State::known;
    }
  });
}

ListingContents& KnownContents::writable_contents() {
  if (contents_.use_count() > 1) contents_ = std::make_shared<ListingContents>(*contents_);
  // Pairs with the release of the last other reader's reference, so that its reads happen before the writes
  // here.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *contents_;
}

}  // namespace snapgen::core
