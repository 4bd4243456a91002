#include "tools/engine/git/content.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/engine/git/clean.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t buffer_bytes = 256u << 10;
// The limit for a conversion, which has the whole content in memory.
constexpr std::int64_t convert_bytes_max = 512ll << 20;

}  // namespace

Result<ContentAnswer> IndexContentCheck::compare(const IndexEntry& entry, const struct stat& status) {
  const HashKind kind = attributes_.format().kind;
  const std::string path(entry.path);
  if ((entry.mode & mode_type) == mode_symlink) {
    const std::optional<std::string> target = read_link_at(root_fd_, path.c_str());
    const bool same = target && object_oid(kind, "blob", *target).bytes() == entry.oid;
    return ContentAnswer{.same = same, .doubt = {}};
  }
  Cleaning cleaning = TRY(attributes_.cleaning(entry.path));
  if (!cleaning.doubt.empty()) return ContentAnswer{.same = false, .doubt = cleaning.doubt};

  ContentProof proof{.oid = Oid::of(entry.oid),
                     .stat = file_stat(status),
                     .line_ends = static_cast<std::uint8_t>(cleaning.line_ends),
                     .ident = cleaning.ident,
                     .same = true};
  {
    const std::lock_guard lock(state_.mutex);
    const auto known = state_.proofs.find(path);
    if (known != state_.proofs.end() && known->second.is_about(proof)) {
      return ContentAnswer{.same = known->second.same, .doubt = {}};
    }
  }
  const std::int64_t now = file_clock_ns();
  Result<ContentAnswer> answer = compare_file(entry, status, cleaning);
  if (!answer || !answer->doubt.empty() || !is_stable(proof.stat, now)) return answer;
  proof.same = answer->same;
  const std::lock_guard lock(state_.mutex);
  state_.proofs[path] = proof;
  return answer;
}

Result<ContentAnswer> IndexContentCheck::compare_file(const IndexEntry& entry, const struct stat& status,
                                                      const Cleaning& cleaning) {
  const HashKind kind = attributes_.format().kind;
  const std::string path(entry.path);
  if (cleaning.changes_nothing()) {
    const Fd fd(openat(root_fd_, path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK));
    if (!fd) return ContentAnswer{};
    const bool same = kind == HashKind::sha1 ? streams_to<Sha1>(fd.get(), status.st_size, entry.oid)
                                             : streams_to<Sha256>(fd.get(), status.st_size, entry.oid);
    return ContentAnswer{.same = same, .doubt = {}};
  }
  if (status.st_size > convert_bytes_max) {
    return ContentAnswer{.same = false, .doubt = "a file to be converted is very large"};
  }
  FileBytes file = read_file_at(root_fd_, path.c_str());
  if (file.error != 0) return ContentAnswer{};
  const auto indexed = [&]() -> Result<std::string> {
    std::optional<ObjectDatabase::Object> blob = TRY(read_object(state_, Oid::of(entry.oid)));
    return blob ? std::move(blob->content) : std::string();
  };
  if (cleaning.line_ends == Cleaning::LineEnds::guess && kind != HashKind::sha1) {
    return ContentAnswer{.same = false, .doubt = "line ends are guessed in a SHA-256 repository"};
  }
  const std::string bytes = TRY(cleaned(std::move(file.bytes), cleaning, indexed));
  return ContentAnswer{.same = object_oid(kind, "blob", bytes).bytes() == entry.oid, .doubt = {}};
}

template <class H>
bool IndexContentCheck::streams_to(int fd, std::int64_t size, std::string_view oid) {
  H hasher;
  std::string head = "blob ";
  head += std::to_string(size);
  head += '\0';
  hasher.update(head);
  buffer_.resize(buffer_bytes);
  std::int64_t total = 0;
  for (;;) {
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
