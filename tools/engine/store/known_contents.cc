#include "tools/engine/store/known_contents.h"

#include <algorithm>
#include <atomic>

#include "tools/engine/base/parallel.h"

namespace snapgen::core {
namespace {

constexpr std::size_t lookups_per_block = 1024;  // Files that one thread looks up at a time.
constexpr std::size_t comparisons_per_block = 16384;

}  // namespace

std::shared_ptr<const ListingContents> KnownContents::contents_of(
    const std::shared_ptr<const FileList>& files) {
  const std::lock_guard lock(mutex_);
  if (files_ != files) {
    if (files_ && files_->shares_paths_with(*files))
      forget_changed(*files);
    else
      adopt(*files);
    files_ = files;
  }
  look_up(*files);
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
  ListingContents& contents = writable_contents();
  const FileList& before = *files_;
  in_parallel(files.size(), comparisons_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (before.stat(i) != files.stat(i)) contents.states_[i] = ListingContents::State::unknown;
  });
}

void KnownContents::look_up(const FileList& files) {
  using State = ListingContents::State;
  const auto unknown = [](State state) { return state == State::unknown; };
  const std::vector<State>& states = contents_->states_;
  if (std::none_of(states.begin(), states.end(), unknown)) return;
  ListingContents& contents = writable_contents();
  in_parallel(files.size(), lookups_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!unknown(contents.states_[i])) continue;
      const std::optional<BlobId> blob = stats_.find(files.path(i), files.stat(i));
      if (!blob) continue;
      contents.blobs_[i] = *blob;
      contents.states_[i] = State::known;
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
