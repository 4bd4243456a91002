#pragma once
// Pairings verify that a browser's user was asked to connect it. A token is random, signed, bound to a
// session and its permissions, and valid once, for some minutes. A short code can be used in place of a
// token; a few wrong codes void all open ones. Nothing here is logged. Only a token's random part is stored,
// which is useless without the signature.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/seal/seal.h"

namespace snapgen::core {

// The permissions of a session, one bit each.
using Permissions = std::uint32_t;

enum class PairingRefusal : std::uint8_t {
  code_void,  // The code is right, but wrong ones have made it void.
  connection_limit,
  invalid_token,
  token_already_used,
  token_expired,
  version_mismatch,
};

// A pairing that waits for its browser. It contains secrets.
struct Pairing {
  std::string token;  // The token, in the form snap-mcp-UUID.SIGNATURE.
  std::string code;   // The code for the user, in the form ABC-234.
  std::string session_id;
  Permissions permissions = 0;
  std::int64_t issued_ms = 0;  // Like all times here, in milliseconds since 1970.
  std::int64_t expires_ms = 0;
};

struct Grant {
  std::string session_id;
  Permissions permissions = 0;
};

// The content of a reconnect token whose signature is valid.
struct ReconnectToken {
  std::string session_id;
  std::uint64_t generation = 0;
};

class Pairings {
 public:
  Pairings(std::unique_ptr<Signer> signer, std::int64_t lifetime_ms, std::int64_t tries)
      : signer_(std::move(signer)), lifetime_ms_(lifetime_ms), tries_max_(tries) {}

  // Creates a pairing. `requested_by_page` is true if the web page, and not the host, requested it. Errors:
  // internal.
  Result<Pairing> issue(Permissions permissions, bool requested_by_page, std::int64_t now_ms);

  // Redeems a token or a code, which cannot be used again. A wrong code counts as a try.
  std::variant<Grant, PairingRefusal> redeem(std::string_view text, std::int64_t now_ms);

  // A pairing that a browser can still use.
  struct UsablePairing {
    std::string code;  // The code; empty if wrong tries have made it void.
    Permissions permissions = 0;
    std::int64_t expires_ms = 0;
    bool requested_by_page = false;
  };
  std::vector<UsablePairing> open_pairings(std::int64_t now_ms) const;

  std::string reconnect_token(const ReconnectToken& of) const;
  // Returns the content of a token, or nullopt if the signature is invalid.
  std::optional<ReconnectToken> read_reconnect_token(std::string_view token) const;

 private:
  enum class State : std::uint8_t { open, used };
  struct Entry {
    std::string uuid;
    std::string code;  // Six characters, or empty if wrong tries have made it void.
    std::string session_id;
    Permissions permissions = 0;
    std::int64_t issued_ms = 0;
    std::int64_t expires_ms = 0;
    bool requested_by_page = false;
    State state = State::open;
    bool voided = false;  // Wrong tries have made the code void.
  };
  static constexpr std::size_t entries_max = 64;

  static std::string signed_text(const Entry& entry);
  std::variant<Grant, PairingRefusal> use(Entry& entry, std::int64_t now_ms);
  std::variant<Grant, PairingRefusal> redeem_code(std::string_view code, std::int64_t now_ms);
  bool has_open_code(std::int64_t now_ms) const;
  std::string new_code();

  std::unique_ptr<Signer> signer_;
  std::int64_t lifetime_ms_;
  std::int64_t tries_max_;
  std::deque<Entry> entries_;  // All pairings, the oldest first.
  std::int64_t wrong_tries_ = 0;
};

}  // namespace snapgen::core
