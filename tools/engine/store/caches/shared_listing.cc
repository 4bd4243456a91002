#include "tools/engine/store/caches/shared_listing.h"

#include <cassert>
#include <utility>

#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/integers.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {
namespace {

constexpr std::size_t name_random = 16;
constexpr std::size_t name_bytes = listing_prefix.size() + name_random;
constexpr std::size_t bytes_of_each = 96;  // The size of a record without its path.

// The rows of a lease, encoded as runs: rows skipped since the previous run, then 2 * rows + (1 if with
// contents).
class RowRuns {
 public:
  void add(std::uint32_t row, bool with_content) {
    if (count_ > 0 && row == next_ && with_content == with_content_) {
      ++count_;
    } else {
      finish_run();
      first_ = row;
      count_ = 1;
      with_content_ = with_content;
    }
    next_ = row + 1;
  }
  bool empty() const { return count_ == 0; }
  // Returns the encoded runs.
  std::string finish() && {
    finish_run();
    return std::move(out_);
  }

 private:
  void finish_run() {
    if (count_ == 0) return;
    append_integer(out_, first_ - end_of_last_);
    append_integer(out_, count_ * 2 + static_cast<std::uint32_t>(with_content_));
    end_of_last_ = first_ + count_;
  }

  std::string out_;
  std::uint32_t end_of_last_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;  // Rows in the current run; 0 before the first.
  std::uint32_t next_ = 0;
  bool with_content_ = false;
};

// Finds the row of each file of another listing. Files must be requested in sorted order.
class RowFinder {
 public:
  RowFinder(const FileList& rows, const ListedFiles& listed)
      : rows_(rows), listed_(listed), same_(&rows == &listed.files()) {}

  // The row with the path and stat of listed file `at`, or the number of rows if there is none.
  std::size_t find(std::size_t at) {
    if (same_) return listed_.indexes()[at];
    const std::string_view path = listed_.path(at);
    int order = -1;
    while (next_ < rows_.size() && (order = rows_.path(next_).compare(path)) < 0) ++next_;
    const bool found = next_ < rows_.size() && order == 0 && rows_.stat(next_) == listed_.stat(at);
    return found ? next_ : rows_.size();
  }

 private:
  const FileList& rows_;
  const ListedFiles& listed_;
  bool same_;
  std::size_t next_ = 0;
};

}  // namespace

SharedListing::SharedListing(std::string name, std::shared_ptr<const FileList> files)
    : name_(std::move(name)), files_(std::move(files)), blobs_(files_->size()) {}

std::shared_ptr<const SharedListing> SharedListing::from_listed_files(const ListedFiles& listed) {
  assert(!listed.empty());
  std::shared_ptr<SharedListing> made(
      new SharedListing(std::string(listing_prefix) + random_name(name_random), listed.shared_files()));
  for (std::size_t i = 0; i < listed.size(); ++i) made->blobs_[listed.indexes()[i]] = listed.blob(i);
  return made;
}

std::shared_ptr<const SharedListing> SharedListing::read(const std::string& folder, const std::string& name,
                                                         std::uint64_t bytes_max) {
  const Result<std::string> bytes = read_whole_file(folder + "/" + name, bytes_max);
  if (!bytes) return nullptr;
  std::string_view rest = *bytes;
  const std::optional<Batch> batch = next_batch(rest);
  if (!batch || batch->kind != BatchKind::records || !rest.empty()) return nullptr;
  auto files = std::make_shared<FileList>();
  std::vector<std::optional<BlobId>> blobs;
  std::string_view records = batch->payload;
  while (!records.empty()) {
    std::optional<RecordView> record = next_record(records);
    if (!record || (!files->empty() && files->path(files->size() - 1) >= record->path)) return nullptr;
    files->add(record->path, record->stat, false);
    blobs.push_back(record->blob);
  }
  std::shared_ptr<SharedListing> read(new SharedListing(name, std::move(files)));
  read->blobs_ = std::move(blobs);
  return read;
}

