#include "runtime/linefmt/line.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "runtime/base/percent.h"
#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "runtime/json/writer.h"

namespace snapgen::linefmt {
namespace {

constexpr std::string_view arrow = "→";

// Returns the size in bytes of the white space character at the beginning of `text`, or 0. All of Unicode's
// white space counts, so that no character can break a line.
std::size_t white_space(std::string_view text) {
  if (text.empty()) return 0;
  const char c = text[0];
  if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
  for (std::string_view two : {"\xc2\x85", "\xc2\xa0"})
    if (text.starts_with(two)) return 2;
  for (std::string_view three :
       {"\xe1\x9a\x80", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"})
    if (text.starts_with(three)) return 3;
  const bool spaces_of_2000 = text.size() >= 3 && text.starts_with("\xe2\x80") &&
                              static_cast<unsigned char>(text[2]) >= 0x80 &&
                              static_cast<unsigned char>(text[2]) <= 0x8a;
  return spaces_of_2000 ? 3 : 0;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find_first_of("\r\n")); }

std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 40;
  if (text.size() > shown_max) text = text.substr(0, shown_max);
  return "\"" + escaped(text) + "\"";
}

}  // namespace

std::string escaped(std::string_view text, std::string_view more) {
  std::string out;
  std::size_t hidden = 0;  // The number of bytes that remain of a hidden character.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (hidden == 0) hidden = hidden_character_bytes(text.substr(i));
    const bool plain =
        hidden == 0 && c != '%' && c != '|' && c != '\r' && c != '\n' && more.find(c) == std::string::npos;
    if (hidden > 0) --hidden;
    if (plain)
      out += c;
    else
      append_percent_encoded(out, c);
  }
  return out;
}

Result<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const std::optional<char> byte = percent_decoded_byte(text, i);
    if (!byte)
      return Error(ErrorCode::invalid_argument, "A % is not followed by two hexadecimal digits in " +
                                                    shown(text) + ". Write %25 for a percent sign.");
    out += *byte;
    i += 2;
  }
  return out;
}

std::string spaces_to_arrows(std::string_view text) {
  std::string out;
  bool gap = false;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t space = white_space(text.substr(i));
    if (space == 0 && text.substr(i).starts_with(arrow)) space = arrow.size();
    if (space > 0) {
      gap = true;
      i += space;
      continue;
    }
    if (gap && !out.empty()) out += arrow;
    gap = false;
    out += text[i] == '|' ? '/' : text[i];
    ++i;
  }
  return visible(std::move(out));
}

