#include "tools/engine/git/repository/commit_tree.h"

#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/base/fd.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t commit_bytes_max = 64u << 10;
constexpr std::size_t oid_bytes = 20;

// Decompresses the zlib stream at the start of `packed`, if the result has at most `bytes_max` bytes.
std::optional<std::string> inflated(std::string_view packed, std::size_t bytes_max) {
  std::string out(bytes_max, '\0');
  uLongf size = out.size();
  const int done = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (done != Z_OK) return std::nullopt;
  out.resize(size);
  return out;
}

// Returns the content of a loose commit.
std::optional<std::string> loose_commit(const std::string& folder, const std::string& hex) {
  const FileBytes file =
      read_file(folder + "/" + hex.substr(0, 2) + "/" + hex.substr(2), {.bytes_max = commit_bytes_max});
  if (file.error != 0) return std::nullopt;
  std::optional<std::string> object = inflated(file.bytes, commit_bytes_max);
  if (!object || !object->starts_with("commit ")) return std::nullopt;
  const std::size_t end = object->find('\0');
  if (end == std::string::npos) return std::nullopt;
  return object->substr(end + 1);
}

// Random access to a file. It is not mapped: if another process truncates a mapped file, an access kills this
// process.
class TreePlaces {
 public:
  explicit TreePlaces(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}

  // Returns at most `count` bytes from `offset` on; empty at the end of the file.
  std::string_view at(std::uint64_t offset, std::size_t count) {
    buffer_.resize(count);
    const ssize_t got = fd_ ? pread(fd_.get(), buffer_.data(), count, static_cast<off_t>(offset)) : 0;
    return std::string_view(buffer_).substr(0, got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  std::optional<std::uint32_t> number(std::uint64_t offset) {
    std::uint32_t value = 0;
    const std::string_view bytes = at(offset, sizeof value);
    if (bytes.size() != sizeof value) return std::nullopt;
    std::memcpy(&value, bytes.data(), sizeof value);
    return __builtin_bswap32(value);
  }

 private:
  Fd fd_;
  std::string buffer_;
};

// Returns the object's offset in its pack, from a pack index of version 2 (gitformat-pack(5)).
std::optional<std::uint64_t> offset_in(const std::string& index_path, std::string_view oid) {
  constexpr std::uint64_t fanout_at = 8;
  constexpr std::uint64_t names_at = fanout_at + 256 * 4;
  constexpr std::uint32_t magic = 0xff744f63;
  TreePlaces index(index_path);
  if (index.number(0) != magic || index.number(4) != 2) return std::nullopt;
  const auto first_byte = static_cast<unsigned char>(oid[0]);
  const std::optional<std::uint32_t> first =
      first_byte == 0 ? 0 : index.number(fanout_at + (first_byte - 1) * 4);
  const std::optional<std::uint32_t> last = index.number(fanout_at + first_byte * 4);
  const std::optional<std::uint32_t> count = index.number(names_at - 4);
  if (!first || !last || !count || *first > *last || *last > *count) return std::nullopt;
  std::uint64_t begin = *first;
  for (std::uint64_t end = *last; begin < end;) {
    const std::uint64_t middle = (begin + end) / 2;
    if (index.at(names_at + middle * oid_bytes, oid_bytes) < oid) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == *last || index.at(names_at + begin * oid_bytes, oid_bytes) != oid) return std::nullopt;
  const std::uint64_t offsets_at = names_at + std::uint64_t{*count} * (oid_bytes + 4);
  const std::optional<std::uint32_t> offset = index.number(offsets_at + begin * 4);
  constexpr std::uint32_t is_large = 0x80000000;
  if (!offset || (*offset & is_large) == 0) return offset;
  const std::uint64_t large_at =
      offsets_at + std::uint64_t{*count} * 4 + std::uint64_t{*offset & ~is_large} * 8;
  const std::optional<std::uint32_t> high = index.number(large_at);
  const std::optional<std::uint32_t> low = index.number(large_at + 4);
  if (!high || !low) return std::nullopt;
  return std::uint64_t{*high} << 32 | *low;
}

// Returns the content of a commit that the pack stores whole.
std::optional<std::string> packed_commit(const std::string& pack_path, std::uint64_t offset) {
  constexpr int type_commit = 1;
  TreePlaces pack(pack_path);
  std::string_view rest = pack.at(offset, commit_bytes_max);
  // The header has the type and the size: four bits of the size, then seven in each further byte.
  std::uint64_t size = 0;
  int type = 0;
  for (int shift = 0;; shift += shift == 0 ? 4 : 7) {
    if (rest.empty() || shift > 32) return std::nullopt;
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    if (shift == 0) type = byte >> 4 & 7;
    size |= std::uint64_t{byte & (shift == 0 ? 15u : 127u)} << shift;
    if ((byte & 128) == 0) break;
  }
  if (type != type_commit || size > commit_bytes_max) return std::nullopt;
  std::optional<std::string> content = inflated(rest, size);
  if (!content || content->size() != size) return std::nullopt;
  return content;
}

std::optional<std::string> commit_in_packs(const std::string& folder, const Oid& commit) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder + "/pack", error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    if (!path.ends_with(".idx")) continue;
    const std::optional<std::uint64_t> offset = offset_in(path, commit.bytes());
    if (!offset) continue;
    return packed_commit(path.substr(0, path.size() - 3) + "pack", *offset);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Oid> tree_of_commit_content(std::string_view content) {
  // The content begins with "tree <hex>\n".
  const std::size_t line = content.find('\n');
  if (!content.starts_with("tree ") || line == std::string_view::npos) return std::nullopt;
  return Oid::from_hex(content.substr(5, line - 5));
}

std::optional<Oid> tree_of_commit(const std::string& folder, const Oid& commit) {
  if (commit.size != oid_bytes) return std::nullopt;
  std::optional<std::string> content = loose_commit(folder, commit.hex());
  if (!content) content = commit_in_packs(folder, commit);
  if (!content || object_oid(HashKind::sha1, "commit", *content) != commit) return std::nullopt;
  return tree_of_commit_content(*content);
}

}  // namespace snapgen::core::git
