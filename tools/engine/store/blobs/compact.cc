#include "tools/engine/store/blobs/compact.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/large_blob.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t target_segment_bytes_max = 512 << 20;  // A larger segment gets no further records.
constexpr std::uint64_t small_segment_bytes = 16 << 20;  // Rewriting a smaller segment is worth any gain.
constexpr std::uint64_t worth_part = 8;  // A larger segment is rewritten if 1/8 of it is dead.
constexpr std::uint64_t copy_bytes = 1 << 20;

std::uint64_t room_of(const SurveyedRecord& record) {
  return record_header_bytes + record.location.stored_bytes;
}

// Cuts off the torn end of an undamaged segment: a full disk may have no other space for the copies.
void cut_torn(Segment& segment, const SurveyedSegment& found) {
  if (found.torn_bytes == 0 || !found.gaps.empty() || found.index_is_wrong) return;
  if (segment.refresh()) segment.cut_failed_write();
}

}  // namespace

bool Compaction::is_spared(const SurveyedSegment& segment) const {
  return excludes_damaged_ && segment.has_unrecognized_bytes();
}

// The segments that are worth rewriting. If a blob has several copies, only the first one counts as needed.
Compaction::Plan Compaction::plan(const IsNeeded& is_needed) const {
  Plan plan;
  std::unordered_set<BlobId, BlobIdHash> seen;
  for (const SurveyedSegment& segment : segments_) {
    if (is_spared(segment)) continue;
    std::uint64_t dead_blob_count = 0;
    std::uint64_t dead_bytes = segment.torn_bytes;
    for (const SurveyedSegment::Gap& gap : segment.gaps) dead_bytes += gap.bytes;
    for (const SurveyedRecord& record : segment.records) {
      if (is_needed(record.id) && seen.insert(record.id).second) continue;
      ++dead_blob_count;
      dead_bytes += room_of(record);
    }
    bool is_empty = dead_blob_count == segment.records.size();
    bool worth = is_empty || (dead_bytes > 0 && segment.bytes < small_segment_bytes) ||
                 dead_bytes * worth_part >= segment.bytes;
    if (!worth) continue;
    plan.segments.push_back(segment.name);
    plan.dead_blob_count += dead_blob_count;
    plan.dead_bytes += dead_bytes;
  }
  return plan;
}

Compaction::~Compaction() {
  if (!is_discarding_) remove_copies();
}

Result<Unit> Compaction::copy(const Plan& plan, const IsNeeded& is_needed) {
  Result<Unit> done = lock_victims(plan);
  if (!done) return done;
  done = copy_all(is_needed);
  if (done || !remove_copies()) return done;
  std::erase_if(victims_, [&](const Victim& victim) {
    const auto& records = victim.found.records;
    if (std::ranges::none_of(records, [&](const SurveyedRecord& one) { return is_needed(one.id); }))
      return false;
    victim.segment->unlock();
    staying_.push_back(victim.segment);
    return true;
  });
  return victims_.empty() ? done : Unit{};
}

Result<Unit> Compaction::lock_victims(const Plan& plan) {
  for (const SurveyedSegment& known : segments_) {
    Result<std::shared_ptr<Segment>> segment = Segment::open(folder_, known.name);
    if (!segment && segment.error().code == ErrorCode::not_found) continue;
    if (!segment) return std::move(segment).error();
    bool wanted = std::find(plan.segments.begin(), plan.segments.end(), known.name) != plan.segments.end();
    if (wanted && !(*segment)->lock()) {
      ++in_use_;
      wanted = false;
    }
    if (is_spared(known)) ++damaged_;
    if (!wanted) {
      staying_.push_back(*std::move(segment));
      continue;
    }
    // Another process may have appended before the lock was acquired.
    SurveyedSegment now = TRY(survey_segment(folder_, known.name));
    cut_torn(**segment, now);
    victims_.push_back({.segment = *std::move(segment), .found = std::move(now)});
  }
  // Indexes records in the other segments, so that copies there can be relied on.
  for (const std::shared_ptr<Segment>& segment : staying_)
    if (segment->tail_records() > 0 || segment->needs_new_index()) segment->rebuild_index();
  return Unit{};
}

Result<Unit> Compaction::copy_all(const IsNeeded& is_needed) {
  for (auto victim = victims_.begin(); victim != victims_.end();) {
    bool whole = TRY(copy_needed(*victim, is_needed));
    if (whole) {
      ++victim;
      continue;
    }
    ++damaged_;
    victim->segment->unlock();
    staying_.push_back(victim->segment);
    victim = victims_.erase(victim);
  }
  return finish_segment();
}

