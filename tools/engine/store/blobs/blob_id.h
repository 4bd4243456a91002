#pragma once
// BlobId: the SHA-256 of a content. The store, manifests and leases identify contents by it.
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/base/hash.h"

namespace snapgen::core {

struct BlobId {
  Sha256::Digest digest{};

  std::string hex() const;   // 64 lower-case digits
  std::string text() const;  // sha256:<hex>
  void append_text(std::string& out) const;
  // Parses the text form, and no other. Returns nullopt for anything else.
  static std::optional<BlobId> from_text(std::string_view text);

  auto operator<=>(const BlobId&) const = default;
};

BlobId blob_id_of(std::string_view bytes);

// SHA-256 digests are uniformly distributed, so a prefix serves as hash.
struct BlobIdHash {
  std::size_t operator()(const BlobId& id) const {
    std::size_t value;
    std::memcpy(&value, id.digest.data(), sizeof value);
    return value;
  }
};

}  // namespace snapgen::core
