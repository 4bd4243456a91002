#include "tools/engine/patch/rejected_patches.h"

#include <algorithm>

#include "runtime/base/text.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/patch/continue.h"

namespace snapgen::core {
namespace {

constexpr std::size_t id_digits = 12;

std::string id_of(const RejectedPatch& patch) {
  Sha256 hasher;
  hasher.update(patch.snapshot_hex);
  for (const std::shared_ptr<const std::string>& text : patch.patch.texts) {
    hasher.update(std::string_view("\0", 1));
    hasher.update(*text);
  }
  return "patch_" + hex(bytes_of(hasher.digest())).substr(0, id_digits);
}

// Returns about the number of bytes of memory that the patch takes.
std::size_t bytes_in(const RejectedPatch& patch) {
  std::size_t bytes = patch.rejects.size() * sizeof(Reject);
  for (const std::shared_ptr<const std::string>& text : patch.patch.texts) bytes += text->size();
  for (const FilePatch& file : patch.patch.patch.files)
    bytes += sizeof(FilePatch) + file.hunks.size() * sizeof(Hunk);
  return bytes;
}

}  // namespace

std::string RejectedPatches::store(RejectedPatch patch, std::int64_t now_ns) {
  Stored stored{
      .id = id_of(patch), .patch = {}, .bytes = bytes_in(patch), .expires_ns = now_ns + lifetime_ns};
  if (stored.bytes > bytes_max) return {};
  stored.patch = std::make_shared<const RejectedPatch>(std::move(patch));
  const std::scoped_lock lock(mutex_);
  remove_expired(now_ns);
  std::erase_if(patches_, [&](const Stored& each) { return each.id == stored.id; });
  std::erase(applied_, stored.id);
  patches_.push_back(stored);
  std::size_t bytes = 0;
  for (const Stored& each : patches_) bytes += each.bytes;
  while (patches_.size() > patches_max || bytes > bytes_max) {
    bytes -= patches_.front().bytes;
    patches_.pop_front();
  }
  return stored.id;
}

Result<std::shared_ptr<const RejectedPatch>> RejectedPatches::find(std::string_view id, std::int64_t now_ns) {
  const std::scoped_lock lock(mutex_);
  remove_expired(now_ns);
  const auto found = std::ranges::find(patches_, id, &Stored::id);
  if (found != patches_.end()) return found->patch;
  if (std::ranges::find(applied_, id) != applied_.end())
    return Error(ErrorCode::invalid_argument,
                 std::string(id) + " was completed and applied. Send further changes as a new patch.");
  return Error(ErrorCode::not_found,
               "There is no rejected patch " + std::string(id) +
                   ", or its ten minutes are over. Send the whole patch, without continue.");
}

void RejectedPatches::remove_applied(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(patches_, [&](const Stored& each) { return each.id == id; });
  applied_.emplace_back(id);
  if (applied_.size() > patches_max) applied_.pop_front();
}

void RejectedPatches::remove_expired(std::int64_t now_ns) {
  std::erase_if(patches_, [&](const Stored& each) { return each.expires_ns <= now_ns; });
}

}  // namespace snapgen::core
