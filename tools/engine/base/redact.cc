#include "tools/engine/base/redact.h"

#include <algorithm>
#include <array>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::string_view redacted = "[redacted]";
constexpr std::size_t key_bytes_min = 16;  // Shorter texts are words.

// A key of a known service: a prefix, and then at least `size_min` characters of one set, of which one is a
// digit unless all are capital letters.
enum class KeySet : std::uint8_t {
  letters,  // Letters and digits.
  words,    // Also `_` and `-`.
  upper,    // Capital letters and digits.
  hex,      // Hexadecimal digits in lower case.
  dotted,   // As `words`, and dots.
};

struct KeyForm {
  std::string_view prefix;
  KeySet set;
  std::size_t size_min;  // Without the prefix.
};

// The forms that the services document, or that their keys have.
constexpr std::array<KeyForm, 48> key_forms = {{
    {"AKIA", KeySet::upper, 16},              // Amazon Web Services: id of a key
    {"ASIA", KeySet::upper, 16},              // and of a temporary one
    {"ghp_", KeySet::letters, 20},            // GitHub: personal,
    {"gho_", KeySet::letters, 20},            // OAuth,
    {"ghu_", KeySet::letters, 20},            // user to server,
    {"ghs_", KeySet::letters, 20},            // server to server,
    {"ghr_", KeySet::letters, 20},            // refresh,
    {"github_pat_", KeySet::words, 30},       // fine-grained
    {"glpat-", KeySet::words, 16},            // GitLab: personal,
    {"gldt-", KeySet::words, 16},             // deploy,
    {"glrt-", KeySet::words, 16},             // runner
    {"xoxb-", KeySet::words, 16},             // Slack: bot,
    {"xoxp-", KeySet::words, 16},             // user,
    {"xoxa-", KeySet::words, 16},             // workspace,
    {"xoxr-", KeySet::words, 16},             // refresh,
    {"xoxs-", KeySet::words, 16},             // session,
    {"xapp-", KeySet::words, 16},             // application
    {"sk_live_", KeySet::letters, 16},        // Stripe: secret,
    {"sk_test_", KeySet::letters, 16},        // of the test mode,
    {"rk_live_", KeySet::letters, 16},        // restricted,
    {"pk_live_", KeySet::letters, 16},        // publishable,
    {"whsec_", KeySet::letters, 24},          // of a webhook
    {"sk-ant-", KeySet::words, 16},           // Anthropic
    {"sk-proj-", KeySet::words, 16},          // OpenAI: of a project,
    {"sk-svcacct-", KeySet::words, 16},       // of a service account,
    {"sk-", KeySet::letters, 20},             // of a user
    {"AIza", KeySet::words, 35},              // Google: API,
    {"ya29.", KeySet::words, 20},             // OAuth,
    {"GOCSPX-", KeySet::words, 20},           // secret of a client
    {"npm_", KeySet::letters, 36},            // npm
    {"pypi-", KeySet::words, 50},             // PyPI
    {"SG.", KeySet::dotted, 40},              // SendGrid
    {"dop_v1_", KeySet::hex, 64},             // DigitalOcean: personal,
    {"doo_v1_", KeySet::hex, 64},             // OAuth,
    {"dor_v1_", KeySet::hex, 64},             // refresh
    {"hf_", KeySet::letters, 30},             // Hugging Face
    {"shpat_", KeySet::hex, 32},              // Shopify: of an application,
    {"shpss_", KeySet::hex, 32},              // shared secret
    {"dckr_pat_", KeySet::words, 20},         // Docker
    {"dapi", KeySet::hex, 32},                // Databricks
    {"AGE-SECRET-KEY-1", KeySet::upper, 50},  // age
    {"lin_api_", KeySet::letters, 32},        // Linear
    {"ATATT3", KeySet::words, 40},            // Atlassian
    {"gsk_", KeySet::letters, 40},            // Groq
    {"rubygems_", KeySet::hex, 40},           // RubyGems
    {"hvs.", KeySet::words, 24},              // HashiCorp Vault
    {"pul-", KeySet::hex, 40},                // Pulumi
    {"sntrys_", KeySet::dotted, 40},          // Sentry
}};

// A webhook's address is a secret from here on.
constexpr std::array<std::string_view, 4> webhooks = {
    "hooks.slack.com/services/", "hooks.slack.com/workflows/", "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/"};

// What a name that is assigned a secret ends with, in lower case.
constexpr std::array<std::string_view, 13> secret_names = {
    "password",          "passwd",          "secret",     "token",
    "api_key",           "apikey",          "api-key",    "authorization",
    "secret_access_key", "secretaccesskey", "accountkey", "account_key",
    "private_key"};

