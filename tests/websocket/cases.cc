#include "tests/websocket/cases.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <zlib.h>

namespace snapgen::websocket {
namespace {

[[noreturn]] void wrong_case(const std::string& line, const char* what) {
  std::fprintf(stderr, "invalid case: %s: %s\n", what, line.c_str());
  std::abort();
}

std::string unescaped_case(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>(std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16)));
    i += 3;
  }
  return out;
}

std::string from_hex(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char byte) { return byte != ' '; });
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return out;
}

// Splits at spaces, except inside quotes. The quotes remain.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end =
        line[at] == '"' ? line.find('"', at + 1) + 1 : std::min(line.find(' ', at), line.size());
    if (end == 0) wrong_case(line, "a text has no end");
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

int opcode_of(const std::string& word) {
  static const std::map<std::string, int> known = {{"cont", 0},  {"text", 1}, {"binary", 2},
                                                   {"close", 8}, {"ping", 9}, {"pong", 10}};
  if (known.contains(word)) return known.at(word);
  if (word.starts_with("op")) return std::stoi(word.substr(2));
  wrong_case(word, "no opcode");
}

struct CaseLine {
  ClientFrame frame;
  std::size_t skip = 0;
  int code = 0;
};

void take_word(const std::string& word, std::size_t& repeat, bool& deflate, CaseLine& out) {
  ClientFrame& frame = out.frame;
  const std::size_t equals = word.find('=');
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (word.starts_with('"')) {
    const std::string text = unescaped_case(std::string_view(word).substr(1, word.size() - 2));
    for (std::size_t i = 0; i != repeat; ++i) frame.payload += text;
    repeat = 1;
  } else if (word.starts_with('*')) {
    repeat = std::stoul(word.substr(1));
  } else if (word.starts_with("code=")) {
    out.code = std::stoi(value);
    frame.payload += {static_cast<char>(out.code >> 8), static_cast<char>(out.code & 0xFF)};
  } else if (word.starts_with("rsv")) {
    for (const char* each = word.c_str(); (each = std::strstr(each, "rsv")); each += 3)
      frame.reserved_bits |= 8 >> (each[3] - '0');
  } else if (word == "unmasked") {
    frame.masked = false;
  } else if (word.starts_with("mask=")) {
    frame.mask = from_hex(value);
  } else if (word.starts_with("as=")) {
    frame.length_bytes = std::stoi(value);
  } else if (word.starts_with("len=")) {
    frame.length_said = std::stoul(value);
  } else if (word.starts_with("skip=")) {
    out.skip = std::stoul(value);
  } else if (word == "deflate") {
    deflate = true;
    frame.reserved_bits |= 4;
  } else {
    wrong_case(word, "an unknown word");
  }
}

CaseLine line_of(const std::vector<std::string>& words) {
  CaseLine out;
  std::size_t repeat = 1;
  bool deflate = false;
  for (std::size_t i = 1; i < words.size(); ++i) take_word(words[i], repeat, deflate, out);
  if (deflate) out.frame.payload = deflated(out.frame.payload);
  return out;
}

CaseStep step_of(const std::string& line) {
  CaseStep step;
  const std::vector<std::string> words = words_of(line.substr(2));
  if (line[0] == '<') {
    step.kind = CaseStep::Kind::expect;
    if (words[0] == "nothing") {
      step.kind = CaseStep::Kind::expect_nothing;
    } else if (words[0] == "close") {
      step.kind = CaseStep::Kind::expect_close;
      step.code = words.size() == 1 ? 1005 : std::stoi(words[1]);
    } else {
      step.opcode = opcode_of(words[0]);
      step.bytes = line_of(words).frame.payload;
    }
    return step;
  }
  if (words[0] == "hex") {
    step.bytes = from_hex(line.substr(6));
    return step;
  }
  CaseLine sent = line_of(words);
  ClientFrame& frame = sent.frame;
  if (words[0] == "raw") {
    step.bytes = frame.payload;
    for (std::size_t i = 0; i != step.bytes.size(); ++i)
      step.bytes[i] = static_cast<char>(step.bytes[i] ^ frame.mask[(i + sent.skip) % 4]);
    return step;
  }
  std::string opcode = words[0];
  if (opcode.ends_with('-')) {
    frame.last = false;
    opcode.pop_back();
  }
  frame.opcode = opcode_of(opcode);
  step.bytes = bytes_of(frame);
  return step;
}

