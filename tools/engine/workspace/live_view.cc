#include "tools/engine/workspace/live_view.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/reader.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/search/matcher.h"
#include "tools/engine/search/trigram_filter.h"
#include "tools/engine/store/blobs/byte_source.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t begun_bytes_min = 64 << 10;  // Of larger files, the beginning is read first.
// Maximum size of trigram filters that are stored together.
constexpr std::size_t fresh_trigram_filter_bytes_max = 4 << 20;
constexpr std::int64_t learned_bytes_min = 4096;  // Hashing smaller files is faster than caching the hash.
// A write through a memory mapping to a dirty page leaves the stat unchanged. So small files are always
// hashed, even if the stat proves a known content.
constexpr std::int64_t hashed_bytes_max = 64 << 10;
constexpr auto content_bytes_max = static_cast<std::int64_t>(RecentContents::content_bytes_max);

class LiveFileContent final : public FileContent {
 public:
  LiveFileContent(LiveView& view, const Root& root, std::string requested_path, OpenedPath opened,
                  std::int64_t seen_ns)
      : view_(view),
        root_(root),
        asked_(std::move(requested_path)),
        opened_(std::move(opened)),
        seen_ns_(seen_ns),
        known_(view_.known_blob(opened_.path, opened_.stat)),
        hashes_(!known_ || opened_.stat.size <= hashed_bytes_max),
        remembers_(view_.records_touches() && opened_.stat.size <= content_bytes_max) {
    if (remembers_) bytes_.reserve(static_cast<std::size_t>(opened_.stat.size));
  }

  Result<std::string_view> next() override {
    TRY(view_.check_stop());
    remembers_ = remembers_ && bytes_.size() <= RecentContents::content_bytes_max;
    if (!remembers_) bytes_.clear();
    const std::size_t begin = bytes_.size();
    std::size_t got = TRY(read_and_append(opened_.fd.get(), bytes_, wanted()));
    read_ += static_cast<std::int64_t>(got);
    const std::string_view piece = std::string_view(bytes_).substr(begin);
    if (hashes_) hasher_.update(piece);
    return piece;
  }

  Result<BlobId> finish() override {
    struct stat st;
    if (::fstat(opened_.fd.get(), &st) != 0) return system_error(errno, "examine", asked_);
    if (file_stat(st) != opened_.stat) return changed_while_read_error(asked_);
    TRY(touch_links());
    const BlobId blob = hashes_ ? BlobId{.digest = hasher_.digest()} : *known_;
    FileRecord record{.path = opened_.path, .stat = opened_.stat, .seen_ns = seen_ns_, .blob = blob};
    if (known_ ? *known_ != blob : read_ >= learned_bytes_min) view_.cache_content(record);
    if (remembers_) view_.remember(record, std::move(bytes_));
    view_.mark_touched(std::move(record));
    return blob;
  }

 private:
  // Reads no more than the file's size, because finish() checks that the size is unchanged. Files of /proc
  // may have size 0 and still have content.
  std::size_t wanted() const {
    const std::int64_t size = opened_.stat.size;
    return size == 0 ? piece_bytes
                     : static_cast<std::size_t>(std::clamp<std::int64_t>(size - read_, 0, piece_bytes));
  }

  // Records the symlinks that the path led through, and checks that they still lead to this file.
  Result<Unit> touch_links() {
    if (opened_.followed_symlinks.empty()) return Unit{};
    std::vector<FileRecord> records;
    for (const std::string& link : opened_.followed_symlinks) {
      Result<FileRecord> record = observe_file(root_, link, view_.stop());
      if (!record) return changed_while_read_error(asked_);
      records.push_back(*std::move(record));
    }
    Result<OpenedPath> again = root_.open_file(asked_);
    if (!again || again->path != opened_.path || again->stat != opened_.stat)
      return changed_while_read_error(asked_);
    for (FileRecord& record : records) view_.mark_touched(std::move(record));
    return Unit{};
  }