bool is_word(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

bool is_in(KeySet set, char c) {
  switch (set) {
    case KeySet::letters: return is_alphanumeric(c);
    case KeySet::words: return is_word(c);
    case KeySet::upper: return is_digit(c) || (c >= 'A' && c <= 'Z');
    case KeySet::hex: return is_digit(c) || (c >= 'a' && c <= 'f');
    case KeySet::dotted: break;
  }
  return is_word(c) || c == '.';
}

std::size_t count_in(KeySet set, std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_in(set, text[count])) ++count;
  return count;
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

// Returns the size of a key of a known service at the beginning of `text`, or 0. Keys are random, so a word
// without a digit is none.
std::size_t key_of_service(std::string_view text) {
  for (const KeyForm& form : key_forms) {
    if (!text.starts_with(form.prefix)) continue;
    const std::string_view rest = text.substr(form.prefix.size());
    const std::size_t count = count_in(form.set, rest);
    if (count < form.size_min) continue;
    if (form.set != KeySet::upper && !has_digit(rest.substr(0, count))) continue;
    // A longer word of another set has only the same beginning.
    if (count < rest.size() && is_word(rest[count])) continue;
    return form.prefix.size() + count;
  }
  return 0;
}

// Returns the size of a JSON web token at the beginning of `text`, or 0: three parts in base64url, of which
// the first two are JSON objects.
std::size_t web_token(std::string_view text) {
  constexpr std::size_t part_min = 8;
  if (!text.starts_with("eyJ")) return 0;
  std::size_t at = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t count = count_in(KeySet::words, text.substr(at));
    if (count < part_min) return 0;
    at += count;
    if (part < 2 && (at == text.size() || text[at++] != '.')) return 0;
  }
  return at;
}

// Returns the size of a token that has a fixed form without a prefix at the beginning of `text`, or 0.
std::size_t token_without_prefix(std::string_view text) {
  constexpr std::size_t telegram_id_min = 8, telegram_id_max = 10, telegram_key = 35;
  constexpr std::size_t discord_id_min = 24, discord_id_max = 28, discord_time = 6, discord_key_min = 27;
  constexpr std::size_t twilio_digits = 32;
  // Telegram: 123456789:AA and 33 more characters.
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits >= telegram_id_min && digits <= telegram_id_max && text.substr(digits).starts_with(":AA") &&
      count_in(KeySet::words, text.substr(digits + 1)) == telegram_key)
    return digits + 1 + telegram_key;
  // Twilio: SK or AC and 32 hexadecimal digits.
  if ((text.starts_with("SK") || text.starts_with("AC")) && has_digit(text.substr(0, 2 + twilio_digits)) &&
      count_in(KeySet::hex, text.substr(2)) == twilio_digits &&
      (text.size() == 2 + twilio_digits || !is_word(text[2 + twilio_digits])))
    return 2 + twilio_digits;
  // Discord: the id of a bot in base64, which begins with M, N or O, the time, and the key.
  const std::size_t id = count_in(KeySet::words, text);
  if (id < discord_id_min || id > discord_id_max || (text[0] != 'M' && text[0] != 'N' && text[0] != 'O') ||
      id == text.size() || text[id] != '.')
    return 0;
  const std::string_view rest = text.substr(id + 1);
  if (count_in(KeySet::words, rest) != discord_time || rest.size() == discord_time ||
      rest[discord_time] != '.')
    return 0;
  const std::size_t key = count_in(KeySet::words, rest.substr(discord_time + 1));
  return key < discord_key_min ? 0 : id + 1 + discord_time + 1 + key;
}

