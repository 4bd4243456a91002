#include "tools/engine/store/leases/lease.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <sys/stat.h>

namespace snapgen::core {

LeaseBase Lease::base() const {
  std::lock_guard lock(mutex_);
  return base_;
}

std::vector<FileRecord> Lease::touched() const {
  std::lock_guard lock(mutex_);
  std::vector<FileRecord> records;
  records.reserve(touched_.size() + listed_.size());
  auto other = touched_.begin();
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const std::string_view path = listed_.path(i);
    for (; other != touched_.end() && other->first < path; ++other) records.push_back(other->second);
    if (other == touched_.end() || other->first != path) records.push_back(listed_.record(i));
  }
  for (; other != touched_.end(); ++other) records.push_back(other->second);
  return records;
}

std::vector<FileRecord> Lease::unproven_files(const TouchedFiles& seen) {
  assert(std::ranges::is_sorted(seen.records, {}, &FileRecord::path));
  std::lock_guard lock(mutex_);
  if (!seen.listed.empty()) renumber_by(seen.listed.shared_files());
  std::vector<FileRecord> records;
  const ListedFiles& now = seen.listed;
  std::size_t next = 0;  // A position in `now`, if both use the same listing.
  auto other = touched_.begin();
  const auto add_others_until = [&](std::string_view path) {
    for (; other != touched_.end() && other->first < path; ++other)
      if (!seen.confirms(other->second)) records.push_back(other->second);
  };
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (listed_.has_same_listing(now)) {
      const std::uint32_t index = listed_.indexes()[i];
      while (next < now.size() && now.indexes()[next] < index) ++next;
      const bool shown = next < now.size() && now.indexes()[next] == index &&
                         seen.listed_was_observed[next] &&
                         (!listed_.blob(i) || listed_.blob(i) == now.blob(next)) &&
                         !is_racy(listed_.stat(i), listed_.seen_ns());
      if (shown) continue;
    }
    const std::string_view path = listed_.path(i);
    add_others_until(path);
    if (other != touched_.end() && other->first == path) continue;
    FileRecord record = listed_.record(i);
    if (!seen.confirms(record)) records.push_back(std::move(record));
  }
  for (; other != touched_.end(); ++other)
    if (!seen.confirms(other->second)) records.push_back(other->second);
  return records;
}

std::vector<FileRecord> Lease::unproven_files(const TouchedFiles& seen,
                                              const std::shared_ptr<const FileList>& watched) {
  assert(std::ranges::is_sorted(seen.records, {}, &FileRecord::path));
  const std::lock_guard lock(mutex_);
  renumber_by(watched);
  std::vector<FileRecord> records;
  for (const auto& [path, record] : touched_)
    if (!seen.confirms(record)) records.push_back(record);
  return records;
}

std::optional<std::vector<FileRecord>> Lease::try_unproven_files(
    const std::shared_ptr<const FileList>& watched) const {
  const std::lock_guard lock(mutex_);
  if (!listed_.empty() && listed_.shared_files() != watched) return std::nullopt;
  std::vector<FileRecord> records;
  for (const auto& [path, record] : touched_) records.push_back(record);
  return records;
}

bool Lease::has_listed_files() const {
  const std::lock_guard lock(mutex_);
  return !listed_.empty();
}

std::optional<FileRecord> Lease::touched(std::string_view path) const {
  std::lock_guard lock(mutex_);
  if (const auto it = touched_.find(path); it != touched_.end()) return it->second;
  const std::size_t at = listed_.find(path);
  return at == listed_.size() ? std::nullopt : std::optional(listed_.record(at));
}

std::optional<TouchedFiles> Lease::unrecorded_part(const TouchedFiles& touched) const {
  const ListedFiles& listed = touched.listed;
  const bool one_listing = listed_.has_same_listing(listed);
  TouchedFiles fresh;
  if (!listed.empty()) fresh.listed = listed.empty_copy();
  std::size_t at = 0;  // A position in listed_, if both use the same listing.
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::uint32_t index = listed.indexes()[i];
    while (one_listing && at < listed_.size() && listed_.indexes()[at] < index) ++at;
    const bool listed_here = one_listing && at < listed_.size() && listed_.indexes()[at] == index;
    if (listed_here && touched_.empty()) {
      const bool is_known = (listed_.blob(at) == listed.blob(i) || !listed.blob(i)) &&
                            !is_racy(listed_.stat(at), listed_.seen_ns());
      if (!is_known) fresh.listed.add(index, listed.blob(i));
      continue;
    }
    const RecordMatch held = match_of(listed.record(i));
    if (held == RecordMatch::conflicting) return std::nullopt;
    if (held == RecordMatch::unrecorded) fresh.listed.add(index, listed.blob(i));
  }
  for (const FileRecord& record : touched.records) {
    const RecordMatch held = match_of(record);
    if (held == RecordMatch::conflicting) return std::nullopt;
    if (held == RecordMatch::unrecorded) fresh.records.push_back(record);
  }
  return fresh;
}