  LiveView& view_;
  const Root& root_;
  std::string asked_;
  OpenedPath opened_;
  std::int64_t seen_ns_;
  std::int64_t read_ = 0;
  std::string bytes_;            // All that was read, if it is remembered; else the last piece.
  std::optional<BlobId> known_;  // The content that the stat proves.
  bool hashes_;
  Sha256 hasher_;
  bool remembers_;  // The client is shown the content, and it is small enough.
};

// Returns true for a binary content that is not UTF-16 text, by its first bytes.
bool is_searched_as_binary(std::string_view path, std::string_view bytes, const ReadBuffers& buffers) {
  if (!looks_binary(bytes)) return false;
  return buffers.encodings == nullptr || !buffers.encodings->may_be_utf16(path, bytes);
}

// Makes the caller read again on a thread that may wait, so no client receives it.
Error would_block_error() { return Error(ErrorCode::unavailable, "It is not available without waiting."); }

}  // namespace

LiveView::LiveView(Workspace& workspace, bool with_status, std::stop_token stop, bool touches)
    : FileView(std::move(stop)),
      workspace_(workspace),
      with_status_(with_status),
      records_touches_(touches) {}

LiveView::LiveView(Workspace& workspace, std::int64_t try_bytes_max)
    : FileView({}),
      workspace_(workspace),
      with_status_(false),
      records_touches_(true),
      try_bytes_max_(try_bytes_max) {}

void add(SkippedCounts& sum, const SkippedPath& one) {
  if (one.reason == SkipReason::ignored && is_state_path(one.path)) return;
  switch (one.reason) {
    case SkipReason::ignored: ++sum.ignored; break;
    case SkipReason::nested_repository: ++sum.nested_repository; break;
    case SkipReason::not_a_file: ++sum.not_a_file; break;
    case SkipReason::unreadable: ++sum.unreadable; break;
  }
}

Result<Unit> LiveView::read_status_first() {
  if (!with_status_ || fingerprint_before_listing_) return Unit{};
  GitStatus status = TRY(workspace_.status(stop()));
  fingerprint_before_listing_ = std::move(status.fingerprint);
  return Unit{};
}

Result<const Listing*> LiveView::listing() {
  if (files_) return files_.get();
  if (try_bytes_max_) return would_block_error();
  listed_ns_ = now_ns();
  LiveFiles found;
  if (with_status_ && !fingerprint_before_listing_) {
    StatusAndLiveFiles both = TRY(workspace_.status_and_files(stop()));
    fingerprint_before_listing_ = both.status->fingerprint;
    found = std::move(both.files);
  } else {
    found = TRY(workspace_.files(stop()));
  }
  moment_ = found.moment;
  files_ = std::move(found.files);
  return files_.get();
}

std::optional<std::int64_t> LiveView::size_of(std::size_t index) { return files_->stat(index).size; }

std::optional<BlobId> LiveView::known_blob(std::size_t index) {
  return workspace_.stat_cache().find(files_->path(index), files_->stat(index));
}

std::optional<BlobId> LiveView::known_blob(std::string_view path, const FileStat& stat) const {
  if (lease_) {
    const std::optional<FileRecord> record = lease_->touched(path);
    if (record && record->blob && proves_unchanged(*record, stat)) return record->blob;
  }
  return workspace_.stat_cache().find(path, stat);
}

void LiveView::cache_content(const FileRecord& record) {
  if (!try_bytes_max_) learned_.push_back(record);
}

void LiveView::remember(const FileRecord& record, std::string content) {
  workspace_.recent_contents().put(record.path, *record.blob, std::move(content));
}

Result<SkippedCounts> LiveView::skipped_below(std::string_view path, bool recursive) {
  const Listing* listing = TRY(this->listing());
  SkippedCounts sum;
  for (const SkippedPath& one : skipped()) {
    bool here = is_at_or_below_folder(path, one.path) ||
                (is_at_or_below_folder(one.path, path) && (recursive || parent_path(one.path) == path));
    if (here && is_state_path(path))
      ++sum.ignored;
    else if (here)
      add(sum, one);
  }
  auto [first, last] = range_below(*listing, path);
  if (first != last || path.empty()) return sum;
  Result<FileStat> stat = workspace_.root().lstat(path);
  if (!stat) return record_missing(path, std::move(stat).error());
  if (is_behind_symlink(*listing, path)) ++sum.symlink;
  return sum;
}