// Returns the size of a secret at the beginning of `text`, which is the beginning of a word, or 0.
std::size_t secret_at(std::string_view text) {
  for (const auto find : {&key_of_service, &web_token, &token_without_prefix})
    if (const std::size_t size = find(text); size > 0) return size;
  return 0;
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
      if (private_key() || webhook() || address()) continue;
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
    const std::size_t title = at_ + begin.size();
    if (text_.substr(title, text_.find("-----", title) - title).find("PRIVATE KEY") == std::string_view::npos)
      return false;
    const std::size_t last = text_.find(end, at_);
    const std::size_t close = last == std::string_view::npos ? last : text_.find("-----", last + end.size());
    out_ += redacted;
    at_ = close == std::string_view::npos ? text_.size() : close + 5;
    return true;
  }

  bool webhook() {
    for (const std::string_view each : webhooks) {
      const std::size_t end = at_ + each.size();
      if (!text_.substr(at_).starts_with(each) || end == text_.size() || !is_word(text_[end])) continue;
      out_.append(each).append(redacted);
      at_ = std::min(text_.find_first_of(" \t\r\n\"'<>)", at_), text_.size());
      return true;
    }
    return false;
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
    // A user without a password is a secret only if it is long enough for a token.
    const std::string_view user = text_.substr(from, sign);
    if (user.find_first_of("${") != std::string_view::npos) return true;
    if (user.find(':') == std::string_view::npos && (user.size() < key_bytes_min || !has_digit(user)))
      return true;
    out_ += redacted;
    at_ += sign;
    return true;
  }

  void word() {
    if (const std::size_t size = secret_at(text_.substr(at_)); size > 0) {
      out_ += redacted;
      at_ += size;
      return;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view found = text_.substr(at_, end - at_);
    out_ += found;
    at_ = end;
    if ((found == "Bearer" || found == "bearer") && is_bearer_value()) return value({});
    if (found == "Basic" && is_basic_value()) return value({});
    if (names_secret(found)) assigned(found);
  }

  // Whether the word after `Bearer` is a token, and not a word of a sentence.
  bool is_bearer_value() const {
    const std::size_t begin = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    const std::size_t end = text_.find_first_of(" \t\r\n)]}`\"'", std::min(begin + 1, text_.size()));
    const std::string_view rest = text_.substr(begin, end - begin);
    if (rest.starts_with('$') || rest.starts_with('{') || rest.starts_with('<')) return false;
    if (!rest.empty() && is_quote(rest.front())) return rest.size() > 1 && is_word(rest[1]);
    return has_digit(rest) ||
           rest.substr(0, rest.size() - (rest.empty() ? 0 : 1)).find('.') != std::string_view::npos;
  }

  // Whether the word after `Basic` is a name and a password in base64, and not a word of English.
  bool is_basic_value() const {
    constexpr std::size_t base64_min = 12;
    const std::size_t begin = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    std::size_t end = begin;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '+' || text_[end] == '/')) ++end;
    const std::string_view value = text_.substr(begin, end - begin);
    return value.size() >= base64_min && (has_digit(value) || text_.substr(end).starts_with('='));
  }

  // Redacts an assigned value: = "...", : '...', =...
  void assigned(std::string_view name) {
    std::size_t sign = at_;
    while (sign < text_.size() && (is_space(text_[sign]) || is_quote(text_[sign]) || text_[sign] == '\\'))
      ++sign;
    if (sign == text_.size() || (text_[sign] != '=' && text_[sign] != ':')) return;
    // A comparison is no assignment.
    if (sign + 1 < text_.size() && text_[sign + 1] == '=') return;
    out_ += text_.substr(at_, sign + 1 - at_);
    at_ = sign + 1;
    value(name);
  }

  // Whether the value of a name is a number or a version, as of a progress token or of a package whose name
  // ends with "token". A password may be a number.
  static bool is_number_or_version(std::string_view name, std::string_view value) {
    constexpr std::size_t version_bytes_max = 16;
    const std::string lower = to_lower(name);
    if (name.empty() || lower.ends_with("password") || lower.ends_with("passwd")) return false;
    return value.size() <= version_bytes_max &&
           value.find_first_not_of("0123456789.^~<>=v") == std::string_view::npos;
  }

  // Whether a value without quotes, which is assigned to `name`, is source code: a call, a type, a variable,
  // or the word "token" in a sentence. After a space or a colon, only a text with a digit is a secret.
  bool is_code(std::string_view name, std::string_view value) const {
    constexpr std::size_t secret_bytes_min = 6;
    if (value.find_first_of("([{<$*") != std::string_view::npos) return true;
    if (equal_ignoring_case(name, value)) return true;
    for (const std::string_view word : {"true", "false", "null", "None", "undefined", "nil"})
      if (value == word) return true;
    const bool is_direct = at_ > 0 && text_[at_ - 1] == '=';
    return !is_direct && (value.size() < secret_bytes_min || !has_digit(value));
  }

  // Whether the word after the scheme of an `Authorization` field is a credential, and not a placeholder.
  bool is_credential() const {
    constexpr std::size_t word_bytes_max = 8;
    std::size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '.')) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (at_ < text_.size() && std::string_view("${<").find(text_[at_]) != std::string_view::npos)
      return false;
    return word.size() >= word_bytes_max || has_digit(word) || (at_ < text_.size() && text_[at_] == '"');
  }

  // Redacts the value that begins here, after white space. `name` is that of an assigned value, or empty.
  void value(std::string_view name) {
    while (at_ < text_.size() && is_space(text_[at_])) out_ += text_[at_++];
    // In `Authorization: Bearer x` the second word is the secret.
    for (std::string_view scheme : {"Bearer ", "bearer ", "Basic "}) {
      if (!text_.substr(at_).starts_with(scheme)) continue;
      out_ += scheme;
      at_ += scheme.size();
      name = {};
      if (!is_credential()) return;
    }
    if (at_ == text_.size()) return;
    // In JSON within a text, quotes are escaped.
    std::size_t open = at_;
    while (open < text_.size() && text_[open] == '\\') ++open;
    std::size_t end;
    if (open < text_.size() && is_quote(text_[open])) {
      // A quote before such a character ends the text of which the name is a part.
      if (open + 1 < text_.size() &&
          std::string_view(" ,;+)]}").find(text_[open + 1]) != std::string_view::npos)
        return;
      const std::size_t escapes = open - at_;
      out_ += text_.substr(at_, escapes + 1);
      at_ = open + 1;
      end = closing(text_[open], escapes);
    } else {
      end = std::min(text_.find_first_of(" \t\r\n,;&|\"')]}", at_), text_.size());
      if (!name.empty() && is_code(name, text_.substr(at_, end - at_))) return;
    }
    if (is_number_or_version(name, text_.substr(at_, end - at_))) return;
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

bool redact_in_place(std::string& text) {
  std::string safe = redact(text);
  const bool is_changed = safe != text;
  if (is_changed) text = std::move(safe);
  return is_changed;
}

}  // namespace snapgen::core
