#include "tools/insight/pattern/detect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

// Longer lines are not searched, because they are data or minified code.
constexpr std::size_t code_line_bytes_max = 4000;

// Returns whether `line` contains `word` as a whole word.
bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool begins = at == 0 || !is_ascii_word_character(line[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == line.size() || !is_ascii_word_character(line[end]))) return true;
  }
  return false;
}

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view each) { return path.ends_with(each); });
}
bool is_script(std::string_view path) {
  return ends_with_any(path, {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"});
}
bool is_typescript(std::string_view path) { return ends_with_any(path, {".ts", ".tsx", ".mts", ".cts"}); }
bool is_python(std::string_view path) { return path.ends_with(".py"); }
bool has_catch(std::string_view path) {
  return is_script(path) ||
         ends_with_any(path, {".java", ".kt", ".cs", ".cc", ".cpp", ".h", ".php", ".swift"});
}

// Whether a line of such a file may begin with several `>`, as a quotation in a quotation.
bool has_quotations(std::string_view path) {
  return ends_with_any(path, {".md", ".mdx", ".markdown", ".txt", ".eml"});
}

struct Lines {
  std::string_view path;
  std::string_view line;  // The current line, without blanks at its ends.
  std::string_view next;  // The next line that is not empty, without blanks at its ends.
};

// Finds catch (e) {} and except ...: pass, on one line or two.
bool silent_catch(const Lines& at) {
  if (is_python(at.path) && at.line.starts_with("except")) {
    const bool alone = at.line.ends_with(':') && (at.next == "pass" || at.next == "...");
    return alone || at.line.ends_with(": pass");
  }
  const std::size_t position = at.line.find("catch");
  if (!has_catch(at.path) || position == std::string_view::npos || !has_word(at.line, "catch")) return false;
  std::string body;
  for (char c : at.line.substr(position))
    if (c != ' ') body += c;
  return body.find("{}") != std::string::npos || (body.ends_with('{') && at.next.starts_with('}')) ||
         body.starts_with("catch(()=>{})");
}

// Returns whether the line has `code` outside of strings and comments. Strings and comments that began on an
// earlier line are not known.
bool has_code(std::string_view line, std::string_view code) {
  char quote = 0;  // The mark that ends the current string; 0 outside of strings.
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (quote != 0 && rest[0] == '\\')
      ++i;
    else if (quote != 0)
      quote = rest[0] == quote ? '\0' : quote;
    else if (rest.starts_with("//"))
      return false;
    else if (rest[0] == '"' || rest[0] == '\'' || rest[0] == '`')
      quote = rest[0];
    else if (rest.starts_with(code))
      return true;
  }
  return false;
}

bool console_log(const Lines& at) { return is_script(at.path) && has_code(at.line, "console.log("); }

bool any_type(const Lines& at) {
  if (!is_typescript(at.path) || at.line.starts_with("//") || !has_word(at.line, "any")) return false;
  for (std::string_view shape : {": any", ":any", "<any>", "as any", "any[]", "<any,", ", any>"})
    if (at.line.find(shape) != std::string_view::npos) return true;
  return false;
}

bool todo_left(const Lines& at) {
  const std::size_t mark =
      std::min({at.line.find("//"), at.line.find('#'), at.line.find("/*"), at.line.find("<!--"),
                at.line.starts_with('*') ? 0 : std::string_view::npos});
  if (mark == std::string_view::npos) return false;
  const std::string_view comment = at.line.substr(mark);
  return has_word(comment,
                  "TO"
                  "DO") ||
         has_word(comment,
                  "FIX"
                  "ME");
}

// Returns whether a line mentions access control, or a route that is meant to be public.
bool speaks_of_access(std::string_view line) {
  const std::string lower = to_lower(line);
  for (std::string_view word :
       {"auth",       "login",  "logout", "signin",  "signup",  "register",  "session",    "token",
        "permission", "role",   "guard",  "protect", "require", "verify",    "admin_only", "depends(",
        "security",   "public", "health", "static",  "webhook", "anonymous", "csrf"})
    if (lower.find(word) != std::string::npos) return true;
  return false;
}

// Finds a route of Express, Flask, FastAPI or similar whose line does not mention access control. A hint, not
// a proof: it does not know routers that check all their routes in one location.
bool missing_auth_check(const Lines& at) {
  std::string_view line = at.line;
  if (is_python(at.path)) {
    if (!line.starts_with('@')) return false;
    line.remove_prefix(1);
  } else if (!is_script(at.path)) {
    return false;
  }
  const std::size_t dot = line.find('.');
  const std::size_t bracket = line.find('(');
  if (dot == std::string_view::npos || bracket == std::string_view::npos || dot > bracket) return false;
  const std::string_view owner = line.substr(0, dot);
  const std::string_view method = line.substr(dot + 1, bracket - dot - 1);
  auto one_of = [](std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool routes = one_of(owner, {"app", "router", "api", "server", "fastify", "blueprint", "bp"}) ||
                      owner.ends_with("Router") || owner.ends_with("_router") || owner.ends_with("_bp");
  const bool serves = one_of(method, {"get", "post", "put", "patch", "delete", "route", "all"});
  const std::string_view first = trimmed(line.substr(bracket + 1));
  const bool has_path = first.starts_with("\"/") || first.starts_with("'/") || first.starts_with("`/");
  return routes && serves && has_path && !speaks_of_access(line) && !speaks_of_access(at.next);
}

// Finds a key, token or password that is assigned a long string, or a text with the form of a known key.
bool hardcoded_secret(const Lines& at) {
  for (std::string_view shape :
       {"AKIA", "ghp_", "sk_live_", "xoxb-", "-----BEGIN RSA PRIVATE KEY", "-----BEGIN PRIVATE KEY"}) {
    const std::size_t position = at.line.find(shape);
    if (position != std::string_view::npos && at.line.size() - position >= 20) return true;
  }
  const std::string lower = to_lower(at.line);
  for (std::string_view name :
       {"password", "passwd", "secret", "api_key", "apikey", "access_token", "private_key"}) {
    const std::size_t position = lower.find(name);
    if (position == std::string::npos) continue;
    const std::size_t sign = lower.find_first_of("=:", position + name.size());
    if (sign == std::string::npos || sign > position + name.size() + 4) continue;
    const std::size_t quote = lower.find_first_of("\"'", sign);
    if (quote == std::string::npos || quote > sign + 3) continue;
    const std::size_t end = lower.find(lower[quote], quote + 1);
    const std::string value = end == std::string::npos ? "" : lower.substr(quote + 1, end - quote - 1);
    if (value.size() >= 8 && value.find_first_of(" ${<") == std::string::npos) return true;
  }
  return false;
}

bool is_any_file(std::string_view) { return true; }
bool is_script_or_python(std::string_view path) { return is_script(path) || is_python(path); }
bool has_exceptions(std::string_view path) { return has_catch(path) || is_python(path); }

struct PatternDetector {
  std::string_view type;
  bool (*finds)(const Lines& at);
  bool (*applies)(std::string_view path);
};
constexpr std::array<PatternDetector, 9> pattern_detectors = {
    {{.type = "silent_catch", .finds = &silent_catch, .applies = &has_exceptions},
     {.type = "empty_catch", .finds = &silent_catch, .applies = &has_exceptions},
     {.type = "console_log", .finds = &console_log, .applies = &is_script},
     {.type = "any_type", .finds = &any_type, .applies = &is_typescript},
     {.type = "todo_left", .finds = &todo_left, .applies = &is_any_file},
     {.type = "todo", .finds = &todo_left, .applies = &is_any_file},
     {.type = "missing_auth_check", .finds = &missing_auth_check, .applies = &is_script_or_python},
     {.type = "hardcoded_secret", .finds = &hardcoded_secret, .applies = &is_any_file},
     {.type = "hard_coded_secret", .finds = &hardcoded_secret, .applies = &is_any_file}}};

// Returns true for a line between the sides of a conflict, as git or Jujutsu writes it.
bool divides_conflict(std::string_view line) {
  return trimmed(line) == "=======" || line.starts_with("%%%%%%% ") || line.starts_with("+++++++ ") ||
         line.starts_with("------- ");
}

// Returns the indexes of the lines that open or close a conflict of a merge. In a program one such line is
// enough, because the conflict may be half resolved. A document may show one as an example, or a quotation.
std::set<std::size_t> conflict_lines(std::string_view path, const std::vector<std::string_view>& lines) {
  const bool needs_all = has_quotations(path);
  std::set<std::size_t> found;
  std::optional<std::size_t> opening;
  bool is_divided = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool opens = lines[i].starts_with("<<<<<<< ");
    const bool closes = lines[i].starts_with(">>>>>>> ");
    if (!needs_all && (opens || closes)) found.insert(i);
    if (opens) {
      opening = i;
      is_divided = false;
    }
    is_divided |= opening && divides_conflict(lines[i]);
    if (!closes || !is_divided) continue;
    found.insert({*opening, i});
    opening.reset();
    is_divided = false;
  }
  return found;
}

}  // namespace

