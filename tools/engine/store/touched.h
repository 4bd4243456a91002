#pragma once
// Touched: what was shown of a work tree's files, for a lease to keep. Most of it are files of one listing,
// which are kept by their numbers in it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/engine/git/file_list.h"
#include "tools/engine/store/blob_id.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

// Files of a listing, each with the stat that the listing has.
class ListedFiles {
 public:
  ListedFiles() = default;
  ListedFiles(std::shared_ptr<const FileList> files, std::int64_t seen_ns)
      : files_(std::move(files)), seen_ns_(seen_ns) {}

  std::size_t size() const { return indexes_.size(); }
  bool empty() const { return indexes_.empty(); }
  bool same_listing(const ListedFiles& other) const { return files_ == other.files_; }
  const FileList& files() const { return *files_; }  // If there is any.
  const std::shared_ptr<const FileList>& shared_files() const { return files_; }
  std::int64_t seen_ns() const { return seen_ns_; }  // When the listing was asked for first.
  const std::vector<std::uint32_t>& indexes() const { return indexes_; }  // In the listing; rising.

  std::string_view path(std::size_t at) const { return files_->path(indexes_[at]); }
  FileStat stat(std::size_t at) const { return files_->stat(indexes_[at]); }
  const std::optional<BlobId>& blob(std::size_t at) const { return blobs_[at]; }  // None: nobody read it.
  FileRecord record(std::size_t at) const;
  // Where the file is; size() if it is not among them.
  std::size_t find(std::string_view path) const;
  std::size_t find(std::uint32_t index) const;

  ListedFiles none() const { return {files_, seen_ns_}; }  // Of the same listing.
  // Behind all others.
  void add(std::uint32_t index, const std::optional<BlobId>& blob);
  // These of the same listing as well, which are not among them yet.
  void add(const ListedFiles& more);

 private:
  std::shared_ptr<const FileList> files_;
  std::int64_t seen_ns_ = 0;
  std::vector<std::uint32_t> indexes_;
  std::vector<std::optional<BlobId>> blobs_;
};

struct Touched {
  ListedFiles listed = {};
  std::vector<FileRecord> records = {};  // One for each path, sorted; they go before what is listed.

  // Of each: since the view was made, the file was found to have this stat.
  std::vector<bool> listed_seen = {};
  std::vector<bool> records_seen = {};

  std::size_t size() const { return listed.size() + records.size(); }
  // Whether the file of the record was seen, and proven to be what the record says.
  bool shows(const FileRecord& record) const;
};

}  // namespace snapgen::core
