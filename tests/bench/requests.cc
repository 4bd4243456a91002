#include "tests/bench/requests.h"

#include <charconv>
#include <cstring>

#include "tests/bench/child.h"

namespace bench {

namespace {

constexpr std::size_t first_id = 1'000'000;  // all ids have seven digits

constexpr std::string_view modern_meta =
    R"("_meta":{"io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"})";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

Requests::Requests(const Subject& subject, std::size_t count) : expected_(subject.expected) {
  ends_.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    text_ +=
        R"({"jsonrpc":"2.0","id":)" + std::to_string(first_id + i) + R"(,"method":"tools/call","params":{)";
    if (subject.era == Era::modern) {
      text_ += modern_meta;
      text_ += ',';
    }
    text_ += R"("name":")" + subject.tool + R"(","arguments":)" + subject.arguments + "}}\n";
    ends_.push_back(text_.size());
  }
}

std::string_view Requests::slice(std::size_t from, std::size_t to) const {
  return std::string_view(text_).substr(ends_[from], ends_[to] - ends_[from]);
}

std::size_t Requests::check(std::string_view answer) const {
  const std::string shown(answer.substr(0, 300));
  // The member "id" of the envelope is at its beginning or its end; the texts of the tool do not contain
  // these bytes.
  const std::size_t at = answer.find("\"id\":1");
  if (at == std::string_view::npos) fail("an answer without an id: " + shown);
  std::size_t id = 0;
  std::from_chars(answer.data() + at + 5, answer.data() + answer.size(), id);
  if (id < first_id || id >= first_id + size()) fail("an answer to nothing we asked: " + shown);
  if (answer.find("\"result\":") == std::string_view::npos) fail("an answer without a result: " + shown);
  if (answer.find("\"isError\":true") != std::string_view::npos) fail("a failed call: " + shown);
  if (memmem(answer.data(), answer.size(), expected_.data(), expected_.size()) == nullptr) {
    fail("an answer without the text that was sent: " + shown);
  }
  return id - first_id;
}

Subject echo(Era era, std::size_t bytes) {
  std::string text = "hello, tool";
  if (bytes > 0) {
    constexpr std::string_view lines =
        "\tif (name == \"caf\u00e9\") return path + \"\\\\src\\\\main.cc\";  // \u2713 checked \U0001F600\n"
        "The quick brown fox jumps over the lazy dog, again and again and again.\n"
        "\u65e5\u672c\u8a9e \U0001F680\U0001F389 \"quoted\" and \\escaped\\ text\n";
    text.clear();
    while (text.size() + lines.size() <= bytes) text += lines;
    text.append(bytes - text.size(), '.');
  }
  Subject subject;
  subject.era = era;
  subject.tool = "echo";
  subject.expected = escaped(text);
  subject.arguments = "{\"text\":\"" + subject.expected + "\"}";
  return subject;
}

std::string initialize() {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},)"
         R"("clientInfo":{"name":"load","version":"1"},"protocolVersion":"2025-11-25"}})"
         "\n";
}

std::string initialized() { return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"; }

std::string discover() {
  return R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + std::string(modern_meta) +
         "}}\n";
}

}  // namespace bench
