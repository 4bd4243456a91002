#include "tools/core/view/live_view.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/encoding.h"
#include "tools/core/path/path.h"
#include "tools/core/store/byte_source.h"
#include "tools/core/view/observe.h"

namespace snapgen::core {
namespace {

class LiveContent final : public FileContent {
 public:
  LiveContent(LiveView& view, const Root& root, std::string asked, Opened opened, std::int64_t seen_ns)
      : view_(view), root_(root), asked_(std::move(asked)), opened_(std::move(opened)), seen_ns_(seen_ns) {}

  Result<std::string_view> next() override {
    Result<Unit> going_on = view_.check_stop();
    if (!going_on) return std::move(going_on).error();
    piece_.clear();
    Result<std::size_t> got = read_more(opened_.fd.get(), piece_, wanted());
    if (!got) return std::move(got).error();
    read_ += static_cast<std::int64_t>(*got);
    hasher_.update(piece_);
    return std::string_view(piece_);
  }

  Result<BlobId> finish() override {
    struct stat st;
    if (::fstat(opened_.fd.get(), &st) != 0) return system_error(errno, "examine", asked_);
    if (file_stat(st) != opened_.stat) return changed_while_read(asked_);
    Result<Unit> followed = touch_links();
    if (!followed) return std::move(followed).error();
    BlobId blob{.digest = hasher_.digest()};
    view_.touch(FileRecord{.path = opened_.path, .stat = opened_.stat, .seen_ns = seen_ns_, .blob = blob});
    return blob;
  }

 private:
  // No more than its stat promises, for finish() sees to it that there was no more. A file of a system's own
  // making may promise nothing and hold something.
  std::size_t wanted() const {
    const std::int64_t size = opened_.stat.size;
    return size == 0 ? piece_bytes
                     : static_cast<std::size_t>(std::clamp<std::int64_t>(size - read_, 0, piece_bytes));
  }

  // The symlinks on the way are part of what was read; they must still lead here.
  Result<Unit> touch_links() {
    if (opened_.links.empty()) return Unit{};
    std::vector<FileRecord> records;
    for (const std::string& link : opened_.links) {
      Result<FileRecord> record = observe(root_, link, view_.stop());
      if (!record) return changed_while_read(asked_);
      records.push_back(*std::move(record));
    }
    Result<Opened> again = root_.open_file(asked_);
    if (!again || again->path != opened_.path || again->stat != opened_.stat)
      return changed_while_read(asked_);
    for (FileRecord& record : records) view_.touch(std::move(record));
    return Unit{};
  }