std::string with_values(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values) {
    const std::string hole = "{" + name + "}";
    for (std::size_t at = 0; (at = text.find(hole, at)) != std::string::npos; at += value.size())
      text.replace(at, hole.size(), value);
  }
  return text;
}

using Lines = std::vector<std::pair<std::size_t, std::string>>;

void add_cases(const std::string& file, const Lines& lines, std::vector<Case>& out) {
  std::vector<std::map<std::string, std::string>> variants(1);
  for (const auto& [number, line] : lines) {
    if (!line.starts_with("with ")) continue;
    std::vector<std::string> words = words_of(line);
    std::vector<std::map<std::string, std::string>> more;
    for (const auto& variant : variants)
      for (std::size_t i = 2; i < words.size(); ++i) {
        more.push_back(variant);
        more.back()[words[1]] = words[i];
      }
    variants = std::move(more);
  }
  for (const auto& variant : variants) {
    Case made{.file = file};
    for (const auto& [number, plain] : lines) {
      const std::string line = with_values(plain, variant);
      if (line.starts_with("case ")) made.name = line.substr(5);
      if (line.starts_with("limit ")) made.message_bytes_max = std::stoul(line.substr(6));
      if (line.starts_with("offer ")) made.offer = line.substr(6);
      if (!line.starts_with("> ") && !line.starts_with("< ")) continue;
      made.steps.push_back(step_of(line));
      made.steps.back().line = number;
    }
    out.push_back(std::move(made));
  }
}

void append_big_endian(std::string& out, std::size_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> (8 * i)));
}

}  // namespace

std::string bytes_of(const ClientFrame& frame) {
  std::string out;
  out.push_back(static_cast<char>((frame.last ? 0x80 : 0) | frame.reserved_bits << 4 | frame.opcode));
  const bool is_declared = frame.length_said != static_cast<std::size_t>(-1);
  const std::size_t length = is_declared ? frame.length_said : frame.payload.size();
  int bytes = frame.length_bytes;
  if (bytes < 0) bytes = length < 126 ? 0 : (length < 65536 ? 2 : 8);
  const int mask_bit = frame.masked ? 0x80 : 0;
  out.push_back(
      static_cast<char>(mask_bit | (bytes == 0 ? static_cast<int>(length) : (bytes == 2 ? 126 : 127))));
  append_big_endian(out, length, bytes);
  if (!frame.masked) return out + frame.payload;
  out += frame.mask;
  const std::size_t begin = out.size();
  out += frame.payload;
  for (std::size_t i = begin; i != out.size(); ++i)
    out[i] = static_cast<char>(out[i] ^ frame.mask[(i - begin) % 4]);
  return out;
}

std::string deflated(const std::string& payload) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, static_cast<uLong>(payload.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(payload.data()));
  stream.avail_in = static_cast<uInt>(payload.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_SYNC_FLUSH);
  out.resize(out.size() - stream.avail_out - 4);
  deflateEnd(&stream);
  return out;
}

std::vector<Case> read_cases(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) wrong_case(file.string(), "the file is not there");
  std::vector<Case> out;
  Lines lines;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("case ") && !lines.empty()) {
      add_cases(file.stem().string(), lines, out);
      lines.clear();
    }
    lines.emplace_back(number, line);
  }
  add_cases(file.stem().string(), lines, out);
  return out;
}

}  // namespace snapgen::websocket
