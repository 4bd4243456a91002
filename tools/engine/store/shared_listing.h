#pragma once
// SharedListing: the rows (path, stat, content) of one listing of a work tree, which leases refer to by
// number. A lease that was shown ten thousand files then takes a few hundred bytes instead of a megabyte.
//
// On disk it is the file `listing_<16 characters>` beside the leases, one batch of records in the order of
// their paths (file_record.h). It is written before the first file that names it and never changes.
//
// A row is only a dictionary entry: a lease refers to a row if its own record of the file is exactly that
// row, and repeats the record otherwise. So it does not matter for correctness which listing is shared.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/touched.h"

namespace snapgen::core {

inline constexpr std::string_view listing_prefix = "listing_";

// Immutable.
class SharedListing {
 public:
  // All files of the listing that `listed`, which is not empty, belongs to; the contents of those in
  // `listed`.
  static std::shared_ptr<const SharedListing> of(const ListedFiles& listed);

  // The file `name` of the folder. Null if it is missing, damaged, or longer than `bytes_max`.
  static std::shared_ptr<const SharedListing> read(const std::string& folder, const std::string& name,
                                                   std::uint64_t bytes_max);

  const std::string& name() const { return name_; }
  const std::shared_ptr<const FileList>& files() const { return files_; }
  const std::optional<BlobId>& blob(std::size_t row) const { return blobs_[row]; }

  // The same rows under the same name, with the contents that `listed` knows and this one does not. Only for
  // a listing that is not on disk yet.
  std::shared_ptr<const SharedListing> with_contents_of(const ListedFiles& listed) const;

  // What its file holds.
  std::string encoded() const;
  // About the size of that.
  std::uint64_t bytes() const;

 private:
  SharedListing(std::string name, std::shared_ptr<const FileList> files);

  std::string name_;
  std::shared_ptr<const FileList> files_;
  std::vector<std::optional<BlobId>> blobs_;  // By row.
};

// What was touched, as batches for the file of a lease.
struct EncodedTouched {
  std::string batches;
  bool refers = false;              // To the shared listing.
  std::size_t repeated = 0;         // Listed files that are written as records, because no row is the same;
  std::size_t contents_missed = 0;  // among them those whose row only lacks the content.
  std::size_t repeated_bytes = 0;   // What those records take.
};

// `shared`: null to refer to nothing.
EncodedTouched encoded_touched(const Touched& touched, const SharedListing* shared);

// The name of the listing that a batch refers to; empty if it is no such batch.
std::string listing_named_in(const Batch& batch);

// The files that the batch, which refers to `shared`, says were touched. Nullopt if it is damaged.
std::optional<ListedFiles> listed_in(const Batch& batch, const SharedListing& shared);

}  // namespace snapgen::core