// Another process may have found a blob in a copy and rely on it, so the original must be on disk before
// the copy is deleted. Returns false if a sync fails; the copies then remain.
bool Compaction::remove_copies() {
  for (const Victim& victim : victims_)
    if (!targets_.empty() && !sync_file(victim.segment->fd())) return false;
  for (const std::shared_ptr<Segment>& target : targets_) {
    for (const char* suffix : {".seg", ".idx"}) ::unlink((folder_ + "/" + target->name() + suffix).c_str());
  }
  targets_.clear();
  target_ = nullptr;
  pending_.clear();
  copied_.clear();
  return true;
}

Result<Unit> Compaction::remove_originals(GenerationLock& hold, const IsNeeded& is_needed) {
  for (const Victim& victim : victims_) {
    bool whole = TRY(copy_needed(victim, is_needed));
    if (!whole)
      return Error(ErrorCode::internal,
                   "A segment of the snapshot store is damaged; nothing was removed. " +
                       std::string(verify_store_sentence),
                   {}, victim.found.name);
  }
  Result<Unit> done = finish_segment();
  if (done && !victims_.empty()) done = GenerationFile::increment(hold);
  if (!done) return done;
  is_discarding_ = true;
  for (const Victim& victim : victims_) {
    bytes_before_ += victim.found.bytes;
    for (const char* suffix : {".seg", ".idx"})
      ::unlink((folder_ + "/" + victim.found.name + suffix).c_str());
    ++removed_;
  }
  if (!victims_.empty()) done = sync_folder(folder_);
  victims_.clear();
  for (const auto& target : targets_) bytes_after_ += target->end();
  return done;
}

// Copies the needed blobs of a segment. Returns false if one of them has no sound copy.
Result<bool> Compaction::copy_needed(const Victim& victim, const IsNeeded& is_needed) {
  std::string record;
  for (const SurveyedRecord& one : victim.found.records) {
    if (!is_needed(one.id) || copied_.contains(one.id) || is_stored_elsewhere(one.id)) continue;
    if (!check_record(victim.segment, one)) return false;
    for (std::uint64_t at = 0; at < room_of(one); at += record.size()) {
      record.resize(std::min(copy_bytes, room_of(one) - at));
      TRY(read_at(victim.segment->fd(), record.data(), record.size(), one.location.offset + at));
      TRY(append(record));
    }
    BlobLocation location = one.location;
    location.offset = target_->end();
    target_->add_appended_record(one.id, location);
    copied_.insert(one.id);
    if (target_->end() < target_segment_bytes_max) continue;
    TRY(finish_segment());
    target_ = nullptr;
  }
  return true;
}

// Whether another segment has a sound copy of the blob. Only indexed records are certain to be on disk.
bool Compaction::is_stored_elsewhere(const BlobId& id) const {
  return std::any_of(staying_.begin(), staying_.end(), [&](const std::shared_ptr<Segment>& segment) {
    std::optional<BlobLocation> location = segment->find_in_index(id);
    return location && check_record(segment, {.location = *location, .id = id});
  });
}

// Appends a part of a record. pending_ begins at the end of the target's file.
Result<Unit> Compaction::append(const std::string& record) {
  if (target_ == nullptr) {
    target_ = TRY(Segment::create(folder_, random_name(16)));
    targets_.push_back(target_);
  }
  pending_ += record;
  if (pending_.size() < copy_bytes) return Unit{};
  std::uint64_t size = TRY(target_->size());
  Result<Unit> written = write_at(target_->fd(), pending_, size);
  if (written) pending_.clear();
  return written;
}

Result<Unit> Compaction::finish_segment() {
  if (target_ == nullptr) return Unit{};
  std::uint64_t size = TRY(target_->size());
  Result<Unit> done = write_at(target_->fd(), pending_, size);
  if (!done) return done;
  pending_.clear();
  done = sync_file(target_->fd());
  if (done) done = target_->write_index();  // Also syncs the folder.
  return done;
}

void remove_stray_files(const std::string& folder) {
  for (const std::string& name : names_in_folder(folder).names) {
    if (!name.ends_with(".idx")) continue;
    const std::string path = folder + "/" + name.substr(0, name.size() - 4);
    if (::access((path + ".seg").c_str(), F_OK) != 0 && errno == ENOENT) ::unlink((path + ".idx").c_str());
  }
  remove_old_temporaries(folder);
}

}  // namespace snapgen::core
