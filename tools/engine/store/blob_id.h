#pragma once
// BlobId: the SHA-256 of a content, by which the store, manifests and leases name it.
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
  // From its text form; nothing else is taken.
  static std::optional<BlobId> from_text(std::string_view text);

  auto operator<=>(const BlobId&) const = default;
};

BlobId blob_id_of(std::string_view bytes);

// Digests are evenly spread already.
struct BlobIdHash {
  std::size_t operator()(const BlobId& id) const {
    std::size_t value;
    std::memcpy(&value, id.digest.data(), sizeof value);
    return value;
  }
};

}  // namespace snapgen::core
