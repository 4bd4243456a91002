#pragma once
// Reader: reads one JSON text in one pass directly into structs. Generated readers call it; there is no
// intermediate tree.
//
// There are two kinds of failure. If the text is not JSON (RFC 8259, strict), every further call is a no-op
// and syntax_ok() is false. If the text violates the schema, the reader records a Violation, skips the value
// and continues, so that one pass finds every violation. A valid text pays nothing for this: violations store
// byte offsets, and violations() computes their JSON Pointers.
//
// The text must be valid UTF-8 (json::valid_utf8) and must outlive the reader.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

inline constexpr int depth_max = 512;  // Limit for nested arrays and objects; more is a syntax error.
// How many violations are stored. Further ones are only counted, so that no text can exhaust memory.
inline constexpr std::size_t violations_max = 1000;

bool valid_utf8(std::string_view text);

enum class Kind : std::uint8_t { object, array, string, number, boolean, null, invalid };

struct Violation {
  // The JSON Pointer (RFC 6901) of the value, or of the object that lacks a property for `required`.
  std::string pointer;
  // The JSON Schema keyword that failed: "type", "required", "additionalProperties", ... The non-standard
  // "duplicate" reports a property that occurs twice.
  std::string_view keyword;
  // One sentence: the expected value, the actual value, and what was probably meant.
  std::string message;
  std::size_t rule_size = 0;

  // Returns the beginning of the message that quotes nothing of the text, such as "expected a string"; empty
  // if the message has no such part.
  std::string_view rule() const { return std::string_view(message).substr(0, rule_size); }
};

class Reader {
 public:
  explicit Reader(std::string_view text);
  Reader(Reader&&) = delete;

  bool syntax_ok() const { return syntax_error_ == nullptr; }       // No syntax error so far.
  bool ok() const { return syntax_ok() && violation_count_ == 0; }  // syntax_ok() and no violation.
  std::size_t error_offset() const { return error_offset_; }        // The offset of the syntax error.
  std::string_view error_message() const;                           // Such as "unterminated string".
  std::vector<Violation> violations() const;  // The violations in the order of the text.

  Kind peek();                                           // The next value's kind, by its first byte.
  std::size_t offset();                                  // The offset of the next value.
  std::size_t key_offset() const;                        // The offset of the last key from next_key.
  std::string_view number_at(std::size_t offset) const;  // The number at an offset, as written.

  // Each of these functions reads one value. A value of another type is skipped and reported as a violation
  // of `type`; `out` is then unchanged, and the result is false.
  bool string(std::string& out);
  bool string(std::string_view& out);       // Valid until the next call of string().
  bool integer(std::int64_t& out);          // 1, 1.0 and 1e0 are the integer 1.
  bool integer(std::uint64_t& out);         // The same for integers from 0 to 2^64-1.
  bool number(double& out);                 // A number beyond a double is a violation.
  bool number_text(std::string_view& out);  // A number of any size, as written.
  bool boolean(bool& out);
  bool null();
  void raw(std::string& out);       // The JSON text of any value, verbatim.
  void raw(std::string_view& out);  // The same as a view; empty after a syntax error.
  void skip();                      // Skips any value; checks its full syntax.

  // These read an object. `key` is valid until the next call of next_key() at any level:
  //   if (in.begin_object()) { std::string_view key; while (in.next_key(key)) { ...exactly one value... } }
  bool begin_object();
  bool next_key(std::string_view& key);
  // These read an array: if (in.begin_array()) while (in.next_element()) { ...exactly one value... }
  bool begin_array();
  bool next_element();

  // Sets `out` to the string member `name` of the next object, but does not consume the object. It is for
  // unions with a tag. Returns false if the next value is not an object or has no such string member.
  bool peek_member(std::string_view name, std::string& out);

  void end();  // Ends the text: only white space may follow.

  // Skips the member `name` of the outermost object if its reader does not know it, instead of reporting it.
  // Call it before reading. `name` must outlive the reader; empty names no member.
  void ignore_member(std::string_view name) { ignored_member_ = name; }

