#pragma once
// LiveView: the files of the work tree as they are now, and a record of all that a client is shown of them.
//
// It makes no promise of its own about coherence: the one who uses it checks afterwards that what was
// recorded still stands (see coherent.h).
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tools/engine/git/file_list.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/file_record.h"
#include "tools/engine/store/lease.h"
#include "tools/engine/store/touched.h"
#include "tools/engine/store/trigram_filter_cache.h"

namespace snapgen::core {

class Contents;
class Workspace;

void add(Skipped& sum, SkipReason reason);

class LiveView final : public View {
 public:
  // `with_status`: the listing, if it is made, begins with a look at the status. `touches`: somebody asks for
  // what was touched.
  LiveView(Workspace& workspace, bool with_status, std::stop_token stop, bool touches = true);
  // One that serves only what can be had without a walk: files up to so many bytes, by a path without
  // symlinks. All else is an error of no meaning.
  LiveView(Workspace& workspace, std::int64_t try_bytes_max);

  // What it saw is known.
  void set_lease(std::shared_ptr<const Lease> lease) { lease_ = std::move(lease); }

  Result<const Listing*> listing() override;
  std::optional<std::int64_t> size_of(std::size_t index) override;
  std::optional<BlobId> known_blob(std::size_t index) override;
  Result<Skipped> skipped_below(std::string_view path, bool recursive) override;
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override;
  Result<Candidate> candidate(std::size_t index, ReadBuffers& buffers) override;
  std::optional<TrigramFilter> trigram_filter(std::size_t index) override;
  bool skip_by_filter(std::size_t index, ReadBuffers& buffers) override;
  void touch(std::size_t index) override;

  // What the file holds, if its stat proves it.
  std::optional<BlobId> known_blob(std::string_view path, const FileStat& stat) const;
  // A content was hashed, which the next one who reads it can do without.
  void learned(const FileRecord& record);

  // Looks at the status before anything else is read, if that is wanted; a listing does so by itself.
  Result<Unit> note_status();

  // Whether the listing leaves out exactly this path for being ignored.
  bool ignores(std::string_view path) const;
  FileStat stat_of(std::size_t index) const { return files_->stat(index); }
  // The listing itself, to be compared with an earlier one: the watch hands out the same until something
  // changes. Null before it is made.
  const std::shared_ptr<const FileList>& shared_listing() const { return files_; }
  // By the listing; nothing before it is made.
  const std::vector<SkippedPath>& skipped() const {
    static const std::vector<SkippedPath> nothing;
    return files_ ? files_->skipped() : nothing;
  }
  bool touches() const { return touches_; }
  std::int64_t listed_ns() const { return listed_ns_; }  // When the listing was asked for.
  bool listed() const { return files_ != nullptr; }
  // As of when the listing is told; none where nobody watches.
  std::optional<std::uint64_t> moment() const { return moment_; }
  // The paths that were asked for and are not there.
  const std::vector<std::string>& missed() const { return missed_; }
  // Looking there ended with this error, which is handed back.
  Error not_there(std::string_view path, Error error);
  // The files of the listing that were read and had another stat than it says.
  std::vector<std::string> read_otherwise() const;
  const std::optional<Fingerprint>& before_listing() const { return before_listing_; }

  // Hands over everything touched so far. Files that were only listed have no blob. Errors: as observe(), for
  // those whose stat alone proves nothing.
  Result<Touched> touched();

  // Keeps the hashes of what was read and not touched, so that the next one who asks need not read it. For a
  // reader that no lease goes with.
  void remember_reads();

  // Something was shown of this file too.
  void touch(FileRecord record);

 private:
  enum class Read : std::uint8_t { no, known, learned, otherwise };
  // What candidate() read, where it was not what the listing has.
  struct Otherwise {
    FileStat stat;
    std::int64_t seen_ns = 0;
  };
  void begin_search();
  void sign(const BlobId& blob, std::string_view bytes, bool binary, ReadBuffers& buffers);
  void store_trigram_filters();
  // Reads a file that stands as it was listed; none if it does not, or needs a closer look. Of one that is
  // binary the first bytes may be all that is read.
  std::optional<std::string_view> read_as_listed(std::size_t index, ReadBuffers& buffers) const;
  FileRecord record_of(std::size_t index, Read read);
  Result<Unit> prove(FileRecord& record, bool& seen);

  Workspace& workspace_;
  std::shared_ptr<const FileList> files_;  // The listing; null until somebody asks.
  std::optional<std::uint64_t> moment_;
  std::int64_t listed_ns_ = 0;  // When the listing was asked for.
  bool with_status_;
  bool touches_;
  std::optional<std::int64_t> try_bytes_max_;
  std::shared_ptr<const Lease> lease_;  // or null
  std::optional<Fingerprint> before_listing_;
  std::vector<std::string> missed_;
  // What candidate() read until touch(), or never: one for each file of the listing, made when one is read.
  std::vector<Read> reads_;
  std::vector<BlobId> blobs_;
  std::shared_ptr<const Contents> contents_;                   // What the listing's files hold,
  std::shared_ptr<const TrigramFilterTable> trigram_filters_;  // and what is known of that.
  std::once_flag reads_made_;
  std::mutex mutex_;
  std::vector<SignedContent> fresh_;  // Trigram filters made here; guarded by mutex_, like what follows.
  std::size_t fresh_bytes_ = 0;
  std::unordered_map<std::size_t, Otherwise> otherwise_;
  std::vector<std::uint32_t> touched_listed_;
  std::vector<FileRecord> touched_;
  std::vector<FileRecord> learned_;  // for the stat cache
};

}  // namespace snapgen::core