bool LiveView::is_not_checked_out(std::string_view path) { return workspace_.is_not_checked_out(path); }

bool LiveView::ignores(std::string_view path) const {
  return std::any_of(skipped().begin(), skipped().end(), [&](const SkippedPath& one) {
    return one.path == path && one.reason == SkipReason::ignored;
  });
}

Result<std::vector<std::string>> LiveView::ignored_files(std::string_view path, bool recursive) {
  const auto omits = [&](const SkippedPath& one) {
    return one.reason == SkipReason::ignored && is_at_or_below_folder(path, one.path);
  };
  std::vector<std::string> files;
  if (is_state_path(path) || std::ranges::none_of(skipped(), omits)) return files;
  const FileStat stat = TRY(workspace_.root().lstat(path));
  if (kind_of(stat) == FileKind::file) files.emplace_back(path);
  std::vector<std::string> folders;
  if (kind_of(stat) == FileKind::folder) folders.emplace_back(path);
  while (!folders.empty()) {
    TRY(check_stop());
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    const std::vector<FolderEntry> entries = TRY(workspace_.root().read_folder(folder));
    for (const FolderEntry& entry : entries) {
      std::string below = joined_path(folder, entry.name);
      if (entry.kind == FileKind::file) files.push_back(std::move(below));
      if (entry.kind != FileKind::folder) continue;
      if (recursive)
        folders.push_back(std::move(below));
      else
        files.push_back(below + "/");
    }
    if (files.size() > ignored_files_max)
      return Error(ErrorCode::too_large, path_in_sentence(path) + " has more than " +
                                             std::to_string(ignored_files_max) +
                                             " files, which git ignores. Name a folder in it.");
  }
  std::ranges::sort(files);
  return files;
}

Error LiveView::record_missing(std::string_view path, Error error) {
  if (error.code == ErrorCode::not_found) missed_.emplace_back(path);
  return error;
}

Result<std::unique_ptr<FileContent>> LiveView::open(std::string_view path) {
  std::int64_t seen = now_ns();
  Result<OpenedPath> opened = workspace_.root().open_file(path);
  if (!opened) return record_missing(path, std::move(opened).error());
  if (try_bytes_max_ && (opened->stat.size > *try_bytes_max_ || !opened->followed_symlinks.empty()))
    return would_block_error();
  return std::unique_ptr<FileContent>(std::make_unique<LiveFileContent>(
      *this, workspace_.root(), std::string(path), *std::move(opened), seen));
}

// Opens the file, reads to its end, and calls fstat() once. The listed stat gives the size, and an equal stat
// afterwards proves that the content was never in between two states.
std::optional<std::string_view> LiveView::read_as_listed(std::size_t index, ReadBuffers& buffers) const {
  const FileStat listed = files_->stat(index);
  if (listed.size > search_bytes_max) return std::nullopt;
  const std::string_view path = files_->path(index);
  Fd fd = buffers.sibling_opener->open(path);
  if (!fd) return std::nullopt;
  // Reading one byte more than the listed size detects a file that has grown.
  auto size = static_cast<std::size_t>(listed.size);
  if (buffers.bytes.size() <= size) buffers.bytes.resize(size + 1);
  std::size_t got = 0;
  if (size > begun_bytes_min) {
    const ssize_t n = ::read(fd.get(), buffers.bytes.data(), binary_probe_bytes);
    if (n < 0) return std::nullopt;
    got = static_cast<std::size_t>(n);
    const std::string_view begun = std::string_view(buffers.bytes).substr(0, got);
    if (is_searched_as_binary(path, begun, buffers)) return begun;
  }
  while (got <= size) {
    ssize_t n = ::read(fd.get(), buffers.bytes.data() + got, size + 1 - got);
    if (n < 0) return std::nullopt;
    got += static_cast<std::size_t>(n);
    if (n == 0 || got == size) break;
  }
  struct stat st;
  if (got != size || ::fstat(fd.get(), &st) != 0 || file_stat(st) != listed) return std::nullopt;
  return std::string_view(buffers.bytes).substr(0, size);
}

