#include "tools/engine/git/walk/content.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/walk/clean.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t buffer_bytes = 256u << 10;
// The limit for a conversion, which has the whole content in memory.
constexpr std::int64_t convert_bytes_max = 512ll << 20;

}  // namespace

Result<ContentComparison> IndexContentCheck::compare(const IndexEntry& entry, const struct stat& status) {
  const HashKind kind = attributes_.format().kind;
  const std::string path(entry.path);
  if ((entry.mode & mode_type_mask) == mode_symlink) {
    const std::optional<std::string> target = read_link_at(root_fd_, path.c_str());
    const bool same = target && object_oid(kind, "blob", *target).bytes() == entry.oid;
    return ContentComparison{.same = same, .fallback_reason = {}};
  }
  ContentConversion conversion = TRY(attributes_.conversion(entry.path));
  if (!conversion.fallback_reason.empty())
    return ContentComparison{.same = false, .fallback_reason = conversion.fallback_reason};

  ContentProof proof{.oid = Oid::from_bytes(entry.oid),
                     .stat = file_stat(status),
                     .line_ends = static_cast<std::uint8_t>(conversion.line_ends),
                     .ident = conversion.ident,
                     .same = true};
  {
    const std::lock_guard lock(repository_state_.mutex);
    const auto known = repository_state_.proofs.find(path);
    if (known != repository_state_.proofs.end() && known->second.has_same_key(proof)) {
      return ContentComparison{.same = known->second.same, .fallback_reason = {}};
    }
  }
  const std::int64_t now = file_clock_ns();
  Result<ContentComparison> answer = compare_file(entry, status, conversion);
  if (!answer || !answer->fallback_reason.empty() || !stat_proves_content(proof.stat, now)) return answer;
  proof.same = answer->same;
  const std::lock_guard lock(repository_state_.mutex);
  repository_state_.proofs[path] = proof;
  return answer;
}

Result<ContentComparison> IndexContentCheck::compare_file(const IndexEntry& entry, const struct stat& status,
                                                          const ContentConversion& conversion) {
  const HashKind kind = attributes_.format().kind;
  const std::string path(entry.path);
  if (conversion.changes_nothing()) {
    const Fd fd(openat(root_fd_, path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK));
    if (!fd) return ContentComparison{};
    const bool same = kind == HashKind::sha1 ? hash_matches<Sha1>(fd.get(), status.st_size, entry.oid)
                                             : hash_matches<Sha256>(fd.get(), status.st_size, entry.oid);
    if (stop_.stop_requested()) return cancelled_call_error();
    return ContentComparison{.same = same, .fallback_reason = {}};
  }
  if (status.st_size > convert_bytes_max) {
    return ContentComparison{.same = false, .fallback_reason = "a file to be converted is very large"};
  }
  const FileLimit limit{.bytes_max = convert_bytes_max, .may_be_sparse = true};
  FileBytes file = read_file_at(root_fd_, path.c_str(), limit);
  if (file.error != 0) return ContentComparison{};
  const auto indexed = [&]() -> Result<std::string> {
    std::optional<ObjectDatabase::Object> blob =
        TRY(read_object(repository_state_, Oid::from_bytes(entry.oid)));
    return blob ? std::move(blob->content) : std::string();
  };
  if (conversion.line_ends == ContentConversion::LineEnds::detect && kind != HashKind::sha1) {
    return ContentComparison{.same = false,
                             .fallback_reason = "line ends are guessed in a SHA-256 repository"};
  }
  const std::string bytes = TRY(cleaned_content(std::move(file.bytes), conversion, indexed));
  return ContentComparison{.same = object_oid(kind, "blob", bytes).bytes() == entry.oid,
                           .fallback_reason = {}};
}

template <class H>
bool IndexContentCheck::hash_matches(int fd, std::int64_t size, std::string_view oid) {
  H hasher;
  std::string head = "blob ";
  head += std::to_string(size);
  head += '\0';
  hasher.update(head);
  buffer_.resize(buffer_bytes);
  std::int64_t total = 0;
  while (!stop_.stop_requested()) {
    const ssize_t got = read(fd, buffer_.data(), buffer_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    hasher.update(std::string_view(buffer_).substr(0, static_cast<std::size_t>(got)));
    total += got;
  }
  const typename H::Digest digest = hasher.digest();
  return total == size && bytes_of(digest) == oid;
}

}  // namespace snapgen::core::git
