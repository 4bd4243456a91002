#pragma once
// FileView: a set of files, live or captured, that can be listed, read and searched. Operations work on any
// view.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/sibling_opener.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {

class LineMatcher;
class TrigramFilterBuilder;

// Files that an answer omits, counted by reason.
struct SkippedCounts {
  std::int64_t binary = 0;
  std::int64_t ignored = 0;            // an ignored folder counts once
  std::int64_t nested_repository = 0;  // A repository or submodule.
  std::int64_t not_captured = 0;       // The compared snapshot did not capture the file.
  std::int64_t not_a_file = 0;         // FIFOs, sockets, devices
  std::int64_t symlink = 0;
  std::int64_t too_large = 0;
  std::int64_t unreadable = 0;

  bool operator==(const SkippedCounts&) const = default;
};

// All files of a view. Stat fields that a snapshot does not record are zero.
using Listing = FileList;

// The content of one file, read from beginning to end.
class FileContent {
 public:
  virtual ~FileContent() = default;
  // Returns the next piece; empty at the end. Valid until the next call.
  virtual Result<std::string_view> next() = 0;
  // Called after the end: the id of the content. Errors: repo_changed (the file changed while it was read).
  virtual Result<BlobId> finish() = 0;
};

// The state of one thread that reads many files of a view, one after the other.
struct ReadBuffers {
  std::string bytes;  // At least as large as the last file; never cleared, for speed.
  std::unique_ptr<SiblingOpener>
      sibling_opener;  // Created by the view if it uses them, as is `filter_builder`.
  std::shared_ptr<TrigramFilterBuilder> filter_builder;
  std::string path;
  TextEncodings* encodings = nullptr;  // If set, texts in other encodings than UTF-8 are converted to UTF-8.
  std::string converted_text;
};

// The bytes of a file to search, or the reason why it is not searched.
struct SearchCandidate {
  enum class Kind : std::uint8_t { text, binary, too_large, unreadable };
  Kind kind = Kind::text;
  std::string_view bytes;                      // for Kind::text; points into the buffers
  TextEncoding encoding = TextEncoding::utf8;  // If it is another one, `bytes` was converted to UTF-8.
};

inline constexpr std::size_t ignored_files_max = 100'000;

// Maximum size of a file that is searched.
inline constexpr std::int64_t search_bytes_max = 64 << 20;

// The sentence about a path that FileView::is_not_checked_out().
std::string not_checked_out_sentence(std::string_view path);

class FileView {
 public:
  explicit FileView(std::stop_token stop) : stop_(std::move(stop)) {}
  virtual ~FileView() = default;
  FileView(FileView&&) = delete;

  // All files that no ignore rule excludes. Created by the first call and constant after that.
  virtual Result<const Listing*> listing() = 0;
  virtual std::optional<std::int64_t> size_of(std::size_t index) = 0;  // The size of a file of the listing.

  // The content of a file of the listing, if it is known without reading the file.
  virtual std::optional<BlobId> known_blob(std::size_t index) = 0;

  // Counts what the listing omits at and below `path`, or in the folder `path` alone. A symlink counts once.
  // Errors: not_found.
  virtual Result<SkippedCounts> skipped_below(std::string_view path, bool recursive) = 0;

  // Opens any file, also ignored ones. Follows symlinks that stay inside the workspace. Errors: as
  // Root::open_file(); in a snapshot: not_found; permission_denied (a symlink leads outside); too_large (the
  // target of a symlink); invalid_argument (too many symlinks); those of BlobStore::open().
  virtual Result<std::unique_ptr<FileContent>> open(std::string_view path) = 0;

  // Returns what reads the files that declare encodings. The view must outlive it.
  virtual DeclarationReader declarations() { return {}; }

  // Reads a file of the listing for a search. Thread-safe for different files and buffers.
  virtual Result<SearchCandidate> read_candidate(std::size_t index, ReadBuffers& buffers) = 0;

  // Finds what is known of these files of the listing, before skip_without_read() is called for them.
  virtual void prepare_search(std::span<const std::size_t>) {}
  // Counts a file of the listing as searched if it certainly has no match, and returns its kind: text or
  // binary. Returns nullopt if it must be read. Thread-safe like read_candidate().
  virtual std::optional<SearchCandidate::Kind> skip_without_read(std::size_t, const LineMatcher&,
                                                                 ReadBuffers&) {
    return std::nullopt;
  }

  // The files at or below a path that the listing omits because git ignores it, sorted; without the symlinks.
  // Not recursive: only those of the folder itself, and its folders with a slash at the end. Empty if git
  // does not ignore the path itself or a folder above it. Errors: too_large (more than ignored_files_max);
  // those of Root::read_folder().
  virtual Result<std::vector<std::string>> ignored_files(std::string_view, bool /*recursive*/) {
    return std::vector<std::string>();
  }

  // Whether a sparse checkout omits the path, which the index has.
  virtual bool is_not_checked_out(std::string_view) { return false; }

  // Records that the answer depends on this file of the listing: it was searched without a match, or listed.
  virtual void mark_touched(std::size_t index) = 0;
  // Records that the answer shows a part of this file of the listing.
  virtual void mark_shown(std::size_t index) = 0;

  Result<Unit> check_stop() const {
    if (!stop_.stop_requested()) return Unit{};
    return cancelled_call_error();
  }
  const std::stop_token& stop() const { return stop_; }

 private:
  std::stop_token stop_;
};

void add(SkippedCounts& sum, const SkippedCounts& more);

// Returns the candidate for the whole content of a file. A text in another encoding than UTF-8 is converted
// if `buffers` has encodings; otherwise its bytes are searched, or it is binary.
SearchCandidate candidate_of(std::string_view path, std::string_view bytes, ReadBuffers& buffers);

// Whether a parent folder of `path` is a symlink of the listing, which has nothing below it.
bool is_behind_symlink(const Listing& listing, std::string_view path);

// The part of a listing at or below `path`.
inline FileRange range_below(const Listing& listing, std::string_view path) {
  return listing.at_or_below(path);
}

// The parts of a listing at or below each path.
std::vector<FileRange> ranges_below(const Listing& listing, std::span<const std::string> paths);

}  // namespace snapgen::core
