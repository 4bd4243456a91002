#pragma once
// KnownContents: the content of each file of a watched tree, remembered between calls. A file whose stat has
// not changed since the previous listing has the same content. Of the others, a call looks up only the files
// that it needs.
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/store/caches/stat_cache.h"

namespace snapgen::core {

// The contents of the files of one listing, by their index in it.
class ListingContents {
 public:
  explicit ListingContents(std::size_t files) : blobs_(files), states_(files) {}

  // The content, or nullopt if no record proves it.
  std::optional<BlobId> find(std::size_t index) const {
    if (states_[index] == State::unknown) return std::nullopt;
    return blobs_[index];
  }
  bool is_known(std::size_t index) const { return states_[index] != State::unknown; }
  // is_known() must be true.
  const BlobId& blob(std::size_t index) const {
    assert(is_known(index));
    return blobs_[index];
  }
  // Whether the store had the content durably in this generation.
  bool is_durable(std::size_t index, std::uint64_t generation) const {
    return states_[index] == State::durable && generation_ == generation;
  }

 private:
  friend class KnownContents;
  enum class State : std::uint8_t { unknown, known, durable };

  std::vector<BlobId> blobs_;
  std::vector<State> states_;
  std::uint64_t generation_ = 0;  // The generation for which State::durable is valid.
};

// Thread-safe.
class KnownContents {
 public:
  explicit KnownContents(StatCache& stats) : stats_(stats) {}
  KnownContents(KnownContents&&) = delete;

  // Returns the contents of the files of this listing that an earlier call found and that have not changed,
  // and those of the files in `wanted` that the stat cache proves.
  std::shared_ptr<const ListingContents> contents_of(const std::shared_ptr<const FileList>& files,
                                                     std::span<const FileRange> wanted);

  // Records that these contents, which contents_of() returned, are durable in this generation of the store.
  void mark_durable(const std::shared_ptr<const FileList>& files, std::span<const std::uint32_t> indexes,
                    std::uint64_t generation);

  void release_memory();

 private:
  void adopt(const FileList& files);
  void forget_changed(const FileList& files);
  void look_up(const FileList& files, std::span<const FileRange> wanted);
  ListingContents& writable_contents();

  StatCache& stats_;
  std::mutex mutex_;
  std::shared_ptr<const FileList> files_;
  // The contents of files_. Copied before a change if a caller shares them.
  std::shared_ptr<ListingContents> contents_;
};

}  // namespace snapgen::core
