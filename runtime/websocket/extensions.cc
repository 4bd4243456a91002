#include "runtime/websocket/extensions.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "runtime/base/ascii.h"

namespace snapgen::websocket {
namespace {

struct Parameter {
  std::string name;
  std::optional<std::string> value;
};

struct Offer {
  std::string name;
  std::vector<Parameter> parameters;
};

// Parses the value of Sec-WebSocket-Extensions. Every function returns false on a syntax error.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  bool read(std::vector<Offer>& offers) {
    for (;;) {
      skip_blanks();
      if (left_.empty()) return !offers.empty();
      if (take(',')) continue;  // Lists may have empty elements (RFC 9110 section 5.6.1).
      Offer& offer = offers.emplace_back();
      if (!token(offer.name)) return false;
      if (!parameters(offer)) return false;
      if (!left_.empty() && !take(',')) return false;
    }
  }

 private:
  bool parameters(Offer& offer) {
    for (skip_blanks(); take(';'); skip_blanks()) {
      skip_blanks();
      Parameter& parameter = offer.parameters.emplace_back();
      if (!token(parameter.name)) return false;
      skip_blanks();
      if (!take('=')) continue;
      skip_blanks();
      parameter.value.emplace();
      if (!(take('"') ? quoted(*parameter.value) : token(*parameter.value))) return false;
    }
    return true;
  }
  bool token(std::string& out) {
    const auto end = std::ranges::find_if_not(left_, is_http_token_byte);
    out.assign(left_.begin(), end);
    left_.remove_prefix(out.size());
    return !out.empty();
  }
  // Reads a quoted value. The text in quotes must be a token.
  bool quoted(std::string& out) {
    while (!left_.empty()) {
      char byte = left_.front();
      left_.remove_prefix(1);
      if (byte == '"') return !out.empty();
      if (byte == '\\') {
        if (left_.empty()) return false;
        byte = left_.front();
        left_.remove_prefix(1);
      }
      if (!is_http_token_byte(byte)) return false;
      out.push_back(byte);
    }
    return false;
  }
  bool take(char byte) {
    if (!left_.starts_with(byte)) return false;
    left_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    while (left_.starts_with(' ') || left_.starts_with('\t')) left_.remove_prefix(1);
  }

  std::string_view left_;
};

// Parses a number from 8 to 15 without leading zeros.
std::optional<std::uint8_t> window_bits(std::string_view value) {
  unsigned bits = 0;
  const std::from_chars_result read = std::from_chars(value.data(), value.data() + value.size(), bits);
  const bool number =
      read.ec == std::errc() && read.ptr == value.data() + value.size() && value.front() != '0';
  if (!number || bits < 8 || bits > 15) return std::nullopt;
  return static_cast<std::uint8_t>(bits);
}

// zlib's compressor needs at least 9. It would use 9 instead of 8, which the client may not support.
constexpr std::uint8_t window_bits_min = 9;

// Returns the terms for a client's offer, or nullopt if the server declines it.
std::optional<DeflateParameters> accept(const Offer& offer, const DeflatePolicy& policy) {
  DeflateParameters terms{.server_keeps_context = policy.keep_context,
                          .client_keeps_context = policy.keep_context};
  terms.server_window_bits = std::clamp<std::uint8_t>(policy.window_bits, window_bits_min, 15);
  const std::uint8_t own_bits = terms.server_window_bits;
  std::uint8_t client_bits = 15;
  std::vector<std::string_view> seen;
  for (const Parameter& parameter : offer.parameters) {
    if (std::ranges::find(seen, parameter.name) != seen.end()) return std::nullopt;
    seen.push_back(parameter.name);
    std::optional<std::uint8_t> bits;
    if (parameter.value) bits = window_bits(*parameter.value);
    if (parameter.name == "server_no_context_takeover" && !parameter.value) {
      terms.server_keeps_context = false;
    } else if (parameter.name == "client_no_context_takeover" && !parameter.value) {
      terms.client_keeps_context = false;
    } else if (parameter.name == "server_max_window_bits" && bits && *bits >= window_bits_min) {
      terms.server_window_bits = std::min(own_bits, *bits);
    } else if (parameter.name == "client_max_window_bits" && (bits || !parameter.value)) {
      // The server may send client_max_window_bits only to a client that offered it.
      client_bits = std::min<std::uint8_t>(own_bits, bits.value_or(15));
      terms.client_window_bits = std::max(window_bits_min, client_bits);
    } else {
      return std::nullopt;
    }
  }
  terms.response_field = "permessage-deflate";
  if (!terms.server_keeps_context) terms.response_field += "; server_no_context_takeover";
  if (!terms.client_keeps_context) terms.response_field += "; client_no_context_takeover";
  if (terms.server_window_bits < 15)
    terms.response_field += "; server_max_window_bits=" + std::to_string(terms.server_window_bits);
  if (client_bits < 15) terms.response_field += "; client_max_window_bits=" + std::to_string(client_bits);
  return terms;
}

}  // namespace

ExtensionAgreement negotiate_extensions(std::string_view offers, const DeflatePolicy& policy) {
  std::vector<Offer> read;
  if (!Reader(offers).read(read)) return {.malformed = true};
  if (!policy.is_enabled) return {};
  for (const Offer& offer : read) {
    if (offer.name != "permessage-deflate") continue;
    if (std::optional<DeflateParameters> terms = accept(offer, policy)) return {.terms = std::move(terms)};
  }
  return {};
}

}  // namespace snapgen::websocket
