#pragma once
// line: one answer as a single line of fields, which costs a model few tokens (wire specification, "Wire
// Response Grammar"):
//
//   🧢|S|id:task_1|risk:M|prot:85        labeled: a field says its name
//   🧢|S|task_1|M|85                     compact: its place says which it is
//
// Which fields a line has stands in the schema files; the code that writes and reads each kind of line is
// generated and calls what is here.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::linefmt {

inline constexpr std::string_view cap = "🧢";                 // What every line begins with.
inline constexpr std::string_view summary_begin = "\n---\n";  // Between a line and its summary.

enum class Mode : std::uint8_t { labeled, compact };

// `%`, `|`, CR, LF, and the bytes of `more`, as % and two hexadecimal digits; everything else as it is.
std::string escaped(std::string_view text, std::string_view more = {});
// Errors: invalid_argument (a % that no two hexadecimal digits follow).
Result<std::string> unescaped(std::string_view text);

// White space becomes one arrow each, `|` becomes `/`, ends are trimmed. Not all of it can be had again:
// decompressed(compressed(t)) has single spaces. `text` is valid UTF-8.
std::string compressed(std::string_view text);
std::string decompressed(std::string_view text);

// A line in the making. A field is begin(), then its value in one or more parts; or absent().
class LineWriter {
 public:
  LineWriter(std::string_view code, Mode mode);

  // `label` empty: the field has none in either mode.
  void begin(std::string_view label);
  // An optional field without a value: nothing if labels tell, else an empty place.
  void absent();

  void text(std::string_view plain) { line_ += plain; }
  void verbatim(std::string_view value, std::string_view separators = {});
  void compress(std::string_view value) { line_ += compressed(value); }
  void count(std::string_view sign, std::int64_t value, std::string_view unit);

  std::string take() { return std::move(line_); }

 private:
  std::string line_;
  Mode mode_;
};

// Reads what a LineWriter wrote, field by field, in the same order. The first thing that does not fit ends
// it: every further call is a no-op, and end() says what it was.
class LineReader {
 public:
  // `text`: the line; from the first line break on it is not looked at. Must outlive the reader.
  LineReader(std::string_view text, std::string_view code, Mode mode);

  // The code of a line, or nothing.
  static std::string_view code_of(std::string_view text);

  // Moves into the next field. False: it is not there, which is a fault unless it is optional.
  bool begin(std::string_view label, bool optional = false);
  bool more() const { return !failed_ && next_ < fields_.size(); }
  // The next field is the whole rest of the line, whatever stands in it.
  bool begin_rest(bool optional);

  // Parts of the field at hand. `until`: what a part ends at; nothing: the field's end.
  std::string verbatim(std::string_view until = {});
  std::string compressed();
  std::int64_t count(std::string_view sign, std::string_view unit);
  // The place of the value in `known`. A part ends at `until`.
  std::size_t choice(const std::string_view* known, std::size_t count, std::string_view until = {});
  // A JSON object in canonical form.
  std::string object();
  // What stands between two parts.
  void separator(std::string_view text);

  void fail(std::string sentence);
  bool failed() const { return failed_; }
  // Errors: invalid_argument, one sentence about the first thing that does not fit.
  Result<Unit> end();

 private:
  std::string_view part(std::string_view until);
  void finish_field();

  std::string_view line_;
  Mode mode_;
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
  std::string_view value_;  // What is left of the field at hand.
  std::string_view name_;   // Its label, for faults.
  bool failed_ = false;
  std::string fault_;
};

// The answer's text: line, `---`, summary.
std::string with_summary(std::string line, std::string_view summary);

}  // namespace snapgen::linefmt
