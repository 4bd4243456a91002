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
  // Creates a sealer with a random key. Errors: internal (the system provides no random numbers).
  static Result<std::unique_ptr<Sealer>> create();
  Sealer(Sealer&&) = delete;
  ~Sealer();

  // Encrypts `text`, and returns URL-safe base64 without padding. open() needs the same `context`, which the
  // result does not contain.
  std::string seal(std::string_view text, std::string_view context) const;
  // Decrypts what seal() returned. Errors: permission_denied (from another process or context, or changed).
  Result<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Sealer() = default;
  std::array<unsigned char, 32> key_{};
};

// Signer: signs texts that leave this process unencrypted and return from an untrusted party, which must not
// be able to forge them. It uses HMAC-SHA-512/256 of libsodium (RFC 2104, crypto_auth).
class Signer {
 public:
  // Creates a signer with a key derived from `secret`, which may have any length. If `secret` is empty, the
  // key is random, and is lost with the signer. Errors: internal (the system provides no random numbers).
  static Result<std::unique_ptr<Signer>> create(std::string_view secret);
  Signer(Signer&&) = delete;
  ~Signer();

  std::string sign(std::string_view text) const;  // returns 64 hexadecimal digits
  // Whether sign(text) returned this signature. Compares in constant time.
  bool is_valid_signature(std::string_view text, std::string_view signature) const;

 private:
  Signer() = default;
  std::array<unsigned char, 32> key_{};
};

// Returns random bytes for keys and unguessable names. Errors: internal (no random numbers).
Result<std::string> random_bytes(std::size_t bytes);

// Whether two secrets are equal, in a time that depends only on their length.
bool constant_time_equal(std::string_view a, std::string_view b);

// Returns a checksum to detect damaged data, not attacks: SipHash-2-4 with a public key.
std::array<std::uint8_t, 8> checksum(std::string_view bytes);

// The BLAKE2b-256 digest of a list of parts. Each part is hashed with its length, so that ("ab", "c") and
// ("a", "bc") have different digests.
class Digest {
 public:
  Digest();
  Digest(Digest&&) = delete;
  Digest& add(std::string_view part);
  std::string bytes();  // Call it once, after the last add().

 private:
  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
};

}  // namespace snapgen
