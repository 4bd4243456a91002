#pragma once
// LiveView: the current files of the work tree, and a record of all that a client is shown of them.
//
// It does not ensure coherence: its user checks later that the recorded files are unchanged (coherent.h).
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/read/view.h"
#include "tools/engine/search/trigram_filter_cache.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/caches/touched.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {

class ListingContents;
class Workspace;

// Counts a path of the workspace that is skipped. Ignored files of the server itself are not counted: their
// number is of no use, and grows.
void add(SkippedCounts& sum, const SkippedPath& one);

class LiveView final : public FileView {
 public:
  // `with_status`: the listing, if it is made, begins with the status. `touches`: the caller uses touched().
  LiveView(Workspace& workspace, bool with_status, std::stop_token stop, bool touches = true);
  // Makes a view that serves only reads without a walk: files up to this size, by a path without symlinks.
  // For anything else it returns an error whose message is not shown.
  LiveView(Workspace& workspace, std::int64_t try_bytes_max);

  // Sets a lease whose records are used to find known contents.
  void set_lease(std::shared_ptr<const Lease> lease) { lease_ = std::move(lease); }

  Result<const Listing*> listing() override;
  std::optional<std::int64_t> size_of(std::size_t index) override;
  std::optional<BlobId> known_blob(std::size_t index) override;
  Result<SkippedCounts> skipped_below(std::string_view path, bool recursive) override;
  Result<std::unique_ptr<FileContent>> open(std::string_view path) override;
  DeclarationReader declarations() override;
  Result<SearchCandidate> read_candidate(std::size_t index, ReadBuffers& buffers) override;
  void prepare_search(std::span<const std::size_t> candidates) override;
  std::optional<SearchCandidate::Kind> skip_without_read(std::size_t index, const LineMatcher& matcher,
                                                         ReadBuffers& buffers) override;
  Result<std::vector<std::string>> ignored_files(std::string_view path, bool recursive) override;
  void mark_touched(std::size_t index) override;
  void mark_shown(std::size_t index) override;

  // The cached blob id of the file, if `stat` proves that the file is unchanged since it was hashed.
  std::optional<BlobId> known_blob(std::string_view path, const FileStat& stat) const;
  // Caches a content that was hashed, so that the next reader need not hash it.
  void cache_content(const FileRecord& record);
  // Remembers the content of a file that the client is shown (recent_contents.h). `record` has its blob.
  void remember(const FileRecord& record, std::string content);

  // Reads the status before anything else, if `with_status` is set. listing() also does it.
  Result<Unit> read_status_first();

  // Whether the listing omits exactly this path because it is ignored.
  bool ignores(std::string_view path) const;
  FileStat stat_of(std::size_t index) const { return files_->stat(index); }
  // The listing itself, for comparison with an earlier one: with a watch it remains the same until something
  // changes. Null before listing().
  const std::shared_ptr<const FileList>& shared_listing() const { return files_; }
  // The paths that the listing omits; empty before listing().
  const std::vector<SkippedPath>& skipped() const {
    static const std::vector<SkippedPath> nothing;
    return files_ ? files_->skipped() : nothing;
  }
  bool records_touches() const { return records_touches_; }
  std::int64_t listed_ns() const { return listed_ns_; }  // When the listing was requested.
  bool has_listing() const { return files_ != nullptr; }
  // The watch's moment of the listing; nullopt without a watch.
  std::optional<std::uint64_t> moment() const { return moment_; }
  bool is_not_checked_out(std::string_view path) override;
  // Paths that were requested and do not exist.
  const std::vector<std::string>& missing_paths() const { return missed_; }
  // Records `path` as missing if `error` is not_found, and returns `error`.
  Error record_missing(std::string_view path, Error error);
  // Files of the listing whose stat was different when they were read.
  std::vector<std::string> changed_since_listing() const;
  const std::optional<Fingerprint>& fingerprint_before_listing() const { return fingerprint_before_listing_; }

  // Returns everything touched so far, and resets it. `records` has the files whose content was shown. Files
  // that were only listed or searched are indexes in the listing, or records if their stat alone proves
  // nothing; these have no blob if they were only listed. Errors: as observe_file(), for files whose stat
  // proves nothing.
  Result<TouchedFiles> touched();

  // Caches the hashes of files that were read but not touched, which only readers without a lease do.
  void cache_hashes();

  // Records that the client was shown this file too.
  void mark_touched(FileRecord record);

 private:
  enum class ReadResult : std::uint8_t { no, known, learned, changed };
  // The stat of a file that read_candidate() read, if it differs from the listing.
  struct ChangedStat {
    FileStat stat;
    std::int64_t seen_ns = 0;
  };
  void begin_reads();
  bool add_trigram_filter(const BlobId& blob, std::string_view bytes, ReadBuffers& buffers);
  void store_trigram_filters();
  // Reads a file that has its listed stat. Returns nullopt if the stat differs or the file needs a full read.
  // Of a binary file it may return only the first bytes.
  std::optional<std::string_view> read_as_listed(std::size_t index, ReadBuffers& buffers) const;
  FileRecord record_of(std::size_t index, ReadResult read);
  Result<Unit> confirm_unchanged(FileRecord& record, bool& seen);

  Workspace& workspace_;
  std::shared_ptr<const FileList> files_;  // The listing; null before listing().
  std::optional<std::uint64_t> moment_;
  std::int64_t listed_ns_ = 0;  // When the listing was requested.
  bool with_status_;
  bool records_touches_;
  std::optional<std::int64_t> try_bytes_max_;
  std::shared_ptr<const Lease> lease_;  // May be null.
  std::optional<Fingerprint> fingerprint_before_listing_;
  std::vector<std::string> missed_;
  // Results of read_candidate() for mark_touched(), by index in the listing; allocated by the first read.
  std::vector<ReadResult> reads_;
  std::unique_ptr<Sha256::Digest[]> digests_;                  // Not initialized where reads_ says `no`.
  std::shared_ptr<const ListingContents> contents_;            // Known contents of the listed files.
  std::shared_ptr<const TrigramFilterTable> trigram_filters_;  // Known filters of these contents.
  std::once_flag reads_made_;
  std::mutex mutex_;
  std::vector<ContentFilter>
      new_filters_;  // New trigram filters; mutex_ guards this and the following members.
  std::size_t new_filter_bytes_ = 0;
  std::unordered_map<std::size_t, ChangedStat> changed_stats_;
  std::vector<std::size_t> uncached_reads_;  // The files whose hash was not known before read_candidate().
  std::vector<std::uint32_t> touched_listed_;
  std::vector<std::uint32_t> shown_listed_;
  std::vector<FileRecord> touched_;
  std::vector<FileRecord> learned_;  // Files that were read, to be added to the stat cache.
};

}  // namespace snapgen::core
