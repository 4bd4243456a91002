#pragma once
// View: a set of files to list, read and search, live or captured. The tools' work is written once, against
// it.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/siblings.h"
#include "tools/engine/git/file_list.h"
#include "tools/engine/store/blob_id.h"
#include "tools/engine/store/trigram_filter.h"

namespace snapgen::core {

// What an answer leaves out, counted by reason.
struct Skipped {
  std::int64_t binary = 0;
  std::int64_t ignored = 0;            // an ignored folder counts once
  std::int64_t nested_repository = 0;  // and submodules
  std::int64_t not_a_file = 0;         // FIFOs, sockets, devices
  std::int64_t symlink = 0;
  std::int64_t too_large = 0;
  std::int64_t unreadable = 0;

  bool operator==(const Skipped&) const = default;
};

// All files of a view. What a snapshot does not know of a stat is zero.
using Listing = FileList;

// One file's content, read from its beginning to its end.
class FileContent {
 public:
  virtual ~FileContent() = default;
  // The next piece; empty at the end. Valid until the next call.
  virtual Result<std::string_view> next() = 0;
  // After the end: what was read. Errors: repo_changed (it was no content that the file ever had as a whole).
  virtual Result<BlobId> finish() = 0;
};

// What one thread needs to read many files of a view, one after the other.
struct ReadBuffers {
  std::string bytes;  // Large enough for what was read last, and never cleared: that would cost.
  std::unique_ptr<Siblings> siblings;  // Made by the view, if it has a use for it; this too.
  std::unique_ptr<TrigramFilterMaker> maker;
  std::string path;
};

// A file that may be searched.
struct Candidate {
  enum class Kind : std::uint8_t { text, binary, too_large, unreadable };
  Kind kind = Kind::text;
  std::string_view bytes;  // of text; in the room
};

// Larger files are not searched.
inline constexpr std::int64_t search_bytes_max = 64 << 20;

class View {
 public:
  explicit View(std::stop_token stop) : stop_(std::move(stop)) {}
  virtual ~View() = default;
  View(View&&) = delete;

  // All files that no ignore rule hides. Made when it is first asked for; the same from then on.
  virtual Result<const Listing*> listing() = 0;
  virtual std::optional<std::int64_t> size_of(std::size_t index) = 0;  // of a file of the listing

  // What a file of the listing holds, if that is known without reading it.
  virtual std::optional<BlobId> known_blob(std::size_t index) = 0;

  // What the listing leaves out at `path` and below, or in the folder `path` alone. What is reached through
  // a symlink counts as one. Errors: not_found.
  virtual Result<Skipped> skipped_below(std::string_view path, bool recursive) = 0;

  // Any file, ignored ones too; symlinks that stay inside are followed.
  virtual Result<std::unique_ptr<FileContent>> open(std::string_view path) = 0;

  // A file of the listing, for searching. Safe to call from several threads, for different files and rooms.
  virtual Result<Candidate> candidate(std::size_t index, ReadBuffers& buffers) = 0;

  // What a search would find in a file of the listing, as far as it is known without looking at it. As long
  // as the view lives. Safe to call from several threads.
  virtual std::optional<TrigramFilter> trigram_filter(std::size_t) { return std::nullopt; }
  // Such a file is taken for searched. False: it may hold something else by now, and must be read. Safe like
  // candidate().
  virtual bool skip_by_filter(std::size_t, ReadBuffers&) { return false; }

  // The client is shown something of this file of the listing.
  virtual void touch(std::size_t index) = 0;

  Result<Unit> check_stop() const {
    if (!stop_.stop_requested()) return Unit{};
    return Error(ErrorCode::cancelled, "The call was cancelled.");
  }
  const std::stop_token& stop() const { return stop_; }

 private:
  std::stop_token stop_;
};

void add(Skipped& sum, const Skipped& more);

// Whether a folder on the way to `path` is a symlink of the listing, which has nothing below it.
bool is_behind_symlink(const Listing& listing, std::string_view path);

// The part of a listing that stands at or below `path`.
inline FileRun range_below(const Listing& listing, std::string_view path) {
  return listing.at_or_below(path);
}

}  // namespace snapgen::core
