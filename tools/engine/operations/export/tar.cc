#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <numeric>
#include <optional>

#include "runtime/json/reader.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/export/bundle.h"
#include "tools/engine/operations/export/export.h"

namespace snapgen::core {
namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t name_bytes_max = 100;
constexpr std::size_t prefix_bytes_max = 155;
constexpr std::uint64_t size_max = (std::uint64_t{8} << 30) - 1;  // The maximum of 11 octal digits.

// The header format of POSIX (pax(1), "ustar Interchange Format").
struct Header {
  char name[100];
  char mode[8];
  char owner[8];
  char group[8];
  char size[12];
  char time[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[6];
  char version[2];
  char owner_name[32];
  char group_name[32];
  char device_major[8];
  char device_minor[8];
  char prefix[155];
  char rest[12];
};
static_assert(sizeof(Header) == block_bytes);

template <std::size_t size>
void set_field(char (&field)[size], std::string_view text) {
  std::memcpy(field, text.data(), std::min(size, text.size()));
}

// Writes octal digits up to the end of the field, and a NUL.
template <std::size_t size>
void put_octal(char (&field)[size], std::uint64_t value) {
  for (std::size_t i = size - 1; i-- > 0; value /= 8) field[i] = static_cast<char>('0' + value % 8);
}

// The position of the slash between prefix and name; 0 if the path fits as name; nullopt if no cut fits.
std::optional<std::size_t> name_split(std::string_view path) {
  if (path.size() <= name_bytes_max) return 0;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    if (slash > prefix_bytes_max) break;
    if (path.size() - slash - 1 <= name_bytes_max) return slash;
  }
  return std::nullopt;
}

std::size_t padded(std::uint64_t size) { return (size + block_bytes - 1) / block_bytes * block_bytes; }

void append_header(std::string& out, std::string_view path, char type, std::uint32_t mode, std::uint64_t size,
                   std::string_view link) {
  Header header;
  std::memset(&header, 0, sizeof header);
  std::optional<std::size_t> cut = name_split(path);
  if (!cut) {
    // Readers that do not support pax headers see only the base name.
    set_field(header.name, base_name(path));
  } else if (*cut == 0) {
    set_field(header.name, path);
  } else {
    set_field(header.prefix, path.substr(0, *cut));
    set_field(header.name, path.substr(*cut + 1));
  }
  put_octal(header.mode, mode);
  put_octal(header.owner, 0);
  put_octal(header.group, 0);
  // A larger size is in a pax record; GNU tar and Python also write 0 here.
  put_octal(header.size, size <= size_max ? size : 0);
  put_octal(header.time, 0);
  header.type = type;
  set_field(header.link, link);
  set_field(header.magic, "ustar");
  set_field(header.version, "00");
  put_octal(header.device_major, 0);
  put_octal(header.device_minor, 0);
  // The checksum counts its own field as spaces, and ends in NUL and space.
  std::memset(header.checksum, ' ', sizeof header.checksum);
  std::array<unsigned char, block_bytes> bytes;
  std::memcpy(bytes.data(), &header, block_bytes);
  std::uint32_t sum = std::accumulate(bytes.begin(), bytes.end(), 0u);
  for (std::size_t i = 6; i-- > 0; sum /= 8) header.checksum[i] = static_cast<char>('0' + sum % 8);
  header.checksum[6] = '\0';
  out.append(reinterpret_cast<const char*>(&header), block_bytes);
}

// Formats a pax record, `length key=value\n`, where the length includes itself.
std::string record(std::string_view key, std::string_view value) {
  std::size_t bare = key.size() + value.size() + 3;
  std::size_t length = bare + std::to_string(bare).size();
  if (bare + std::to_string(length).size() != length) ++length;
  return std::to_string(length) + " " + std::string(key) + "=" + std::string(value) + "\n";
}

// The pax records for values that do not fit into an entry's header.
std::string records_of(std::string_view path, std::uint64_t size, std::string_view link) {
  bool long_path = !name_split(path);
  bool long_link = link.size() > name_bytes_max;
  std::string records;
  // Values of pax records are UTF-8 unless hdrcharset is BINARY.
  if ((long_path && !json::valid_utf8(path)) || (long_link && !json::valid_utf8(link)))
    records += record("hdrcharset", "BINARY");
  if (long_link) records += record("linkpath", link);
  if (long_path) records += record("path", path);
  if (size > size_max) records += record("size", std::to_string(size));
  return records;
}

void pad(std::string& out) { out.resize(padded(out.size()), '\0'); }

}  // namespace

std::string tar_header_blocks(const ManifestEntry& entry, std::uint64_t size, std::string_view link) {
  std::string out;
  std::string records = records_of(entry.path, size, link);
  if (!records.empty()) {
    std::string name = "PaxHeaders/" + std::string(base_name(entry.path));
    append_header(out, name.substr(0, name_bytes_max), 'x', 0644, records.size(), "");
    out += records;
    pad(out);
  }
  if (entry.mode == FileMode::symlink) {
    append_header(out, entry.path, '2', 0777, 0, link);
  } else {
    append_header(out, entry.path, '0', entry.mode == FileMode::executable ? 0755 : 0644, size, "");
  }
  return out;
}

Result<std::string> tar_of(const ExportSource& files, std::uint64_t bytes_max, const std::stop_token& stop) {
  assert(std::ranges::is_sorted(files.entries, {}, &ManifestEntry::path));
  // Computes the size first, from sizes and names; only symlinks are read.
  std::uint64_t total = 2 * block_bytes;
  std::vector<std::string> links(files.entries.size());
  for (std::size_t i = 0; i < files.entries.size(); ++i) {
    const ManifestEntry& entry = files.entries[i];
    std::uint64_t size = TRY(files.size_of(entry));
    if (entry.mode == FileMode::symlink) {
      links[i] = TRY(files.read(entry));
      size = 0;
    }
    total += tar_header_blocks(entry, size, links[i]).size() + padded(size);
  }
  if (total > bytes_max) return too_large_to_export_error(total, bytes_max, false);

  std::string out;
  // The reservation is limited, because the sizes are from an index on disk, which may be damaged.
  out.reserve(std::min(total, export_bytes_limit));
  for (std::size_t i = 0; i < files.entries.size(); ++i) {
    if (stop.stop_requested()) return cancelled_call_error();
    const ManifestEntry& entry = files.entries[i];
    if (entry.mode == FileMode::symlink) {
      out += tar_header_blocks(entry, 0, links[i]);
      continue;
    }
    std::string bytes = TRY(files.read(entry));
    out += tar_header_blocks(entry, bytes.size(), "");
    out += bytes;
    pad(out);
  }
  out.append(2 * block_bytes, '\0');
  return out;
}

}  // namespace snapgen::core