// Whether the lease has proof of the record's content (yes), no proof (no), or another content (otherwise).
Lease::RecordMatch Lease::match_of(const FileRecord& record) const {
  const auto says = [&](const FileStat& stat, std::int64_t seen_ns, const std::optional<BlobId>& blob) {
    if (S_ISDIR(stat.mode) || S_ISDIR(record.stat.mode))
      return stat == record.stat && blob == record.blob ? RecordMatch::recorded : RecordMatch::unrecorded;
    if (stat == record.stat && (blob == record.blob || !record.blob) && !is_racy(stat, seen_ns))
      return RecordMatch::recorded;
    const bool same_content = blob && record.blob && *blob == *record.blob;
    return stat == record.stat || same_content ? RecordMatch::unrecorded : RecordMatch::conflicting;
  };
  if (const auto it = touched_.find(record.path); it != touched_.end())
    return says(it->second.stat, it->second.seen_ns, it->second.blob);
  const std::size_t at = listed_.find(record.path);
  return at == listed_.size() ? RecordMatch::unrecorded
                              : says(listed_.stat(at), listed_.seen_ns(), listed_.blob(at));
}

// Adds `touched` in memory. Later records override earlier ones, and files of a second listing become
// records.
void Lease::add_touched(TouchedFiles touched) {
  const bool adds_listed = !touched.listed.empty();
  const bool is_first = listed_.empty() && touched_.empty();
  if (is_first && !touched.listed.empty()) listed_ = std::exchange(touched.listed, {});
  const ListedFiles& listed = touched.listed;
  if (listed_.empty()) listed_ = listed.empty_copy();
  ListedFiles more = listed.empty_copy();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const bool is_new =
        listed_.has_same_listing(listed) && listed_.find(listed.indexes()[i]) == listed_.size();
    if (is_new && (touched_.empty() || !touched_.contains(listed.path(i)))) {
      more.add(listed.indexes()[i], listed.blob(i));
    } else {
      touched_.insert_or_assign(std::string(listed.path(i)), listed.record(i));
    }
  }
  if (!more.empty()) listed_.add(more);
  if (adds_listed) move_racy_to_records();
  if (listed_.empty()) listed_ = ListedFiles();
  for (FileRecord& record : touched.records) {
    std::string path = record.path;
    touched_.insert_or_assign(std::move(path), std::move(record));
  }
}

void Lease::add_listing_name(const std::string& listing) {
  const bool known = std::find(listing_names_.begin(), listing_names_.end(), listing) != listing_names_.end();
  if (!known && !listing.empty()) listing_names_.push_back(listing);
}

void Lease::renumber_by(const std::shared_ptr<const FileList>& listing) {
  if (listed_.empty() || listed_.shared_files() == listing) return;
  const FileList& files = *listing;
  ListedFiles moved(listing, listed_.seen_ns());
  std::size_t next = 0;  // A position in `files`.
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const std::string_view path = listed_.path(i);
    int order = -1;
    while (next < files.size() && (order = files.path(next).compare(path)) < 0) ++next;
    if (next < files.size() && order == 0 && files.stat(next) == listed_.stat(i)) {
      moved.add(static_cast<std::uint32_t>(next), listed_.blob(i));
    } else {
      touched_.try_emplace(std::string(path), listed_.record(i));
    }
  }
  listed_ = moved.empty() ? ListedFiles() : std::move(moved);
}

void Lease::move_racy_to_records() {
  const auto is_racy_at = [&](std::size_t at) { return is_racy(listed_.stat(at), listed_.seen_ns()); };
  std::size_t at = 0;
  while (at < listed_.size() && !is_racy_at(at)) ++at;
  if (at == listed_.size()) return;  // No stat is racy, which is the usual case.
  ListedFiles proven = listed_.empty_copy();
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    if (i >= at && is_racy_at(i)) {
      touched_.try_emplace(std::string(listed_.path(i)), listed_.record(i));
    } else {
      proven.add(listed_.indexes()[i], listed_.blob(i));
    }
  }
  listed_ = std::move(proven);
}

}  // namespace snapgen::core
