#pragma once
// SharedListing: the rows (path, stat, content) of one listing of a work tree. Leases refer to rows by
// number, so a lease over ten thousand files takes a few hundred bytes instead of a megabyte.
//
// On disk it is the file `listing_<16 characters>` beside the leases, one batch of records sorted by path
// (file_record.h). It is written before the first file that names it, and never changes.
//
// A row is only a dictionary entry: a lease refers to a row if its record of the file is identical, and
// repeats the record otherwise. So the choice of the shared listing does not affect correctness.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/caches/touched.h"

namespace snapgen::core {

inline constexpr std::string_view listing_prefix = "listing_";

// Immutable.
class SharedListing {
 public:
  // Makes a listing of all files in the listing of `listed`, which is not empty, with the contents of the
  // files in `listed`.
  static std::shared_ptr<const SharedListing> from_listed_files(const ListedFiles& listed);

  // Reads the file `name` of the folder. Returns null if it is missing, damaged, or longer than `bytes_max`.
  static std::shared_ptr<const SharedListing> read(const std::string& folder, const std::string& name,
                                                   std::uint64_t bytes_max);

  const std::string& name() const { return name_; }
  const std::shared_ptr<const FileList>& files() const { return files_; }
  const std::optional<BlobId>& blob(std::size_t row) const { return blobs_[row]; }

  // A copy with the same name, plus contents that only `listed` has. Not for a listing that is on disk.
  std::shared_ptr<const SharedListing> with_contents_of(const ListedFiles& listed) const;

  // The content of the listing's file.
  std::string encoded() const;
  // The approximate size of encoded().
  std::uint64_t bytes() const;

 private:
  SharedListing(std::string name, std::shared_ptr<const FileList> files);

  std::string name_;
  std::shared_ptr<const FileList> files_;
  std::vector<std::optional<BlobId>> blobs_;  // The content of each row.
};

// Touched files, encoded as batches for the file of a lease.
struct EncodedTouched {
  std::string batches;
  bool refers_to_listing = false;    // Whether the batches refer to the shared listing.
  std::size_t repeated_files = 0;    // Listed files written as records, because no row is identical.
  std::size_t missing_contents = 0;  // Those of `repeated_files` whose row lacks only the content.
  std::size_t repeated_bytes = 0;    // The size of the repeated records.
};

// Encodes touched files. `shared`: the listing to refer to; null: none.
EncodedTouched encoded_touched(const TouchedFiles& touched, const SharedListing* shared);

// The name of the listing that a batch refers to; empty if the batch refers to none.
std::string listing_name_in(const Batch& batch);

// The touched files in a batch that refers to `shared`, or nullopt if the batch is damaged.
std::optional<ListedFiles> listed_files_in(const Batch& batch, const SharedListing& shared);

}  // namespace snapgen::core
