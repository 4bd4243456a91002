#pragma once
// LiveView: the files of the work tree as they are now, and a record of all that a client is shown of them.
//
// It makes no promise of its own about coherence: the one who uses it checks afterwards that what was
// recorded still stands (see coherent.h).
#include <atomic>
#include <mutex>
#include <optional>

#include "tools/core/store/file_record.h"
#include "tools/core/substrate.h"
#include "tools/core/view/view.h"

namespace snapgen::core {

void add(Skipped& sum, SkipReason reason);

class LiveView final : public View {
 public:
  // `with_status`: the listing, if it is made, begins with a look at the status.
  LiveView(Substrate& substrate, bool with_status, std::stop_token stop);

  Result<const Listing*> listing() override;
  std::optional<std::int64_t> size_of(std::size_t index) override;
  std::optional<BlobId> known_blob(std::size_t index) override;
  Result<Skipped> skipped_below(std::string_view path, bool recursive) override;
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override;
  Result<Candidate> candidate(std::size_t index, ReadingRoom& room) override;
  void touch(std::size_t index) override;

  // Looks at the status before anything else is read, if that is wanted; a listing does so by itself.
  Result<Unit> note_status();

  // Whether the listing leaves out exactly this path for being ignored.
  bool ignores(std::string_view path) const;
  const FileStat& stat_of(std::size_t index) const { return stats_[index]; }
  const std::vector<SkippedPath>& skipped() const { return skipped_; }  // By the listing.
  std::int64_t listed_ns() const { return listed_ns_; }  // When the listing was begun.
  bool listed() const { return listing_.has_value(); }
  const std::optional<Fingerprint>& before_listing() const { return before_listing_; }

  // Hands over everything touched so far, one record for each path, sorted. Files that were only listed have
  // no blob. Errors: as observe(), for those whose stat alone proves nothing.
  Result<std::vector<FileRecord>> touched();

  // Called by FileContent::finish().
  void touch(FileRecord record);

 private:
  // What candidate() read, until touch() or never.
  struct Reading {
    FileStat stat;
    std::int64_t seen_ns = 0;
    std::optional<BlobId> blob;
    bool learned = false;  // The stat cache did not know it.
  };
  // Reads a file that stands as it was listed; none if it does not, or needs a closer look.
  std::optional<std::string_view> read_as_listed(std::size_t index, ReadingRoom& room) const;

  Substrate& substrate_;
  std::optional<Listing> listing_;
  std::vector<FileStat> stats_;  // One for each file of the listing.
  std::vector<SkippedPath> skipped_;
  std::int64_t listed_ns_ = 0;  // When the listing was begun.
  bool with_status_;
  std::optional<Fingerprint> before_listing_;
  std::vector<Reading> readings_;  // The same; made when a candidate is read.
  std::once_flag readings_made_;
  std::vector<FileRecord> touched_;
  std::vector<FileRecord> learned_;  // for the stat cache
};

}  // namespace snapgen::core
