#pragma once
// Sealer: texts that leave this process, come back from someone who is not trusted, and must not be read or
// changed on the way. Authenticated encryption (XChaCha20-Poly1305 of libsodium, RFC 8439 with a 192-bit
// nonce) with a key that is made at random and never leaves the process.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen {

class Sealer {
 public:
  // Errors: internal (the system gives no random numbers).
  static Result<std::unique_ptr<Sealer>> create();
  Sealer(Sealer&&) = delete;
  ~Sealer();

  // As URL-safe base64 without padding. It opens only together with the same `context`, which is not part of
  // it.
  std::string seal(std::string_view text, std::string_view context) const;
  // Errors: permission_denied (another process's, another context's, or changed).
  Result<std::string> open(std::string_view sealed, std::string_view context) const;

 private:
  Sealer() = default;
  std::array<unsigned char, 32> key_{};
};

// Signer: texts that leave this process readable, come back from someone who is not trusted, and must not
// have been made or changed by anybody else: HMAC-SHA-512/256 of libsodium (RFC 2104, crypto_auth).
class Signer {
 public:
  // The key is derived from `secret`, which may have any length; if it is empty, the key is made at random
  // and dies with the signer. Errors: internal (the system gives no random numbers).
  static Result<std::unique_ptr<Signer>> create(std::string_view secret);
  Signer(Signer&&) = delete;
  ~Signer();

  std::string sign(std::string_view text) const;  // 64 hexadecimal digits
  // In a time that tells nothing of the right signature.
  bool is_signed(std::string_view text, std::string_view signature) const;

 private:
  Signer() = default;
  std::array<unsigned char, 32> key_{};
};

// `bytes` random bytes, fit for keys and names that nobody may guess. Errors: internal.
Result<std::string> secret_bytes(std::size_t bytes);

// Whether they are equal. How long that takes tells nothing of a secret but its length.
bool same_secret(std::string_view a, std::string_view b);

// What finds that bytes of ours were torn or damaged: SipHash-2-4 under a key that everybody knows. Whoever
// means harm makes a right one.
std::array<std::uint8_t, 8> checksum(std::string_view bytes);

// BLAKE2b-256 of the parts, each with its length, so that no two lists have one digest.
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
