#include "tools/engine/patch/section.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/file_header.h"

namespace snapgen::core {
namespace {

bool is_object_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_lower_hex_digit);
}

bool is_percentage(std::string_view text) {
  if (!text.ends_with('%')) return false;
  text.remove_suffix(1);
  bool digits = !text.empty() && text.size() <= 3 && std::ranges::all_of(text, is_digit);
  return digits && (text.size() < 3 || text == "100");
}

// HeaderFields parses single header lines. A line is invalid if its value is malformed or if it occurs twice.
class HeaderFields {
 public:
  explicit HeaderFields(ExtendedHeader& header) : header_(header) {}

  // Returns true if `line` is a header line, and sets `good` to whether it is valid.
  bool read(std::string_view line, bool& good) {
    if (take_prefix(line, "old mode ")) return good = mode(line, header_.old_mode), true;
    if (take_prefix(line, "new mode ")) return good = mode(line, header_.new_mode), true;
    if (take_prefix(line, "deleted file mode ")) return good = mode(line, header_.removed_mode), true;
    if (take_prefix(line, "new file mode ")) return good = mode(line, header_.created_mode), true;
    if (take_prefix(line, "rename from ")) return good = name(line, header_.rename_from), true;
    if (take_prefix(line, "rename to ")) return good = name(line, header_.rename_to), true;
    if (take_prefix(line, "copy from ")) return good = name(line, header_.copy_from), true;
    if (take_prefix(line, "copy to ")) return good = name(line, header_.copy_to), true;
    if (take_prefix(line, "similarity index ")) return good = is_percentage(line), true;
    if (take_prefix(line, "dissimilarity index ")) return good = is_percentage(line), true;
    if (take_prefix(line, "index ")) return good = index(line), true;
    return false;
  }

 private:
  bool mode(std::string_view text, std::optional<FileMode>& out) {
    if (text == "160000") {
      header_.submodule = true;
      return true;
    }
    if (out) return false;
    for (FileMode mode : {FileMode::plain, FileMode::executable, FileMode::symlink}) {
      if (text == core::git_mode_text(mode)) out = mode;
    }
    return out.has_value();
  }

  static bool name(std::string_view text, std::optional<std::string>& out) {
    if (out) return false;
    out = name_of_field(text);
    return out.has_value();
  }

  bool index(std::string_view text) {
    std::size_t dots = text.find("..");
    if (dots == std::string_view::npos || !header_.old_oid.empty()) return false;
    std::string_view old_oid = text.substr(0, dots);
    std::string_view rest = text.substr(dots + 2);
    std::size_t space = std::min(rest.find(' '), rest.size());
    std::string_view new_oid = rest.substr(0, space);
    if (!is_object_name(old_oid) || !is_object_name(new_oid)) return false;
    header_.old_oid = old_oid;
    header_.new_oid = new_oid;
    return space == rest.size() || mode(rest.substr(space + 1), header_.index_mode);
  }

  ExtendedHeader& header_;
};

std::string_view contradiction(const ExtendedHeader& h) {
  bool renames = h.rename_from || h.rename_to;
  bool copies = h.copy_from || h.copy_to;
  if (h.rename_from.has_value() != h.rename_to.has_value())
    return "rename from and rename to must be used together";
  if (h.copy_from.has_value() != h.copy_to.has_value()) return "copy from and copy to must be used together";
  if (!h.submodule && h.old_mode.has_value() != h.new_mode.has_value())
    return "old mode and new mode must be used together";
  int kinds = (h.created_mode ? 1 : 0) + (h.removed_mode ? 1 : 0) + (renames ? 1 : 0) + (copies ? 1 : 0);
  if (kinds > 1) return "the header says more than one of created, deleted, renamed and copied";
  if ((h.created_mode || h.removed_mode) && h.old_mode)
    return "a file that is created or deleted cannot change its mode too";
  if (h.old_mode && h.new_mode && (*h.old_mode == FileMode::symlink) != (*h.new_mode == FileMode::symlink))
    return "a file becomes a symlink, or the reverse, by a deletion and a creation, not by a change of mode";
  return {};
}

}  // namespace

std::optional<PatchFault> read_extended_header(PatchLines& lines, ExtendedHeader& out) {
  HeaderFields fields(out);
  while (!lines.at_end()) {
    bool good = true;
    if (!fields.read(lines.header_line(), good)) return std::nullopt;
    if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
    if (!good) return PatchFault{lines.number(), "this header line is incomplete or repeated"};
    lines.advance();
  }
  return std::nullopt;
}

std::optional<PatchFault> finish_header(std::string_view rest, const ExtendedHeader& header,
                                        HeaderNames names, FilePatch& out) {
  auto fault = [&out](std::string_view message) { return PatchFault{out.patch_line, std::string(message)}; };
  std::string_view wrong = contradiction(header);
  if (!wrong.empty()) return fault(wrong);

  out.kind = FilePatch::Kind::modify;
  if (header.created_mode) out.kind = FilePatch::Kind::create;
  if (header.removed_mode) out.kind = FilePatch::Kind::remove;
  if (header.rename_from) out.kind = FilePatch::Kind::rename;
  if (header.copy_from) out.kind = FilePatch::Kind::copy;
  names.from = header.rename_from ? header.rename_from : header.copy_from;
  names.to = header.rename_to ? header.rename_to : header.copy_to;

  auto paths = section_names(rest, names);
  if (!paths) return fault("the names in the header lines of this file do not agree");
  if (out.kind != FilePatch::Kind::create) out.old_path = std::move(paths->first);
  if (out.kind != FilePatch::Kind::remove) out.new_path = std::move(paths->second);
  out.old_mode = header.old_mode       ? header.old_mode
                 : header.removed_mode ? header.removed_mode
                                       : header.index_mode;
  out.new_mode = header.new_mode ? header.new_mode : header.created_mode;
  out.old_oid = header.old_oid;
  out.new_oid = header.new_oid;
  return std::nullopt;
}

}  // namespace snapgen::core
