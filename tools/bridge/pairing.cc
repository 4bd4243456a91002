#include "tools/bridge/pairing.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/base/random.h"

namespace snapgen::core {
namespace {

constexpr std::string_view token_prefix = "snap-mcp-";
constexpr std::string_view reconnect_token_prefix = "reconnect-";
constexpr std::size_t uuid_bytes = 36;
constexpr std::size_t code_characters = 6;
constexpr std::size_t session_characters = 12;
// The characters of a code, without those that are easily confused: 0 and O, 1, I and L.
constexpr std::string_view code_alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

// Builds a random UUID (RFC 9562 section 5.4) from 16 random bytes.
std::string uuid_of(std::string bytes) {
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  std::string text = hex(bytes);
  for (const std::size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
  return text;
}

// Returns the six characters of a code that a user typed, or nullopt if it is not a code.
std::optional<std::string> code_of(std::string_view text) {
  std::string code;
  for (const char c : text) {
    if (c == '-' || c == ' ') continue;
    if (!is_alphanumeric(c) || code.size() == code_characters) return std::nullopt;
    code += to_upper(c);
  }
  if (code.size() != code_characters) return std::nullopt;
  return code;
}

std::string shown(const std::string& code) {
  return code.empty() ? code : code.substr(0, 3) + "-" + code.substr(3);
}

}  // namespace

std::string Pairings::signed_text(const Entry& entry) {
  std::string text = "token";
  for (const std::string& part : {entry.uuid, entry.session_id, std::to_string(entry.issued_ms),
                                  std::to_string(entry.expires_ms), std::to_string(entry.permissions)})
    text += "|" + part;
  return text;
}

std::string Pairings::new_code() {
  for (;;) {
    std::string code;
    while (code.size() < code_characters) {
      // Bytes from `even` are not used, the greatest multiple of the alphabet's size up to 256, because they
      // would make some letters more likely.
      constexpr std::size_t even = 256 / code_alphabet.size() * code_alphabet.size();
      const Result<std::string> random = random_bytes(1);
      if (!random) return {};
      const auto byte = static_cast<unsigned char>(random->front());
      if (byte < even) code += code_alphabet[byte % code_alphabet.size()];
    }
    const bool taken = std::ranges::any_of(entries_, [&](const Entry& each) { return each.code == code; });
    if (!taken) return code;
  }
}

Result<Pairing> Pairings::issue(Permissions permissions, bool requested_by_page, std::int64_t now_ms) {
  const std::string random = TRY(random_bytes(16));
  if (!has_open_code(now_ms)) wrong_tries_ = 0;
  Entry entry{.uuid = uuid_of(random),
              .code = new_code(),
              .session_id = "sess_" + random_name(session_characters),
              .permissions = permissions,
              .issued_ms = now_ms,
              .expires_ms = now_ms + lifetime_ms_,
              .requested_by_page = requested_by_page};
  Pairing pairing{.token = std::string(token_prefix) + entry.uuid + "." + signer_->sign(signed_text(entry)),
                  .code = shown(entry.code),
                  .session_id = entry.session_id,
                  .permissions = permissions,
                  .issued_ms = entry.issued_ms,
                  .expires_ms = entry.expires_ms};
  entries_.push_back(std::move(entry));
  if (entries_.size() > entries_max) entries_.pop_front();
  return pairing;
}

std::variant<Grant, PairingRefusal> Pairings::use(Entry& entry, std::int64_t now_ms) {
  if (entry.state == State::used) return PairingRefusal::token_already_used;
  if (now_ms >= entry.expires_ms) return PairingRefusal::token_expired;
  entry.state = State::used;
  return Grant{.session_id = entry.session_id, .permissions = entry.permissions};
}

std::variant<Grant, PairingRefusal> Pairings::redeem(std::string_view text, std::int64_t now_ms) {
  if (!text.starts_with(token_prefix)) {
    const std::optional<std::string> code = code_of(text);
    if (!code) return PairingRefusal::invalid_token;
    return redeem_code(*code, now_ms);
  }
  text.remove_prefix(token_prefix.size());
  if (text.size() <= uuid_bytes || text[uuid_bytes] != '.') return PairingRefusal::invalid_token;
  const auto found = std::ranges::find(entries_, text.substr(0, uuid_bytes), &Entry::uuid);
  if (found == entries_.end()) return PairingRefusal::invalid_token;
  if (!signer_->is_valid_signature(signed_text(*found), text.substr(uuid_bytes + 1)))
    return PairingRefusal::invalid_token;
  return use(*found, now_ms);
}

std::variant<Grant, PairingRefusal> Pairings::redeem_code(std::string_view code, std::int64_t now_ms) {
  Entry* found = nullptr;
  for (Entry& each : entries_)
    if (constant_time_equal(each.code, code)) found = &each;
  if (found && found->voided && found->state == State::open && now_ms < found->expires_ms)
    return PairingRefusal::code_void;
  if (found) return use(*found, now_ms);
  if (++wrong_tries_ >= tries_max_) {
    for (Entry& each : entries_) each.voided = true;
    wrong_tries_ = 0;
  }
  return PairingRefusal::invalid_token;
}

bool Pairings::has_open_code(std::int64_t now_ms) const {
  const auto is_open = [now_ms](const Entry& each) {
    return each.state == State::open && !each.voided && now_ms < each.expires_ms;
  };
  return std::ranges::any_of(entries_, is_open);
}

std::vector<Pairings::UsablePairing> Pairings::open_pairings(std::int64_t now_ms) const {
  std::vector<UsablePairing> out;
  for (const Entry& each : entries_) {
    if (each.state != State::open || now_ms >= each.expires_ms) continue;
    out.push_back({.code = each.voided ? std::string() : shown(each.code),
                   .permissions = each.permissions,
                   .expires_ms = each.expires_ms,
                   .requested_by_page = each.requested_by_page});
  }
  return out;
}

std::string Pairings::reconnect_token(const ReconnectToken& of) const {
  const std::string body = of.session_id + "." + std::to_string(of.generation);
  return std::string(reconnect_token_prefix) + body + "." + signer_->sign("comeback|" + body);
}

std::optional<ReconnectToken> Pairings::read_reconnect_token(std::string_view token) const {
  if (!token.starts_with(reconnect_token_prefix)) return std::nullopt;
  token.remove_prefix(reconnect_token_prefix.size());
  const std::size_t end = token.rfind('.');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string body(token.substr(0, end));
  if (!signer_->is_valid_signature("comeback|" + body, token.substr(end + 1))) return std::nullopt;
  const std::size_t dot = body.find('.');
  ReconnectToken out{.session_id = body.substr(0, dot)};
  std::from_chars(body.data() + dot + 1, body.data() + body.size(), out.generation);
  return out;
}

}  // namespace snapgen::core