DeclarationReader LiveView::declarations() { return declarations_in(workspace_.root()); }

void LiveView::begin_reads() {
  std::call_once(reads_made_, [&] {
    reads_.resize(files_->size());
    digests_ = std::make_unique_for_overwrite<Sha256::Digest[]>(files_->size());
    if (!contents_) contents_ = workspace_.known_contents().contents_of(files_, {});
    trigram_filters_ = workspace_.trigram_filters().table();
  });
}

void LiveView::prepare_search(std::span<const std::size_t> candidates) {
  std::vector<FileRange> ranges;
  for (const std::size_t index : candidates) {
    if (ranges.empty() || ranges.back().last != index) ranges.push_back({.first = index, .last = index});
    ++ranges.back().last;
  }
  contents_.reset();  // So that they need not be copied.
  contents_ = workspace_.known_contents().contents_of(files_, ranges);
  begin_reads();
}

// With a watch, the stat of a skipped file must be the listed one; without a watch, all files are examined
// again before the call ends.
std::optional<SearchCandidate::Kind> LiveView::skip_without_read(std::size_t index,
                                                                 const LineMatcher& matcher,
                                                                 ReadBuffers& buffers) {
  const std::optional<BlobId> blob = contents_->find(index);
  const std::optional<TrigramFilter> filter = blob ? trigram_filters_->find(*blob) : std::nullopt;
  if (!filter || matcher.may_match(*filter)) return std::nullopt;
  // The filter is of the bytes. Whether they are text may depend on declarations.
  if (filter->kind() == TrigramFilter::Kind::binary && buffers.encodings != nullptr &&
      buffers.encodings->may_be_utf16(files_->path(index), {}))
    return std::nullopt;
  if (moment_) {
    if (!buffers.sibling_opener) buffers.sibling_opener = std::make_unique<SiblingOpener>(workspace_.root());
    buffers.path.assign(files_->path(index));
    const std::optional<FileStat> now = buffers.sibling_opener->stat(buffers.path);
    if (!now || *now != files_->stat(index)) return std::nullopt;
  }
  digests_[index] = blob->digest;
  reads_[index] = ReadResult::known;
  return filter->kind() == TrigramFilter::Kind::binary ? SearchCandidate::Kind::binary
                                                       : SearchCandidate::Kind::text;
}

// Caches the trigram filter, so that the next search can skip the file, and returns true if the content is
// UTF-8 text. Only such text and binary contents have filters: that of another encoding would be of its
// bytes, and not of the text that is searched.
bool LiveView::add_trigram_filter(const BlobId& blob, std::string_view bytes, ReadBuffers& buffers) {
  const std::optional<TrigramFilter> known = trigram_filters_->find(blob);
  if (known) return known->kind() == TrigramFilter::Kind::text;
  const bool binary = looks_binary(bytes);
  if (binary ? has_utf16_bom(bytes) : !json::valid_utf8(bytes)) return false;
  if (!buffers.filter_builder) buffers.filter_builder = std::make_shared<TrigramFilterBuilder>();
  std::optional<std::string> made =
      binary ? TrigramFilterBuilder::binary_filter() : buffers.filter_builder->build(bytes);
  if (!made) return !binary;
  std::vector<ContentFilter> full;
  {
    const std::lock_guard lock(mutex_);
    new_filter_bytes_ += made->size();
    new_filters_.emplace_back(blob, *std::move(made));
    if (new_filter_bytes_ < fresh_trigram_filter_bytes_max) return !binary;
    new_filter_bytes_ = 0;
    full = std::exchange(new_filters_, {});
  }
  workspace_.trigram_filters().add(full, files_->size());
  return !binary;
}

