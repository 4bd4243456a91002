#pragma once
// KnownContents: what each file of a watched tree holds, from one call to the next. A file with the stat that
// it had in the listing before has the content that was known then, so that only the others are looked up.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "tools/engine/git/file_list.h"
#include "tools/engine/store/stat_cache.h"

namespace snapgen::core {

// Of the files of one listing, by their numbers in it.
class Contents {
 public:
  explicit Contents(std::size_t files) : blobs_(files), states_(files) {}

  // The content; none where nothing proves it.
  std::optional<BlobId> find(std::size_t index) const {
    if (states_[index] == State::unknown) return std::nullopt;
    return blobs_[index];
  }
  // Whether the store had it, durably, in this generation of it.
  bool is_kept(std::size_t index, std::uint64_t generation) const {
    return states_[index] == State::kept && generation_ == generation;
  }

 private:
  friend class KnownContents;
  enum class State : std::uint8_t { unknown, known, kept };

  std::vector<BlobId> blobs_;
  std::vector<State> states_;
  std::uint64_t generation_ = 0;  // In which the kept ones were.
};

// Thread-safe.
class KnownContents {
 public:
  explicit KnownContents(StatCache& stats) : stats_(stats) {}
  KnownContents(KnownContents&&) = delete;

  // Of the files of this listing, as far as the listing before or the stat cache knows them.
  std::shared_ptr<const Contents> of(const std::shared_ptr<const FileList>& files);

  // The contents of these files, which of(files) had, are durable in the store of this generation.
  void keep(const std::shared_ptr<const FileList>& files, std::span<const std::uint32_t> indexes,
            std::uint64_t generation);

  // Gives back the memory.
  void rest();

 private:
  void adopt(const FileList& files);
  void look_up(const FileList& files);
  Contents& own();

  StatCache& stats_;
  std::mutex mutex_;
  std::shared_ptr<const FileList> files_;
  std::shared_ptr<Contents> contents_;  // Of files_. Whoever else holds it is not disturbed.
};

}  // namespace snapgen::core
