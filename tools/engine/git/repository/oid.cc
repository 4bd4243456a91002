#include "tools/engine/git/repository/oid.h"

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::core::git {
namespace {

template <class H>
Oid hashed(std::string_view type, std::string_view content) {
  H hasher;
  std::string head(type);
  head += ' ';
  head += std::to_string(content.size());
  head += '\0';
  hasher.update(head);
  hasher.update(content);
  return Oid::from_bytes(bytes_of(hasher.digest()));
}

}  // namespace

std::optional<Oid> Oid::from_hex(std::string_view digits) {
  if (digits.size() != 40 && digits.size() != 64) return std::nullopt;
  Oid oid;
  oid.size = static_cast<std::uint8_t>(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_value(digits[i]);
    const int low = hex_value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    oid.data[i / 2] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return oid;
}

std::string Oid::hex() const { return snapgen::hex(bytes()); }

Oid object_oid(HashKind kind, std::string_view type, std::string_view content) {
  return kind == HashKind::sha1 ? hashed<Sha1>(type, content) : hashed<Sha256>(type, content);
}

std::uint32_t canonical_mode(std::uint32_t mode) {
  switch (mode & mode_type_mask) {
    case mode_regular: return mode_regular | ((mode & 0100) != 0 ? 0755 : 0644);
    case mode_symlink: return mode_symlink;
    case mode_folder: return mode_folder;
    default: return mode_gitlink;
  }
}

Oid empty_blob_oid(HashKind kind) { return object_oid(kind, "blob", ""); }
Oid empty_tree_oid(HashKind kind) { return object_oid(kind, "tree", ""); }

}  // namespace snapgen::core::git
