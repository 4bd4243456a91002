#pragma once
// SHA-256 (snapshots, blobs, status) and SHA-1 (git objects) by OpenSSL's code. A hasher belongs to one
// thread at a time; different hashers are independent.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

enum class HashKind : std::uint8_t { sha1, sha256 };

constexpr std::size_t digest_size(HashKind kind) { return kind == HashKind::sha1 ? 20 : 32; }

template <HashKind kind>
class Hasher {
 public:
  using Digest = std::array<std::uint8_t, digest_size(kind)>;

  Hasher();
  void update(std::string_view bytes);
  Digest digest();  // Ends the message and resets the hasher for a new one.

 private:
  alignas(std::uint64_t) std::array<std::byte, 112> state_;  // OpenSSL's SHA_CTX or SHA256_CTX.
};

extern template class Hasher<HashKind::sha1>;
extern template class Hasher<HashKind::sha256>;
using Sha1 = Hasher<HashKind::sha1>;
using Sha256 = Hasher<HashKind::sha256>;

Sha256::Digest sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);  // 64 lower-case digits

// Views a digest as text, for snapgen::hex() and for comparisons.
template <std::size_t size>
std::string_view bytes_of(const std::array<std::uint8_t, size>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), size};
}

// Returns the digest of each message: faster than one by one if the processor has AVX-512. Most efficient for
// hundreds of messages, or megabytes, a call.
std::vector<Sha256::Digest> sha256_of_each(std::span<const std::string_view> messages);

}  // namespace snapgen::core
