#include "tools/engine/store/leases/lease_folder.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/random.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/caches/shared_listing.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t sweep_ns = 60LL * 1'000'000'000;  // Between two sweeps for expired leases.
constexpr std::uint64_t spare_part = 8;  // A sweep that must delete also frees 1/8 of the limit.

// The size of a file on disk, because file systems allocate whole blocks.
std::uint64_t disk_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t block = 4096;
  return (bytes + block - 1) / block * block;
}

struct LeaseFile {
  std::string name;
  std::int64_t used_ns = 0;
  std::uint64_t bytes = 0;  // The size on disk.
};

struct LeaseFiles {
  std::vector<LeaseFile> leases;    // Files that may refer to listings, least recently used first.
  std::vector<LeaseFile> listings;  // Least recently used first.
  std::uint64_t bytes = 0;
};

LeaseFiles files_in(const std::string& folder) {
  LeaseFiles found;
  for (std::string& name : names_in_folder(folder).names) {
    const bool is_listing = name.starts_with(listing_prefix);
    if (!is_listing && !is_lease_id(name) && !name.starts_with(issued_prefix)) continue;
    struct stat st;
    if (::lstat((folder + "/" + name).c_str(), &st) != 0) continue;
    LeaseFile file{.name = std::move(name),
                   .used_ns = std::int64_t{st.st_mtim.tv_sec} * 1'000'000'000 + st.st_mtim.tv_nsec,
                   .bytes = disk_bytes(static_cast<std::uint64_t>(st.st_size))};
    found.bytes += file.bytes;
    (is_listing ? found.listings : found.leases).push_back(std::move(file));
  }
  const auto by_use = [](const LeaseFile& a, const LeaseFile& b) { return a.used_ns < b.used_ns; };
  std::sort(found.leases.begin(), found.leases.end(), by_use);
  std::sort(found.listings.begin(), found.listings.end(), by_use);
  return found;
}

}  // namespace

bool is_lease_id(std::string_view id) { return is_random_name(id, lease_prefix, lease_id_random_characters); }

std::uint64_t lease_bytes_in(const std::string& folder) { return files_in(folder).bytes; }

Result<Unit> LeaseFolder::make_space(std::uint64_t bytes, std::string_view retained) {
  const std::uint64_t wanted = disk_bytes(bytes);
  const bool known_to_fit = swept_ && bytes_ + wanted <= bytes_max_;
  if (!known_to_fit && wanted <= bytes_max_) {
    bytes_ = sweep(bytes_max_ - wanted, retained);
  }
  if (wanted > bytes_max_ || bytes_ + wanted > bytes_max_) {
    return Error(ErrorCode::too_large, "The lease cannot be stored: it takes " + std::to_string(wanted) +
                                           " bytes, and all leases together may take " +
                                           std::to_string(bytes_max_) +
                                           ". Read less under one lease, or raise store.lease_quota_bytes in "
                                           ".snapback/config.json.");
  }
  bytes_ += wanted;
  return Unit{};
}

void LeaseFolder::sweep_if_due() {
  const std::int64_t now = clock_();
  const bool was_set_back = now < next_sweep_ns_ - sweep_ns;
  if (now < next_sweep_ns_ && !was_set_back) return;
  next_sweep_ns_ = now + sweep_ns;
  remove_old_temporaries(path_);
  bytes_ = sweep(bytes_max_, {});
}

bool LeaseFolder::mark_used(std::string_view name, const std::vector<std::string>& listings) const {
  const std::int64_t now_ns = clock_();
  const timespec now{.tv_sec = now_ns / 1'000'000'000, .tv_nsec = now_ns % 1'000'000'000};
  const timespec times[2] = {now, now};
  // A file that cannot be marked expires too early, which is not an error.
  const auto is_there = [&](std::string_view file) {
    return ::utimensat(AT_FDCWD, path_of(file).c_str(), times, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
  };
  for (const std::string& listing : listings) is_there(listing);
  return is_there(name);
}

std::uint64_t LeaseFolder::sweep(std::uint64_t bytes_max, std::string_view retained) {
  swept_ = true;
  LeaseFiles files = files_in(path_);
  const std::int64_t now = clock_();
  const auto remove = [&](const LeaseFile& file) {
    if (::unlink(path_of(file.name).c_str()) == 0 || errno == ENOENT) files.bytes -= file.bytes;
  };
  const auto has_expired = [&](const LeaseFile& file) {
    // A file larger than the limit is not from this program.
    return file.used_ns + lease_unused_ns_max < now || file.bytes > bytes_max_;
  };
  const auto remove_expired = [&](std::vector<LeaseFile>& some) {
    std::erase_if(some, [&](const LeaseFile& file) {
      const bool expired = has_expired(file);
      if (expired) remove(file);
      return expired;
    });
  };
  remove_expired(files.leases);
  remove_expired(files.listings);
  if (files.bytes <= bytes_max) return files.bytes;
  const std::uint64_t wanted = bytes_max - bytes_max / spare_part;
  std::size_t listing = 0;
  for (std::size_t lease = 0;; ++lease) {
    const bool is_left = lease < files.leases.size();
    const std::int64_t oldest_ns =
        is_left ? files.leases[lease].used_ns : std::numeric_limits<std::int64_t>::max();
    for (; listing < files.listings.size() && files.listings[listing].used_ns < oldest_ns; ++listing) {
      if (files.bytes <= wanted) return files.bytes;
      if (files.listings[listing].name != retained) remove(files.listings[listing]);
    }
    if (!is_left || files.bytes <= wanted) return files.bytes;
    remove(files.leases[lease]);
  }
}

}  // namespace snapgen::core
