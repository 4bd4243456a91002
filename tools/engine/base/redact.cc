#include "tools/engine/base/redact.h"

#include <algorithm>
#include <array>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::string_view redacted = "[redacted]";
constexpr std::size_t key_bytes_min = 16;  // The size of a key with its prefix. Shorter texts are words.

constexpr std::array<std::string_view, 15> key_prefixes = {
    "sk-",  "sk_",         "pk_live", "rk_live", "ghp_", "gho_", "ghs_", "ghu_",
    "ghr_", "github_pat_", "glpat-",  "xox",     "AKIA", "npm_", "AIza"};
constexpr std::array<std::string_view, 8> secret_names = {"password", "passwd", "secret",  "token",
                                                          "api_key",  "apikey", "api-key", "authorization"};

bool is_word(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }
// Characters that occur in keys: words and base64.
bool is_key(char c) { return is_word(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

bool looks_like_key(std::string_view word) {
  if (word.size() < key_bytes_min) return false;
  if (word.starts_with("eyJ") && std::count(word.begin(), word.end(), '.') == 2) return true;
  return std::any_of(key_prefixes.begin(), key_prefixes.end(),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

bool names_secret(std::string_view word) {
  const std::string lower = to_lower(word);
  return std::any_of(secret_names.begin(), secret_names.end(),
                     [&](std::string_view name) { return lower.ends_with(name); });
}

class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (private_key() || address()) continue;
      if (!is_word(text_[at_])) {
        out_ += text_[at_++];
        continue;
      }
      word();
    }
    return std::move(out_);
  }

 private:
  bool private_key() {
    constexpr std::string_view begin = "-----BEGIN ", end = "-----END ";
    if (!text_.substr(at_).starts_with(begin)) return false;
    const std::size_t last = text_.find(end, at_);
    const std::size_t close = last == std::string_view::npos ? last : text_.find("-----", last + end.size());
    out_ += redacted;
    at_ = close == std::string_view::npos ? text_.size() : close + 5;
    return true;
  }

  // Redacts the password in ://user:password@.
  bool address() {
    constexpr std::string_view begin = "://";
    if (!text_.substr(at_).starts_with(begin)) return false;
    const std::size_t from = at_ + begin.size();
    const std::size_t end = std::min(text_.find_first_of("/?# \t\"'", from), text_.size());
    const std::size_t sign = text_.substr(from, end - from).rfind('@');
    out_ += begin;
    at_ = from;
    if (sign == std::string_view::npos) return true;
    out_ += redacted;
    at_ += sign;
    return true;
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && is_key(text_[end])) ++end;
    if (looks_like_key(text_.substr(at_, end - at_))) {
      out_ += redacted;
      at_ = end;
      return;
    }
    end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view found = text_.substr(at_, end - at_);
    out_ += found;
    at_ = end;
    if (found == "Bearer" || found == "bearer") return value();
    if (names_secret(found)) assigned();
  }

  // Redacts an assigned value: = "...", : '...', =...
  void assigned() {
    std::size_t sign = at_;
    while (sign < text_.size() && (is_space(text_[sign]) || is_quote(text_[sign]) || text_[sign] == '\\'))
      ++sign;
    if (sign == text_.size() || (text_[sign] != '=' && text_[sign] != ':')) return;
    out_ += text_.substr(at_, sign + 1 - at_);
    at_ = sign + 1;
    value();
  }

  void value() {
    while (at_ < text_.size() && is_space(text_[at_])) out_ += text_[at_++];
    // In `Authorization: Bearer x` the second word is the secret.
    for (std::string_view scheme : {"Bearer ", "bearer ", "Basic "}) {
      if (!text_.substr(at_).starts_with(scheme)) continue;
      out_ += scheme;
      at_ += scheme.size();
    }
    if (at_ == text_.size()) return;
    // In JSON within a text, quotes are escaped.
    std::size_t open = at_;
    while (open < text_.size() && text_[open] == '\\') ++open;
    std::size_t end;
    if (open < text_.size() && is_quote(text_[open])) {
      const std::size_t escapes = open - at_;
      out_ += text_.substr(at_, escapes + 1);
      at_ = open + 1;
      end = closing(text_[open], escapes);
    } else {
      end = std::min(text_.find_first_of(" \t,;&|\"'", at_), text_.size());
    }
    if (end > at_) out_ += redacted;
    at_ = end;
  }

  // The position of the quote, or of its escapes, that ends a value here. A quote with more escapes than the
  // opening one belongs to the value.
  std::size_t closing(char quote, std::size_t escapes_max) const {
    for (std::size_t at = text_.find(quote, at_); at != std::string_view::npos;
         at = text_.find(quote, at + 1)) {
      std::size_t begin = at;
      while (begin > at_ && text_[begin - 1] == '\\') --begin;
      if (at - begin <= escapes_max) return begin;
    }
    return text_.size();
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string redact(std::string_view text) { return Redactor(text).run(); }

}  // namespace snapgen::core