std::string arrows_to_spaces(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with(arrow)) {
      out += ' ';
      i += arrow.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

LineWriter::LineWriter(std::string_view code, Mode mode) : mode_(mode) {
  line_.append(line_prefix).append("|").append(code);
}

void LineWriter::begin_field(std::string_view label) {
  line_ += '|';
  if (mode_ == Mode::labeled && !label.empty()) line_.append(label).append(":");
}

void LineWriter::write_absent_field() {
  if (mode_ == Mode::compact) line_ += '|';
}

void LineWriter::write_verbatim(std::string_view value, std::string_view separators) {
  line_ += escaped(value, separators);
}

void LineWriter::write_count(std::string_view sign, std::int64_t value, std::string_view unit) {
  line_.append(sign).append(std::to_string(value)).append(unit);
}

LineReader::LineReader(std::string_view text, std::string_view code, Mode mode)
    : line_(first_line(text)), mode_(mode) {
  for (std::size_t at = 0; at <= line_.size();) {
    const std::size_t end = std::min(line_.find('|', at), line_.size());
    fields_.push_back(line_.substr(at, end - at));
    at = end + 1;
  }
  next_ = 2;
  if (fields_.size() < 2 || fields_[0] != line_prefix)
    fail("A line begins with " + std::string(line_prefix) + "|CODE|.");
  else if (fields_[1] != code)
    fail("The line's code is not " + std::string(code) + ".");
}

std::string_view LineReader::code_of(std::string_view text) {
  text = first_line(text);
  if (!text.starts_with(line_prefix) || !text.substr(line_prefix.size()).starts_with('|')) return {};
  text.remove_prefix(line_prefix.size() + 1);
  return text.substr(0, text.find('|'));
}

bool LineReader::begin_field(std::string_view label, bool optional) {
  finish_field();
  if (failed_) return false;
  name_ = label;
  const bool there = next_ < fields_.size();
  const bool by_label = mode_ == Mode::labeled && !label.empty();
  if (by_label && there) {
    std::string_view field = fields_[next_];
    if (field.starts_with(label) && field.substr(label.size()).starts_with(':')) {
      value_ = field.substr(label.size() + 1);
      ++next_;
      return true;
    }
  }
  if (by_label || !there) {
    if (!optional || mode_ == Mode::compact) fail("The field " + std::string(label) + " is missing.");
    return false;
  }
  value_ = fields_[next_++];
  return !(optional && value_.empty());
}

bool LineReader::begin_rest_field(bool optional) {
  finish_field();
  if (failed_) return false;
  name_ = "at the end";
  if (next_ >= fields_.size()) {
    if (!optional || mode_ == Mode::compact) fail("The last field is missing.");
    return false;
  }
  const char* begin = fields_[next_].data();
  value_ = std::string_view(begin, static_cast<std::size_t>(line_.data() + line_.size() - begin));
  next_ = fields_.size();
  return !(optional && value_.empty());
}

std::string_view LineReader::take_until(std::string_view until) {
  const std::size_t end = until.empty() ? value_.size() : std::min(value_.find(until), value_.size());
  std::string_view found = value_.substr(0, end);
  value_.remove_prefix(end);
  return found;
}

std::string LineReader::read_verbatim(std::string_view until) {
  if (failed_) return {};
  Result<std::string> text = unescaped(take_until(until));
  if (text) return *std::move(text);
  fail(text.error().message);
  return {};
}

// Returns a field's text in decompressed form. Compressing it first makes no difference to compressed text,
// and brings any other text into the same form.
std::string LineReader::read_compressed() {
  return failed_ ? std::string() : arrows_to_spaces(spaces_to_arrows(take_until({})));
}

std::int64_t LineReader::read_count(std::string_view sign, std::string_view unit) {
  std::int64_t value = 0;
  if (failed_) return value;
  if (value_.starts_with(sign)) {
    value_.remove_prefix(sign.size());
    const char* end = value_.data() + value_.size();
    auto [at, error] = std::from_chars(value_.data(), end, value);
    std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (error == std::errc() && rest.starts_with(unit)) {
      value_ = rest.substr(unit.size());
      return value;
    }
  }
  fail("The field " + std::string(name_) + " is not a count: " + shown(value_) + ".");
  return 0;
}

std::size_t LineReader::read_choice(const std::string_view* known, std::size_t count,
                                    std::string_view until) {
  if (failed_) return 0;
  std::string_view found = take_until(until);
  const std::string_view* end = known + count;
  const std::string_view* at = std::find(known, end, found);
  if (at != end) return static_cast<std::size_t>(at - known);
  fail("The field " + std::string(name_) + " has an unknown value: " + shown(found) + "; it can be " +
       enumerated(std::span(known, count), "or") + ".");
  return 0;
}

std::string LineReader::read_object() {
  if (failed_) return {};
  std::string_view text = take_until({});
  Result<std::string> canonical = json::canonical(text);
  if (canonical && canonical->starts_with('{')) return *std::move(canonical);
  fail("The last field is not a JSON object: " + shown(text) + ".");
  return {};
}

void LineReader::skip_separator(std::string_view text) {
  if (failed_) return;
  if (value_.starts_with(text)) {
    value_.remove_prefix(text.size());
    return;
  }
  fail("The field " + std::string(name_) + " has no \"" + std::string(text) + "\" where one must be.");
}

void LineReader::fail(std::string sentence) {
  if (failed_) return;
  failed_ = true;
  first_error_ = std::move(sentence);
}

void LineReader::finish_field() {
  if (failed_ || value_.empty()) return;
  fail("The field " + std::string(name_) + " has extra text at its end: " + shown(value_) + ".");
}

Result<Unit> LineReader::end() {
  finish_field();
  if (!failed_ && next_ < fields_.size())
    fail("The line has too many fields; remove the last " + std::to_string(fields_.size() - next_) + ".");
  if (failed_) return Error(ErrorCode::invalid_argument, first_error_);
  return Unit{};
}

std::string with_summary(std::string line, std::string_view summary) {
  return line.append(summary_separator).append(visible(std::string(summary)));
}

}  // namespace snapgen::linefmt
