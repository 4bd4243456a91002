#pragma once
// Findings: errors in the schema files. A run collects those of all stages before it reports them.
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace snapgen::codegen {

struct File;

// A value inside a schema file.
struct SourceLocation {
  const File* file = nullptr;
  std::size_t offset = 0;  // Bytes from the start of the file.
  std::string pointer;     // RFC 6901; empty for the root.
};

// The location of a member or element of the value at `place`.
SourceLocation below(const SourceLocation& place, std::string_view token, std::size_t offset);

struct Finding {
  std::string file;
  std::size_t line = 0;    // From 1; 0: the whole file.
  std::size_t column = 0;  // From 1, in bytes.
  std::string pointer;
  std::string sentence;
  std::string proposal;  // The replacement that was probably meant; or empty.
  auto operator<=>(const Finding&) const = default;
};

// schemas/wire/check.json:12:7: /inputSchema/properties/a: one sentence; did you mean "b"?
std::string line(const Finding& finding);

class Findings {
 public:
  void add(const SourceLocation& place, std::string sentence);
  void add(const std::string& file, std::string sentence);  // about the whole file
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }

  // Sorted by file, line, column and sentence, without duplicates.
  std::vector<Finding> sorted() const;
  std::vector<std::string> lines() const;

 private:
  std::vector<Finding> all_;
};

// The end of a sentence: "; did you mean "known"?" if one of `names` is similar, else empty. A Finding stores
// it separately as its proposal.
std::string meant(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace snapgen::codegen
