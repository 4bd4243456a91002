#pragma once
// Findings: errors in the schema files. A run collects those of all stages before it reports them.
#include <cstddef>
#include <string>
#include <vector>

namespace snapgen::codegen {

struct File;

// The location of a value inside a schema file.
struct SourceLocation {
  const File* file = nullptr;
  std::size_t offset = 0;  // Number of bytes before the value in its file.
  std::string pointer;     // A JSON Pointer (RFC 6901); empty for the root.
};

// Returns the location of a member or element of the value at `place`.
SourceLocation inner_location(const SourceLocation& location, std::string_view token, std::size_t offset);

struct Finding {
  std::string file;
  std::size_t line = 0;    // The first line is 1; 0 means the whole file.
  std::size_t column = 0;  // The column in bytes; the first one is 1.
  std::string pointer;
  std::string sentence;
  std::string proposal;  // The text that the author probably meant, or empty.
  auto operator<=>(const Finding&) const = default;
};

// Returns the finding on one line: schemas/wire/check.json:12:7: /inputSchema/properties/a: one sentence; did
// you mean "b"?
std::string finding_line(const Finding& finding);

class Findings {
 public:
  void add(const SourceLocation& location, std::string sentence);
  void add(const std::string& file, std::string sentence);  // Adds a finding about the whole file.
  bool empty() const { return findings_.empty(); }
  std::size_t size() const { return findings_.size(); }

  // Returns the findings by file, line, column and sentence, without duplicates.
  std::vector<Finding> sorted() const;
  std::vector<std::string> lines() const;

 private:
  std::vector<Finding> findings_;
};

// Returns one line for each finding, as finding_line() does. `colour` adds terminal escape sequences.
std::string report_text(const std::vector<Finding>& findings, bool colour);

// Returns the findings as JSON and a line break:
// {"findings":[{"column":7,"file":"...","line":12,"pointer":"/a","proposal":"...","sentence":"..."}]} Omits
// `line` and `column` for a whole file, and an empty `proposal`.
std::string report_json(const std::vector<Finding>& findings);

// Returns the end of a sentence, "; did you mean "known"?", if one of `names` is similar, else an empty text.
// A Finding stores it separately as its proposal.
std::string suggestion_clause(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace snapgen::codegen
