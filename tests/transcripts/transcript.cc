#include "tests/transcripts/transcript.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/json/document.h"

namespace snapgen::transcripts {

namespace {

[[noreturn]] void wrong(const std::string& path, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: %s\n", path.c_str(), line, what);
  std::exit(2);
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char escape = text[++i];
    if (escape == 'x') {
      out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      out += escape == 'r' ? '\r' : escape == 'n' ? '\n' : escape == 't' ? '\t' : escape;
    }
  }
  return out;
}

constexpr std::string_view anything = "...";

bool text_matches(std::string_view expected, std::string_view found) {
  const std::size_t gap = expected.find(anything);
  if (gap == std::string_view::npos) return expected == found;
  const std::string_view head = expected.substr(0, gap);
  if (!found.starts_with(head)) return false;
  const std::string_view rest = expected.substr(gap + anything.size());
  for (std::size_t skipped = gap; skipped <= found.size(); ++skipped)
    if (text_matches(rest, found.substr(skipped))) return true;
  return false;
}

bool node_matches(const json::Node& expected, const json::Node& found) {
  if (expected.is(json::Kind::string) && expected.text == anything) return true;
  if (expected.kind != found.kind) return false;
  switch (expected.kind) {
    case json::Kind::object: {
      std::size_t named = 0;
      bool more = false;
      for (const json::Member& member : expected.members) {
        if (member.key == anything) {
          more = true;
          continue;
        }
        const json::Node* value = found.find(member.key);
        if (!value || !node_matches(member.value, *value)) return false;
        ++named;
      }
      return more || named == found.members.size();
    }
    case json::Kind::array: return std::ranges::equal(expected.items, found.items, node_matches);
    case json::Kind::string: return text_matches(expected.text, found.text);
    default: return json::equal(expected, found);
  }
}

}  // namespace

Transcript read_transcript(const std::string& path) {
  std::ifstream file(path);
  Transcript out;
  out.name = std::filesystem::path(path).stem();
  std::string text;
  std::vector<std::pair<std::string, std::string>> shorts;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.empty() || text[0] == '#') continue;
    const std::size_t space = text.find(' ');
    const std::string mark = text.substr(0, space);
    std::string rest = space == std::string::npos ? "" : text.substr(space + 1);
    for (const auto& [name, value] : shorts)
      for (std::size_t at = 0; (at = rest.find(name, at)) != std::string::npos; at += value.size())
        rest.replace(at, name.size(), value);
    if (mark == "%") {
      const std::size_t end = rest.find(' ');
      shorts.emplace_back("%" + rest.substr(0, end) + "%", rest.substr(end + 1));
    } else if (mark == "!") {
      std::istringstream words(rest);
      for (std::string word; words >> word;) out.options.push_back(word);
    } else if (mark == "=") {
      out.steps.push_back({Step::Kind::revision, rest, line});
    } else if (mark == ">") {
      out.steps.push_back({Step::Kind::send, rest + "\n", line});
    } else if (mark == ">>" && rest.size() >= 2 && rest.starts_with('"') && rest.ends_with('"')) {
      out.steps.push_back(
          {Step::Kind::send, unescaped(std::string_view(rest).substr(1, rest.size() - 2)), line});
    } else if (mark == "<" || mark == "<~") {
      if (!json::parse_document(rest).ok()) wrong(path, line, "what is expected is not JSON");
      out.steps.push_back({mark == "<" ? Step::Kind::expect : Step::Kind::expect_any_order, rest, line});
    } else if (mark == "@") {
      out.steps.push_back({Step::Kind::keep_state, "@" + rest + "@", line});
    } else if (mark == ".") {
      out.steps.push_back({Step::Kind::end, "", line});
    } else if (mark == "$") {
      out.steps.push_back({Step::Kind::expect_end, "", line});
    } else {
      wrong(path, line, "a line begins with one of ! % = > >> < <~ @ . $ #");
    }
  }
  if (out.steps.empty()) wrong(path, 1, "there is no such file, or nothing in it");
  return out;
}

bool matches(std::string_view expected, std::string_view found) {
  const json::Document wanted = json::parse_document(expected);
  const json::Document got = json::parse_document(found);
  return wanted.ok() && got.ok() && node_matches(wanted.root, got.root);
}

}  // namespace snapgen::transcripts
