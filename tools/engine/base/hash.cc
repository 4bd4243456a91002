#include "tools/engine/base/hash.h"

// OpenSSL's functions for one hash are called directly. The interface that OpenSSL recommends (EVP) needs 1.3
// ms at the first hash, 4 MB of code, and tables that the linker relocates in 85 pages at each start; and
// openssl.cnf, which it reads, can replace or remove algorithms.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "runtime/base/text.h"

namespace snapgen::core {
namespace {

template <HashKind kind>
struct Functions;

template <>
struct Functions<HashKind::sha1> {
  using State = SHA_CTX;
  static constexpr auto start = &SHA1_Init;
  static constexpr auto update = &SHA1_Update;
  static constexpr auto finish = &SHA1_Final;
};

template <>
struct Functions<HashKind::sha256> {
  using State = SHA256_CTX;
  static constexpr auto start = &SHA256_Init;
  static constexpr auto update = &SHA256_Update;
  static constexpr auto finish = &SHA256_Final;
};

template <HashKind kind, std::size_t size>
auto* state_in(std::array<std::byte, size>& bytes) {
  using State = typename Functions<kind>::State;
  static_assert(sizeof(State) <= size && alignof(State) <= alignof(std::uint64_t));
  return reinterpret_cast<State*>(bytes.data());
}

}  // namespace

template <HashKind kind>
Hasher<kind>::Hasher() {
  Functions<kind>::start(state_in<kind>(state_));
}

template <HashKind kind>
void Hasher<kind>::update(std::string_view bytes) {
  Functions<kind>::update(state_in<kind>(state_), bytes.data(), bytes.size());
}

template <HashKind kind>
typename Hasher<kind>::Digest Hasher<kind>::digest() {
  Digest out;
  Functions<kind>::finish(out.data(), state_in<kind>(state_));
  Functions<kind>::start(state_in<kind>(state_));
  return out;
}

template class Hasher<HashKind::sha1>;
template class Hasher<HashKind::sha256>;

Sha256::Digest sha256(std::string_view bytes) {
  Sha256 hasher;
  hasher.update(bytes);
  return hasher.digest();
}

std::string sha256_hex(std::string_view bytes) { return hex(bytes_of(sha256(bytes))); }

}  // namespace snapgen::core
