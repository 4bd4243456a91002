#pragma once
// Object ids: 20 bytes (SHA-1) or 32 bytes (SHA-256).
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/base/hash.h"

namespace snapgen::core::git {

struct Oid {
  std::array<std::uint8_t, 32> data{};
  std::uint8_t size = 20;

  // `raw`: 20 or 32 bytes.
  static Oid from_bytes(std::string_view raw) {
    Oid oid;
    oid.size = static_cast<std::uint8_t>(raw.size());
    std::copy(raw.begin(), raw.end(), oid.data.begin());
    return oid;
  }
  // Parses exactly 40 or 64 digits, in lower or upper case.
  static std::optional<Oid> from_hex(std::string_view digits);

  std::string_view bytes() const { return {reinterpret_cast<const char*>(data.data()), size}; }
  std::string hex() const;
  bool is_null() const {
    return std::all_of(data.begin(), data.end(), [](std::uint8_t byte) { return byte == 0; });
  }

  bool operator==(const Oid&) const = default;
  auto operator<=>(const Oid&) const = default;
};

// Returns the id of an object of this type ("blob", "tree") and content.
Oid object_oid(HashKind kind, std::string_view type, std::string_view content);

Oid empty_blob_oid(HashKind kind);
Oid empty_tree_oid(HashKind kind);

// File modes as git stores them.
inline constexpr std::uint32_t mode_type_mask = 0170000;
inline constexpr std::uint32_t mode_regular = 0100000;
inline constexpr std::uint32_t mode_symlink = 0120000;
inline constexpr std::uint32_t mode_gitlink = 0160000;
inline constexpr std::uint32_t mode_folder = 0040000;

inline bool is_regular(std::uint32_t mode) { return (mode & mode_type_mask) == mode_regular; }

// Returns the mode as the index stores it; old trees contain other modes.
std::uint32_t canonical_mode(std::uint32_t mode);

}  // namespace snapgen::core::git
