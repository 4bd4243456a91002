#pragma once
// An answer as a single line of fields, which costs a model few tokens:
//
//   🧢|S|id:task_1|risk:M|prot:85        labeled: each field has its name
//   🧢|S|task_1|M|85                     compact: the position identifies the field
//
// The schema files define the fields of each line. The code that writes and reads a line is generated, and
// calls these functions.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::linefmt {

inline constexpr std::string_view line_prefix = "🧢";             // Every line begins with this emoji.
inline constexpr std::string_view summary_separator = "\n---\n";  // This is between a line and its summary.

enum class Mode : std::uint8_t { labeled, compact };

// Escapes `%`, `|`, CR, LF, the bytes of hidden characters (runtime/base/visible.h) and those in `more` as %
// and two hexadecimal digits.
std::string escaped(std::string_view text, std::string_view more = {});
// Reverses escaped(). Errors: invalid_argument (a % without two hexadecimal digits).
Result<std::string> unescaped(std::string_view text);

// Replaces each run of white space with an arrow, `|` with `/`, and hidden characters with their codes, and
// trims both ends. This loses information: arrows_to_spaces(spaces_to_arrows(t)) has single spaces. `text`
// must be valid UTF-8.
std::string spaces_to_arrows(std::string_view text);
std::string arrows_to_spaces(std::string_view text);

// Writes one line. A field is begin_field() and then its value in one or more
// parts, or write_absent_field().
class LineWriter {
 public:
  LineWriter(std::string_view code, Mode mode);

  // Begins a field. If `label` is empty, the field has no label in either mode.
  void begin_field(std::string_view label);
  // Writes an optional field without a value: nothing in labeled mode, an empty field in compact mode.
  void write_absent_field();

  void write_text(std::string_view plain) { line_ += plain; }
  void write_verbatim(std::string_view value, std::string_view separators = {});
  void write_compressed(std::string_view value) { line_ += spaces_to_arrows(value); }
  void write_count(std::string_view sign, std::int64_t value, std::string_view unit);

  std::string take() { return std::move(line_); }

 private:
  std::string line_;
  Mode mode_;
};

// Reads the fields that a LineWriter wrote, in the same order. After the first error every call is a no-op,
// and end() returns the error.
class LineReader {
 public:
  // `text` begins with the line and must outlive the reader. Anything after the first line break is ignored.
  LineReader(std::string_view text, std::string_view code, Mode mode);

  // Returns the code of a line (its second field), or an empty text if it has none.
  static std::string_view code_of(std::string_view text);

  // Moves to the next field. Returns false if it is absent, which is an error unless it is optional.
  bool begin_field(std::string_view label, bool optional = false);
  bool has_more_fields() const { return !failed_ && next_ < fields_.size(); }
  // Takes the rest of the line as one field, including separators.
  bool begin_rest_field(bool optional);

  // These read a part of the current field, up to `until`, or to the field's end if `until` is empty.
  std::string read_verbatim(std::string_view until = {});
  std::string read_compressed();
  std::int64_t read_count(std::string_view sign, std::string_view unit);
  // Reads a part that ends before `until`, and returns its index in `known`.
  std::size_t read_choice(const std::string_view* known, std::size_t count, std::string_view until = {});
  // Reads a JSON object, and returns it in canonical form.
  std::string read_object();
  // Skips the separator between two parts.
  void skip_separator(std::string_view text);

  void fail(std::string sentence);
  bool has_failed() const { return failed_; }
  // Ends the line. Errors: invalid_argument (the first error, in one sentence).
  Result<Unit> end();

 private:
  std::string_view take_until(std::string_view until);
  void finish_field();

  std::string_view line_;
  Mode mode_;
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
  std::string_view value_;  // The unread rest of the current field.
  std::string_view name_;   // The current field's label, for error messages.
  bool failed_ = false;
  std::string first_error_;
};

// Joins a line, `---` and its summary, in which hidden characters become visible.
std::string with_summary(std::string line, std::string_view summary);

}  // namespace snapgen::linefmt
