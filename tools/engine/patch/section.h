#pragma once
// The header lines of one file's part of a patch.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/patch/lines.h"
#include "tools/engine/patch/names.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Why a part of the patch is rejected.
struct SectionFault {
  RejectReason reason = RejectReason::malformed;
  PatchFault fault;
};

// The values of the lines between `diff --git` and the first hunk, before they are combined.
struct ExtendedHeader {
  std::optional<FileMode> old_mode;
  std::optional<FileMode> new_mode;
  std::optional<FileMode> removed_mode;
  std::optional<FileMode> created_mode;
  std::optional<FileMode> index_mode;
  std::optional<std::string> rename_from, rename_to;
  std::optional<std::string> copy_from, copy_to;
  std::string old_oid, new_oid;
  bool submodule = false;  // The header has a mode of 160000.

  bool describes_change() const {
    return old_mode || new_mode || removed_mode || created_mode || rename_from || rename_to || copy_from ||
           copy_to;
  }
};

// Reads git's header lines up to the first other line. Each kind of line may occur once.
std::optional<PatchFault> read_extended_header(PatchLines& lines, ExtendedHeader& out);

// Sets the kind, names and modes. `rest` is the text after `diff --git `. `names` has the names of the `---`
// and `+++` lines, if any, and receives those of `header`.
std::optional<PatchFault> finish_header(std::string_view rest, const ExtendedHeader& header,
                                        HeaderNames names, FilePatch& out);

}  // namespace snapgen::core