void LiveView::store_trigram_filters() {
  if (files_) workspace_.trigram_filters().add(std::exchange(new_filters_, {}), files_->size());
}

Result<SearchCandidate> LiveView::read_candidate(std::size_t index, ReadBuffers& buffers) {
  begin_reads();
  if (!buffers.sibling_opener) buffers.sibling_opener = std::make_unique<SiblingOpener>(workspace_.root());
  const std::string_view path = files_->path(index);
  FileStat stat = files_->stat(index);
  ReadResult read = ReadResult::known;
  std::optional<std::string_view> bytes = read_as_listed(index, buffers);
  if (!bytes) {
    const std::int64_t seen = now_ns();
    Result<OpenedPath> opened = workspace_.root().open_file(path);
    if (!opened) {
      if (opened.error().code == ErrorCode::permission_denied) {
        return SearchCandidate{.kind = SearchCandidate::Kind::unreadable, .bytes = {}};
      }
      // The path was a file when it was listed, so it has changed.
      return changed_while_read_error(path);
    }
    if (opened->stat.size > search_bytes_max) {
      return SearchCandidate{.kind = SearchCandidate::Kind::too_large, .bytes = {}};
    }
    TRY(read_stable_content(*opened, buffers.bytes));
    bytes = buffers.bytes;
    stat = opened->stat;
    read = ReadResult::changed;
    std::lock_guard lock(mutex_);
    changed_stats_[index] = {.stat = stat, .seen_ns = seen};
  }
  // For a large file, the beginning identifies it as binary faster than a hash of the whole.
  if (stat.size > begun_bytes_min && is_searched_as_binary(path, *bytes, buffers))
    return SearchCandidate{.kind = SearchCandidate::Kind::binary, .bytes = {}};
  std::optional<BlobId> blob = read == ReadResult::known ? contents_->find(index) : std::nullopt;
  if (!blob) blob = workspace_.stat_cache().find(path, stat);
  if (!blob && read == ReadResult::known) read = ReadResult::learned;
  if (!blob) blob = blob_id_of(*bytes);
  digests_[index] = blob->digest;
  reads_[index] = read;
  if (read != ReadResult::known) {
    const std::lock_guard lock(mutex_);
    uncached_reads_.push_back(index);
  }
  const bool is_utf8 = add_trigram_filter(*blob, *bytes, buffers);
  return is_utf8 ? SearchCandidate{.kind = SearchCandidate::Kind::text, .bytes = *bytes}
                 : candidate_of(path, *bytes, buffers);
}

std::vector<std::string> LiveView::changed_since_listing() const {
  std::vector<std::string> paths;
  for (const auto& [index, seen] : changed_stats_) paths.emplace_back(files_->path(index));
  return paths;
}

FileRecord LiveView::record_of(std::size_t index, ReadResult read) {
  FileRecord record{.path = std::string(files_->path(index)),
                    .stat = files_->stat(index),
                    .seen_ns = listed_ns_,
                    .blob = {}};
  if (read != ReadResult::no) record.blob = BlobId{digests_[index]};
  if (read == ReadResult::changed) {
    std::lock_guard lock(mutex_);
    const ChangedStat& seen = changed_stats_[index];
    record.stat = seen.stat;
    record.seen_ns = seen.seen_ns;
  }
  return record;
}

void LiveView::cache_hashes() {
  store_trigram_filters();
  std::vector<FileRecord> records;
  std::vector<std::size_t> indexes = std::exchange(uncached_reads_, {});
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
  for (const std::size_t index : indexes) records.push_back(record_of(index, reads_[index]));
  if (!records.empty()) workspace_.stat_cache().remember(records);
}

void LiveView::mark_touched(std::size_t index) {
  assert(has_listing() && index < files_->size());
  touched_listed_.push_back(static_cast<std::uint32_t>(index));
}

void LiveView::mark_shown(std::size_t index) {
  assert(has_listing() && index < files_->size());
  shown_listed_.push_back(static_cast<std::uint32_t>(index));
}

