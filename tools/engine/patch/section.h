#pragma once
// The header lines of one file's part of a patch.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/names.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Why a part of the patch is rejected.
struct SectionFault {
  RejectReason reason = RejectReason::malformed;
  PatchFault fault;
};

// What the lines between `diff --git` and the first hunk say, before it is put together.
struct ExtendedHeader {
  std::optional<FileMode> old_mode;
  std::optional<FileMode> new_mode;
  std::optional<FileMode> removed_mode;
  std::optional<FileMode> created_mode;
  std::optional<FileMode> index_mode;
  std::optional<std::string> rename_from, rename_to;
  std::optional<std::string> copy_from, copy_to;
  std::string old_oid, new_oid;
  bool submodule = false;  // A mode of 160000 was named.

  bool says_something() const {
    return old_mode || new_mode || removed_mode || created_mode || rename_from || rename_to || copy_from ||
           copy_to;
  }
};

// Reads lines for as long as they are header lines of git. Each kind of line may stand once.
std::optional<PatchFault> read_extended_header(PatchLines& lines, ExtendedHeader& out);

// Kind, names and modes. `rest` is what follows `diff --git `; `names` holds the `---` and `+++` lines if
// there are any, and gets the names that `header` knows.
std::optional<PatchFault> finish_header(std::string_view rest, const ExtendedHeader& header,
                                        HeaderNames names, FilePatch& out);

// One of the lines `--- ` and `+++ `.
struct SideLine {
  std::optional<std::string> name;  // Absent: /dev/null.
  bool is_epoch = false;  // Its timestamp is 1970-01-01 00:00:00 UTC, with which GNU diff says "no file".
};
std::optional<PatchFault> read_side(PatchLines& lines, std::string_view prefix, SideLine& out);

}  // namespace snapgen::core
