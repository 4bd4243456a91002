#pragma once
// TouchedFiles: the files of a work tree that an answer depends on, for a lease to record. Files whose
// content the answer shows are records. Most others were only searched or listed, and are numbers in one
// listing.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

// Files of a listing, each with the stat that the listing has.
class ListedFiles {
 public:
  ListedFiles() = default;
  ListedFiles(std::shared_ptr<const FileList> files, std::int64_t seen_ns)
      : files_(std::move(files)), seen_ns_(seen_ns) {}

  std::size_t size() const { return indexes_.size(); }
  bool empty() const { return indexes_.empty(); }
  bool has_same_listing(const ListedFiles& other) const { return files_ == other.files_; }
  // Must not be called if empty().
  const FileList& files() const {
    assert(!empty());
    return *files_;
  }
  const std::shared_ptr<const FileList>& shared_files() const { return files_; }
  std::int64_t seen_ns() const { return seen_ns_; }  // When the listing was first requested.
  // Indexes in the listing; ascending.
  const std::vector<std::uint32_t>& indexes() const { return indexes_; }

  std::string_view path(std::size_t at) const { return files_->path(indexes_[at]); }
  FileStat stat(std::size_t at) const { return files_->stat(indexes_[at]); }
  const std::optional<BlobId>& blob(std::size_t at) const { return blobs_[at]; }  // nullopt: it was not read.
  FileRecord record(std::size_t at) const;
  // The position of the file, or size() if it is not included.
  std::size_t find(std::string_view path) const;
  std::size_t find(std::uint32_t index) const;

  ListedFiles empty_copy() const { return {files_, seen_ns_}; }  // An empty set of the same listing.
  // Adds a file, whose `index` must be larger than all others.
  void add(std::uint32_t index, const std::optional<BlobId>& blob);
  // Adds files of the same listing that are not included yet.
  void add(const ListedFiles& more);

 private:
  std::shared_ptr<const FileList> files_;
  std::int64_t seen_ns_ = 0;
  std::vector<std::uint32_t> indexes_;
  std::vector<std::optional<BlobId>> blobs_;
};

struct TouchedFiles {
  ListedFiles listed = {};  // Files of which the answer shows no content.
  // These override listed files. LiveView::touched() makes one per path, sorted, as confirms() requires.
  std::vector<FileRecord> records = {};

  // For each file, whether its stat was observed after the view was created.
  std::vector<bool> listed_was_observed = {};
  std::vector<bool> record_was_observed = {};

  std::size_t size() const { return listed.size() + records.size(); }
  // Whether the file of the record was observed, and its stat proves the record.
  bool confirms(const FileRecord& record) const;
};

}  // namespace snapgen::core