std::shared_ptr<const SharedListing> SharedListing::with_contents_of(const ListedFiles& listed) const {
  std::shared_ptr<SharedListing> made(new SharedListing(*this));
  RowFinder rows(*files_, listed);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::size_t row = rows.find(i);
    if (row < files_->size() && !made->blobs_[row]) made->blobs_[row] = listed.blob(i);
  }
  return made;
}

std::string SharedListing::encoded() const {
  RecordBatch batch;
  batch.reserve(bytes());
  for (std::size_t row = 0; row < files_->size(); ++row)
    batch.add(files_->path(row), files_->stat(row), 0, blobs_[row]);
  return std::move(batch).finish();
}

std::uint64_t SharedListing::bytes() const {
  return files_->path_bytes() + files_->size() * bytes_of_each + bytes_of_each;
}

EncodedTouched encoded_touched(const TouchedFiles& touched, const SharedListing* shared) {
  EncodedTouched out;
  const ListedFiles& listed = touched.listed;
  RecordBatch records;
  RowRuns runs;
  std::optional<RowFinder> rows;
  if (shared != nullptr && !listed.empty()) rows.emplace(*shared->files(), listed);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::optional<BlobId>& blob = listed.blob(i);
    const std::size_t row = rows ? rows->find(i) : 0;
    const bool has_row = rows && row < shared->files()->size();
    if (has_row && (!blob || shared->blob(row) == blob)) {
      runs.add(static_cast<std::uint32_t>(row), blob.has_value());
      continue;
    }
    if (has_row && !shared->blob(row)) ++out.missing_contents;
    ++out.repeated_files;
    out.repeated_bytes += bytes_of_each + listed.path(i).size();
    records.add(listed.path(i), listed.stat(i), listed.seen_ns(), blob);
  }
  if (!runs.empty()) {
    out.refers_to_listing = true;
    std::string payload = shared->name();
    append_integer(payload, listed.seen_ns());
    payload += std::move(runs).finish();
    out.batches = encoded_batch(BatchKind::listed, payload);
  }
  for (const FileRecord& record : touched.records) records.add(record);
  if (out.repeated_files + touched.records.size() > 0) out.batches += std::move(records).finish();
  return out;
}

std::string listing_name_in(const Batch& batch) {
  const bool refers = batch.kind == BatchKind::listed && batch.payload.starts_with(listing_prefix) &&
                      batch.payload.size() >= name_bytes + sizeof(std::int64_t);
  if (!refers) return {};
  const std::string_view name = batch.payload.substr(0, name_bytes);
  return name.find('/') == std::string_view::npos ? std::string(name) : std::string();
}

std::optional<ListedFiles> listed_files_in(const Batch& batch, const SharedListing& shared) {
  if (listing_name_in(batch) != shared.name()) return std::nullopt;
  std::string_view rest = batch.payload.substr(name_bytes);
  ListedFiles listed(shared.files(), integer_at<std::int64_t>(rest.data()));
  rest.remove_prefix(sizeof(std::int64_t));
  constexpr std::size_t run_bytes = 2 * sizeof(std::uint32_t);
  if (rest.size() % run_bytes != 0) return std::nullopt;
  std::uint64_t row = 0;
  for (; !rest.empty(); rest.remove_prefix(run_bytes)) {
    row += integer_at<std::uint32_t>(rest.data());
    const auto run = integer_at<std::uint32_t>(rest.data() + sizeof(std::uint32_t));
    const bool with_content = run % 2 != 0;
    const std::uint64_t end = row + run / 2;
    if (end > shared.files()->size()) return std::nullopt;
    for (; row < end; ++row) {
      if (with_content && !shared.blob(row)) return std::nullopt;
      listed.add(static_cast<std::uint32_t>(row), with_content ? shared.blob(row) : std::nullopt);
    }
  }
  return listed;
}

}  // namespace snapgen::core