void LiveView::mark_touched(FileRecord record) { touched_.push_back(std::move(record)); }

namespace {

// Hashing a large file takes longer than waiting until its stat proves its content. Updates when the record
// was seen, and returns true, if it does then.
Result<bool> is_proven_by_later_stat(const Root& root, FileRecord& record) {
  constexpr std::int64_t hashed_bytes_max = 64 << 20;
  constexpr auto wait = std::chrono::milliseconds(50);  // Longer than the time that is_racy() adds.
  if (record.stat.size <= hashed_bytes_max) return false;
  std::this_thread::sleep_for(wait);
  const std::int64_t seen = now_ns();
  const Result<FileStat> now = root.lstat(record.path);
  if (now && *now != record.stat) return changed_while_read_error(record.path);
  if (!now || is_racy(*now, seen)) return false;
  record.seen_ns = seen;
  return true;
}

}  // namespace

// Reads the file if an equal stat would not prove later that it is unchanged: its content must prove it then.
Result<Unit> LiveView::confirm_unchanged(FileRecord& record, bool& seen) {
  if (!record.blob) record.blob = workspace_.stat_cache().find(record.path, record.stat);
  if (record.blob || !is_racy(record.stat, record.seen_ns)) return Unit{};
  const bool proven = TRY(is_proven_by_later_stat(workspace_.root(), record));
  if (proven) return Unit{};
  Result<FileRecord> observed = observe_file(workspace_.root(), record.path, stop());
  if (observed && observed->stat != record.stat) return changed_while_read_error(record.path);
  if (!observed && observed.error().code == ErrorCode::permission_denied) return Unit{};
  if (!observed) return std::move(observed).error();
  record = *std::move(observed);
  seen = true;
  return Unit{};
}

Result<TouchedFiles> LiveView::touched() {
  // The next search need not hash the files that this one has read.
  cache_hashes();
  if (!learned_.empty()) workspace_.stat_cache().remember(std::exchange(learned_, {}));
  struct Recorded {
    FileRecord record;
    bool seen = false;
  };
  std::vector<Recorded> others;
  for (FileRecord& record : std::exchange(touched_, {})) others.push_back({.record = std::move(record)});
  for (const std::uint32_t index : std::exchange(shown_listed_, {})) {
    const ReadResult read = reads_.empty() ? ReadResult::no : reads_[index];
    others.push_back({.record = record_of(index, read), .seen = read != ReadResult::no});
  }
  std::vector<std::uint32_t> listed = std::exchange(touched_listed_, {});
  if (!std::is_sorted(listed.begin(), listed.end())) std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  TouchedFiles out{.listed = ListedFiles(files_, listed_ns_)};
  for (const std::uint32_t index : listed) {
    const ReadResult read = reads_.empty() ? ReadResult::no : reads_[index];
    const std::optional<BlobId> blob =
        read == ReadResult::no ? known_blob(index) : std::optional(BlobId{digests_[index]});
    if (read == ReadResult::changed || (!blob && is_racy(files_->stat(index), listed_ns_))) {
      others.push_back({.record = record_of(index, read), .seen = read != ReadResult::no});
      continue;
    }
    out.listed.add(index, blob);
    out.listed_was_observed.push_back(read != ReadResult::no);
  }
  std::sort(others.begin(), others.end(), [](const Recorded& a, const Recorded& b) {
    const int by_path = a.record.path.compare(b.record.path);
    return by_path < 0 || (by_path == 0 && a.record.seen_ns < b.record.seen_ns);
  });
  for (auto& [record, seen] : others) {
    TRY(confirm_unchanged(record, seen));
    const bool another = out.records.empty() || out.records.back().path != record.path;
    if (!another && !record.blob) continue;
    if (!another) {
      out.records.pop_back();
      out.record_was_observed.pop_back();
    }
    out.records.push_back(std::move(record));
    out.record_was_observed.push_back(seen);
  }
  return out;
}

}  // namespace snapgen::core