bool has_detector(std::string_view type) {
  return std::any_of(pattern_detectors.begin(), pattern_detectors.end(),
                     [&](const PatternDetector& each) { return each.type == type; });
}

bool is_sought_in(std::string_view type, std::string_view path) {
  return std::any_of(pattern_detectors.begin(), pattern_detectors.end(),
                     [&](const PatternDetector& each) { return each.type == type && each.applies(path); });
}

std::vector<PatternFinding> detect_patterns(std::string_view path, std::string_view text,
                                            const std::vector<std::string>& types, std::size_t limit) {
  std::vector<const PatternDetector*> wanted;
  for (const PatternDetector& each : pattern_detectors)
    if (std::find(types.begin(), types.end(), each.type) != types.end()) wanted.push_back(&each);
  std::vector<std::string_view> lines;
  std::string_view line;
  while (next_line(text, line)) lines.push_back(line);
  std::vector<PatternFinding> found;
  const std::set<std::size_t> conflicts = conflict_lines(path, lines);
  for (std::size_t i = 0; i < lines.size() && found.size() < limit; ++i) {
    if (conflicts.contains(i))
      found.push_back({.type = "merge_conflict", .line = static_cast<std::int64_t>(i) + 1});
    if (lines[i].size() > code_line_bytes_max) continue;
    if (wanted.empty()) continue;
    Lines at{.path = path, .line = trimmed(lines[i]), .next = {}};
    for (std::size_t next = i + 1; next < lines.size() && at.next.empty(); ++next)
      at.next = trimmed(lines[next]);
    for (const PatternDetector* each : wanted) {
      if (found.size() < limit && each->finds(at))
        found.push_back({.type = std::string(each->type), .line = static_cast<std::int64_t>(i) + 1});
    }
  }
  return found;
}

}  // namespace snapgen::core