  // Reports a violation by the value at `offset`. Generated code calls it. The message is `rule`, which
  // quotes nothing of the text, and then `found`.
  void report_violation(std::size_t offset, std::string_view keyword, std::string rule,
                        std::string_view found = {});
  // Reports that the next value has the wrong type, and skips it. `expected` is the "a string" of "expected a
  // string, found 3".
  void report_wrong_type(std::string_view expected);
  // Reports a string that is not one of `known`, and proposes the most similar of these.
  void report_not_in_enum(std::size_t offset, std::string_view found, const std::string_view* known,
                          std::size_t count);
  // Reports the last key from next_key() as unknown, proposes the most similar name, and skips the value.
  void report_unknown_key(std::string_view key, const std::string_view* known, std::size_t count);
  void report_duplicate_key(std::string_view key);  // Reports a repeated key and skips its value.
  std::size_t violation_count() const { return violation_count_; }
  // Returns for each item of the array at `offset` whether a violation was recorded in it; empty if none was.
  // The array must be the value that was read last.
  std::vector<bool> items_with_violations(std::size_t offset) const;

  // A saved position, to try the alternatives of a union without a tag. rewind() drops the violations
  // recorded since mark().
  struct Mark {
    std::size_t position;
    std::size_t violation_count;
    int depth;
  };
  Mark mark() const;
  void rewind(const Mark& mark);

 private:
  friend class PlanCheck;
  struct DeferredViolation {
    std::size_t offset;
    std::string_view keyword;
    std::string message;
    std::size_t rule_size;
  };

  // Whether the member `key` of an object at this depth is to be skipped if it is unknown.
  bool ignores(std::string_view key, int depth) const {
    return depth == 1 && !ignored_member_.empty() && key == ignored_member_;
  }
  void skip_space();
  bool at(char byte) const { return at_ != end_ && *at_ == byte; }
  bool fail(const char* where, const char* message);  // Reports a syntax error; returns false.
  bool fail_here(const char* message);                // Calls fail() for the byte at at_.
  bool report_wrong_kind(std::string_view expected);  // Calls report_wrong_type; returns false.
  bool report_begin_failure(char bracket);
  bool read_literal(std::string_view literal);
  bool report_wrong_number(const char* from, std::string_view expected);
  // Consumes a string without escapes and sets `from` and `to` to its content. Returns false and consumes
  // nothing if the next byte does not begin such a string.
  bool skip_unescaped_string(const char*& from, const char*& to);
  bool string_slow(std::string& out);
  bool string_slow(std::string_view& out);
  bool next_key_slow(std::string_view& key);
  bool next_element_slow();
  bool read_short_integer(const char* digits, std::uint64_t& out);  // Reads at most 18 digits.
  template <class T>
  bool integer_slow(T& out, std::string_view range);
  bool integer_slow(std::int64_t& out);
  bool integer_slow(std::uint64_t& out);
  bool skip_number();
  bool skip_string();
  bool skip_key();
  bool skip_escape();                                           // Skips the escape that begins at at_.
  bool decode_escape(char*& out);                               // Decodes the escape at at_ to 1 to 4 bytes.
  bool read_code_unit(const char* where, std::uint32_t& unit);  // Reads four hexadecimal digits.
  bool read_code_point(std::uint32_t& point);  // Reads one or two \u escapes, after the first \u.
  void skip_blocks();                          // Skips whole blocks of valid escapes and plain bytes.
  void unescape_block(
      // Unescapes the next block, up to a byte that is neither plain nor a one-letter escape.
      char*& out);
  // Unescapes the string that begins at `from`. at_ must be at its first byte that is not plain (see scan.h).
  bool unescape(const char* from, std::string& out);

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* key_at_;
  const char* syntax_error_ = nullptr;  // After a syntax error, at_ is end_, so all calls do nothing.
  std::size_t error_offset_ = 0;
  int depth_ = 0;
  bool expects_first_ = false;  // Whether no element followed the opening bracket yet.
  std::string_view ignored_member_;
  std::string key_;  // A key that had to be unescaped.
  std::string scratch_;
  std::vector<DeferredViolation> deferred_violations_;
  std::size_t violation_count_ = 0;
  int open_plan_checks_ = 0;  // How many of the open values PlanCheck checks against a plan.
};

// Returns the RFC 6901 pointer of the value or key at `offset` in `text`, which must be valid JSON.
std::string pointer_at(std::string_view text, std::size_t offset);

}  // namespace snapgen::json

#include "runtime/json/reader_inline.h"
