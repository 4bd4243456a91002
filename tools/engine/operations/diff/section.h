#pragma once
// One file's part of a unified diff, as `git diff --no-renames` prints it.
//
// Object names on `index` lines have seven digits, git's least, however many objects a repository holds: the
// same two contents always give the same text.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/oid.h"
#include "tools/engine/operations/diff/changes.h"

namespace snapgen::core {

// One side of a compared file.
struct DiffSide {
  std::uint32_t mode = 0;            // As git writes it; 0: there is no such file.
  std::optional<std::int64_t> size;  // In bytes, if it is known before reading.
  std::optional<git::Oid> oid;       // If it is known.
  std::function<Result<std::string>()> read;
};

struct DiffPair {
  std::string path;
  DiffSide before;
  DiffSide after;
  std::optional<bool> binary;  // What the attribute `diff` says of it.
};

struct Section {
  std::string text;
  bool cut = false;  // The text grew beyond the limit, and is not whole.
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool binary = false;
  bool too_large = false;  // Nobody looked into it, and there is no text.
  ChangeStatus status = ChangeStatus::modified;
};

struct SectionLimits {
  std::uint32_t context = 3;
  std::int64_t file_bytes_max = 64 << 20;  // Larger files are not looked into.
  std::size_t text_bytes_max = 0;
};

// None: the two are the same. Errors: those of reading; unavailable.
Result<std::optional<Section>> section_of(const DiffPair& pair, HashKind kind, const SectionLimits& limits);

// The first line of a file's part, with its line feed, and what all such lines begin with. A file that became
// one of another kind has two parts, with the same first line.
std::string section_header(std::string_view path);
inline constexpr std::string_view section_mark = "diff --git ";
// Takes the next part off the front of a diff. No line within a part begins like its first.
std::string_view take_section(std::string_view& diff);

// A name in a header: quoted as core.quotePath has it by default, if that is needed.
std::string quoted_name(std::string_view prefix, std::string_view path);

}  // namespace snapgen::core
