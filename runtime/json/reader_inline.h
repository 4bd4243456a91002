#pragma once
// The functions of Reader that must be fast. Their rare and failing cases are in reader.cc. Only reader.h
// includes this file.
#include "runtime/json/reader.h"
#include "runtime/json/scan.h"

namespace snapgen::json {

inline Reader::Reader(std::string_view text)
    : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), key_at_(text.data()) {}

inline void Reader::skip_space() {
  while (at_ != end_ && static_cast<unsigned char>(*at_) <= 0x20) {
    if (*at_ != ' ' && *at_ != '\n' && *at_ != '\r' && *at_ != '\t') return;
    ++at_;
  }
}

inline Kind Reader::peek() {
  skip_space();
  if (at_ == end_) return Kind::invalid;
  switch (*at_) {
    case '{': return Kind::object;
    case '[': return Kind::array;
    case '"': return Kind::string;
    case 't':
    case 'f': return Kind::boolean;
    case 'n': return Kind::null;
    case '-': return Kind::number;
    default: return *at_ >= '0' && *at_ <= '9' ? Kind::number : Kind::invalid;
  }
}

inline std::size_t Reader::offset() {
  skip_space();
  return static_cast<std::size_t>(at_ - begin_);
}

inline std::size_t Reader::key_offset() const { return static_cast<std::size_t>(key_at_ - begin_); }

// Reads only strings with neither white space before them nor escapes; reader_string.cc reads all others. The
// position is copied to local variables, so that the compiler can use registers.
inline bool Reader::skip_unescaped_string(const char*& from, const char*& to) {
  const char* const open = at_;
  const char* const end = end_;
  if (open == end || *open != '"') [[unlikely]]
    return false;
  const char* const close = plain_end(open + 1, end);
  if (close == end || *close != '"') [[unlikely]]
    return false;
  from = open + 1;
  to = close;
  at_ = close + 1;
  return true;
}

inline bool Reader::string(std::string& out) {
  const char* from;
  const char* to;
  if (!skip_unescaped_string(from, to)) [[unlikely]]
    return string_slow(out);
  out.assign(from, static_cast<std::size_t>(to - from));
  return true;
}

inline bool Reader::string(std::string_view& out) {
  const char* from;
  const char* to;
  if (!skip_unescaped_string(from, to)) [[unlikely]]
    return string_slow(out);
  out = std::string_view(from, static_cast<std::size_t>(to - from));
  return true;
}

inline bool Reader::read_short_integer(const char* digits, std::uint64_t& out) {
  const char* last = end_ - digits > 18 ? digits + 18 : end_;  // 18 digits always fit into 64 bits
  const char* next = digits;
  std::uint64_t value = 0;
  while (next != last && *next >= '0' && *next <= '9')
    value = value * 10 + static_cast<unsigned char>(*next++ - '0');
  const bool leading_zero = next - digits > 1 && *digits == '0';
  const bool more =
      next != end_ && ((*next >= '0' && *next <= '9') || *next == '.' || *next == 'e' || *next == 'E');
  if (next == digits || leading_zero || more) return false;
  out = value;
  at_ = next;
  return true;
}

inline bool Reader::integer(std::int64_t& out) {
  skip_space();
  const bool negative = at('-');
  std::uint64_t value;
  if (!read_short_integer(negative ? at_ + 1 : at_, value)) [[unlikely]]
    return integer_slow(out);
  out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

inline bool Reader::integer(std::uint64_t& out) {
  skip_space();
  if (read_short_integer(at_, out)) [[likely]]
    return true;
  return integer_slow(out);
}

inline bool Reader::boolean(bool& out) {
  skip_space();
  if (at('t')) {
    if (!read_literal("true")) return false;
    out = true;
    return true;
  }
  if (!at('f')) [[unlikely]]
    return report_wrong_kind("a boolean");
  if (!read_literal("false")) return false;
  out = false;
  return true;
}

inline bool Reader::null() {
  skip_space();
  if (!at('n')) [[unlikely]]
    return report_wrong_kind("null");
  return read_literal("null");
}

inline bool Reader::read_literal(std::string_view literal) {
  if (static_cast<std::size_t>(end_ - at_) < literal.size() ||
      std::memcmp(at_, literal.data(), literal.size()) != 0)
    return fail(at_, "not a JSON value");
  at_ += literal.size();
  return true;
}

inline bool Reader::begin_object() {
  skip_space();
  if (!at('{') || depth_ == depth_max) [[unlikely]]
    return report_begin_failure('{');
  ++at_;
  ++depth_;
  expects_first_ = true;
  return true;
}

inline bool Reader::next_key(std::string_view& key) {
  const char* at = at_;
  const char* const end = end_;
  if (at == end) [[unlikely]]
    return next_key_slow(key);
  if (*at == '}') {
    at_ = at + 1;
    --depth_;
    expects_first_ = false;
    return false;
  }
  if (!expects_first_) {
    if (*at != ',') [[unlikely]]
      return next_key_slow(key);
    ++at;
  }
  if (at == end || *at != '"') [[unlikely]]
    return next_key_slow(key);
  const char* const close = plain_end(at + 1, end);
  if (end - close < 2 || close[0] != '"' || close[1] != ':') [[unlikely]]
    return next_key_slow(key);
  key = std::string_view(at + 1, static_cast<std::size_t>(close - at - 1));
  expects_first_ = false;
  key_at_ = at;
  at_ = close + 2;
  return true;
}

inline bool Reader::begin_array() {
  skip_space();
  if (!at('[') || depth_ == depth_max) [[unlikely]]
    return report_begin_failure('[');
  ++at_;
  ++depth_;
  expects_first_ = true;
  return true;
}

inline bool Reader::next_element() {
  const char* const at = at_;
  if (at == end_) [[unlikely]]
    return next_element_slow();
  if (*at == ']') {
    at_ = at + 1;
    --depth_;
    expects_first_ = false;
    return false;
  }
  if (expects_first_) {
    if (static_cast<unsigned char>(*at) <= 0x20) [[unlikely]]
      return next_element_slow();
    expects_first_ = false;
    return true;
  }
  if (*at != ',') [[unlikely]]
    return next_element_slow();
  at_ = at + 1;
  return true;
}

inline Reader::Mark Reader::mark() const {
  return {.position = static_cast<std::size_t>(at_ - begin_),
          .violation_count = violation_count_,
          .depth = depth_};
}

}  // namespace snapgen::json