  LiveView& view_;
  const Root& root_;
  std::string asked_;
  Opened opened_;
  std::int64_t seen_ns_;
  std::int64_t read_ = 0;
  std::string piece_;
  Sha256 hasher_;
};

}  // namespace

LiveView::LiveView(Substrate& substrate, bool with_status, std::stop_token stop, bool touches)
    : View(std::move(stop)), substrate_(substrate), with_status_(with_status), touches_(touches) {}

void add(Skipped& sum, SkipReason reason) {
  switch (reason) {
    case SkipReason::ignored: ++sum.ignored; break;
    case SkipReason::nested_repository: ++sum.nested_repository; break;
    case SkipReason::not_a_file: ++sum.not_a_file; break;
    case SkipReason::unreadable: ++sum.unreadable; break;
  }
}

Result<Unit> LiveView::note_status() {
  if (!with_status_ || before_listing_) return Unit{};
  Result<Status> status = substrate_.status(stop());
  if (!status) return std::move(status).error();
  before_listing_ = std::move(status->fingerprint);
  return Unit{};
}

Result<const Listing*> LiveView::listing() {
  if (files_) return files_.get();
  listed_ns_ = now_ns();
  LiveFiles found;
  if (with_status_ && !before_listing_) {
    Result<StatusAndLiveFiles> both = substrate_.status_and_files(stop());
    if (!both) return std::move(both).error();
    before_listing_ = both->status->fingerprint;
    found = std::move(both->files);
  } else {
    Result<LiveFiles> files = substrate_.files(stop());
    if (!files) return std::move(files).error();
    found = *std::move(files);
  }
  moment_ = found.moment;
  files_ = std::move(found.files);
  return files_.get();
}

std::optional<std::int64_t> LiveView::size_of(std::size_t index) { return files_->stat(index).size; }

std::optional<BlobId> LiveView::known_blob(std::size_t index) {
  return substrate_.stats().find(files_->path(index), files_->stat(index));
}

Result<Skipped> LiveView::skipped_below(std::string_view path, bool recursive) {
  Result<const Listing*> listing = this->listing();
  if (!listing) return std::move(listing).error();
  Skipped sum;
  for (const SkippedPath& one : skipped()) {
    bool here = is_below(path, one.path) ||
                (is_below(one.path, path) && (recursive || parent_path(one.path) == path));
    if (here) add(sum, one.reason);
  }
  auto [first, last] = range_below(**listing, path);
  if (first != last || path.empty()) return sum;
  Result<FileStat> stat = substrate_.root().look(path);
  if (!stat) return std::move(stat).error();
  return sum;
}

bool LiveView::ignores(std::string_view path) const {
  return std::any_of(skipped().begin(), skipped().end(), [&](const SkippedPath& one) {
    return one.path == path && one.reason == SkipReason::ignored;
  });
}

Result<std::unique_ptr<FileContent>> LiveView::open(std::string_view path) {
  std::int64_t seen = now_ns();
  Result<Opened> opened = substrate_.root().open_file(path);
  if (!opened) return std::move(opened).error();
  return std::unique_ptr<FileContent>(
      std::make_unique<LiveContent>(*this, substrate_.root(), std::string(path), *std::move(opened), seen));
}

// Opens, reads to the end, and looks once: the stat of the listing says how much there is to read, and that
// it is still the same afterwards shows that what was read stood there as a whole.
std::optional<std::string_view> LiveView::read_as_listed(std::size_t index, ReadingRoom& room) const {
  const FileStat listed = files_->stat(index);
  if (listed.size > search_bytes_max) return std::nullopt;
  Fd fd = room.siblings->open(files_->path(index));
  if (!fd) return std::nullopt;
  // One byte more than there should be finds out that there are no more.
  auto size = static_cast<std::size_t>(listed.size);
  if (room.bytes.size() <= size) room.bytes.resize(size + 1);
  std::size_t got = 0;
  while (got <= size) {
    ssize_t n = ::read(fd.get(), room.bytes.data() + got, size + 1 - got);
    if (n < 0) return std::nullopt;
    got += static_cast<std::size_t>(n);
    if (n == 0 || got == size) break;
  }
  struct stat st;
  if (got != size || ::fstat(fd.get(), &st) != 0 || file_stat(st) != listed) return std::nullopt;
  return std::string_view(room.bytes).substr(0, size);
}

Result<Candidate> LiveView::candidate(std::size_t index, ReadingRoom& room) {
  std::call_once(reads_made_, [&] {
    reads_.resize(files_->size());
    blobs_.resize(files_->size());
  });
  if (!room.siblings) room.siblings = std::make_unique<Siblings>(substrate_.root());
  const std::string_view path = files_->path(index);
  FileStat stat = files_->stat(index);
  Read read = Read::known;
  std::optional<std::string_view> bytes = read_as_listed(index, room);
  if (!bytes) {
    const std::int64_t seen = now_ns();
    Result<Opened> opened = substrate_.root().open_file(path);
    if (!opened) {
      if (opened.error().code == ErrorCode::permission_denied) {
        return Candidate{.kind = Candidate::Kind::unreadable, .bytes = {}};
      }
      // It was a file when it was listed.
      return changed_while_read(path);
    }
    if (opened->stat.size > search_bytes_max) {
      return Candidate{.kind = Candidate::Kind::too_large, .bytes = {}};
    }
    Result<Unit> steadily = read_steadily(*opened, room.bytes);
    if (!steadily) return std::move(steadily).error();
    bytes = room.bytes;
    stat = opened->stat;
    read = Read::otherwise;
    std::lock_guard lock(mutex_);
    otherwise_[index] = {.stat = stat, .seen_ns = seen};
  }
  if (looks_binary(*bytes)) return Candidate{.kind = Candidate::Kind::binary, .bytes = {}};
  std::optional<BlobId> blob = substrate_.stats().find(path, stat);
  if (!blob && read == Read::known) read = Read::learned;
  blobs_[index] = blob ? *blob : blob_id_of(*bytes);
  reads_[index] = read;
  return Candidate{.kind = Candidate::Kind::text, .bytes = *bytes};
}

std::vector<std::string> LiveView::read_otherwise() const {
  std::vector<std::string> paths;
  for (const auto& [index, seen] : otherwise_) paths.emplace_back(files_->path(index));
  return paths;
}

FileRecord LiveView::record_of(std::size_t index, Read read) {
  FileRecord record{.path = std::string(files_->path(index)),
                    .stat = files_->stat(index),
                    .seen_ns = listed_ns_,
                    .blob = {}};
  if (read != Read::no) record.blob = blobs_[index];
  if (read == Read::otherwise) {
    std::lock_guard lock(mutex_);
    const Otherwise& seen = otherwise_[index];
    record.stat = seen.stat;
    record.seen_ns = seen.seen_ns;
  }
  return record;
}

void LiveView::remember_reads() {
  std::vector<FileRecord> records;
  for (std::size_t i = 0; i < reads_.size(); ++i)
    if (reads_[i] == Read::learned || reads_[i] == Read::otherwise)
      records.push_back(record_of(i, reads_[i]));
  if (!records.empty()) substrate_.stats().remember(records);
}

void LiveView::touch(std::size_t index) {
  const Read read = reads_.empty() ? Read::no : reads_[index];
  FileRecord record = record_of(index, read);
  if (read == Read::learned || read == Read::otherwise) learned_.push_back(record);
  touch(std::move(record), read != Read::no);
}

void LiveView::touch(FileRecord record) { touch(std::move(record), false); }

void LiveView::touch(FileRecord record, bool seen) {
  touched_.push_back(std::move(record));
  seen_.push_back(seen);
}

Result<Touched> LiveView::touched() {
  // So that the next search need not hash them.
  if (!learned_.empty()) substrate_.stats().remember(std::exchange(learned_, {}));
  std::vector<std::uint32_t> order(touched_.size());
  std::iota(order.begin(), order.end(), 0);
  auto earlier = [&](std::uint32_t a, std::uint32_t b) {
    int by_path = touched_[a].path.compare(touched_[b].path);
    return by_path < 0 || (by_path == 0 && touched_[a].seen_ns < touched_[b].seen_ns);
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) std::sort(order.begin(), order.end(), earlier);
  Touched out;
  out.records.reserve(touched_.size());
  out.seen.reserve(touched_.size());
  for (const std::uint32_t at : order) {
    FileRecord& record = touched_[at];
    bool seen = seen_[at];
    if (!record.blob) record.blob = substrate_.stats().find(record.path, record.stat);
    if (!record.blob && is_racy(record.stat, record.seen_ns)) {
      Result<FileRecord> observed = observe(substrate_.root(), record.path, stop());
      if (observed && observed->stat == record.stat) {
        record = *std::move(observed);
        seen = true;
      } else if (observed || observed.error().code != ErrorCode::permission_denied) {
        return observed ? changed_while_read(record.path) : std::move(observed).error();
      }
    }
    if (out.records.empty() || out.records.back().path != record.path) {
      out.records.push_back(std::move(record));
      out.seen.push_back(seen);
    } else if (record.blob) {
      out.records.back() = std::move(record);
      out.seen.back() = seen;
    }
  }
  touched_.clear();
  seen_.clear();
  return out;
}

}  // namespace snapgen::core
