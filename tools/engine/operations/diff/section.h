#pragma once
// One file's section of a unified diff, as `git diff --no-renames` prints it.
//
// Object names on `index` lines always have seven digits, git's minimum, regardless of the number of objects:
// the same two contents always give the same text.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/repository/oid.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {

// One side of a compared file.
struct DiffSide {
  std::uint32_t mode = 0;            // As in git; 0: the file does not exist.
  std::optional<std::int64_t> size;  // In bytes, if known before reading.
  std::optional<git::Oid> oid;       // The object id of the content, if known.
  std::function<Result<std::string>()> read;
};

struct DiffPair {
  std::string path;
  DiffSide before;
  DiffSide after;
  std::optional<bool> binary;  // The value of the attribute `diff`.
};

struct DiffSection {
  std::string text;
  bool cut = false;  // The text exceeded the limit and is incomplete.
  std::int64_t added_lines = 0;
  std::int64_t removed_lines = 0;
  bool binary = false;
  bool too_large = false;                      // The file was not compared, and there is no text.
  TextEncoding encoding = TextEncoding::utf8;  // That of the new file, or of the deleted one.
  ChangeStatus status = ChangeStatus::modified;
};

struct SectionLimits {
  std::uint32_t context = 3;
  std::int64_t file_bytes_max = 64 << 20;  // Larger files are not compared.
  std::size_t text_bytes_max = 0;
};

// The section of a pair; nullopt if its sides are equal. `encodings` converts texts that are not in UTF-8;
// null: the section has the bytes of the files. Errors: those of reading; unavailable.
Result<std::optional<DiffSection>> section_of(const DiffPair& pair, HashKind kind,
                                              const SectionLimits& limits,
                                              TextEncodings* encodings = nullptr);

// The first line of a file's section with its line feed, and the prefix of all such lines. A file that
// changed its type has two sections with the same first line.
std::string section_header(std::string_view path);
inline constexpr std::string_view section_prefix = "diff --git ";
// Removes and returns the next section of a diff. No other line of a section begins like its first.
std::string_view take_section(std::string_view& diff);

// A name in a header, quoted if necessary like git with the default core.quotePath.
std::string quoted_name(std::string_view prefix, std::string_view path);

}  // namespace snapgen::core
