#pragma once
// Sealer: encrypts texts that leave this process and return from an untrusted party, which must neither read
// nor change them. It uses authenticated encryption (XChaCha20-Poly1305 of libsodium, RFC 8439 with a 192-bit
// nonce) with a random key that never leaves the process.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen {

class Sealer {
 public:
  // Errors: internal (the system provides no random numbers).
  static Result<std::unique_ptr<Sealer>> create();
  Sealer(Sealer&&) = delete;
  ~Sealer();

  // Returns URL-safe base64 without padding. It opens only with the same `context`, which is not included.
  std::string seal(std::string_view text, std::string_view context) const;
  // Errors: permission_denied (sealed by another process or for another context, or changed).
  Result<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Sealer() = default;
  std::array<unsigned char, 32> key_{};
};

// Signer: signs texts that leave this process in plain form and return from an untrusted party, which must
// not forge them: HMAC-SHA-512/256 of libsodium (RFC 2104, crypto_auth).
class Signer {
 public:
  // The key is derived from `secret`, which may have any length. If it is empty, the key is random and lost
  // with the signer. Errors: internal (the system provides no random numbers).
  static Result<std::unique_ptr<Signer>> create(std::string_view secret);
  Signer(Signer&&) = delete;
  ~Signer();

  std::string sign(std::string_view text) const;  // 64 hexadecimal digits
  // Compares in constant time.
  bool is_signed(std::string_view text, std::string_view signature) const;

 private:
  Signer() = default;
  std::array<unsigned char, 32> key_{};
};

// Returns random bytes for keys and unguessable names. Errors: internal.
Result<std::string> secret_bytes(std::size_t bytes);

// Compares for equality in a time that depends only on the length.
bool same_secret(std::string_view a, std::string_view b);

// Detects torn or damaged bytes: SipHash-2-4 with a public key. It does not protect against an attacker.
std::array<std::uint8_t, 8> checksum(std::string_view bytes);

// BLAKE2b-256 of a list of parts. Each is hashed with its length, so that different lists have different
// digests.
class Digest {
 public:
  Digest();
  Digest(Digest&&) = delete;
  Digest& add(std::string_view part);
  std::string bytes();  // Once, at the end.

 private:
  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
};

}  // namespace snapgen
