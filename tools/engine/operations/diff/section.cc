#include "tools/engine/operations/diff/section.h"

#include <algorithm>
#include <cstdio>

#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/status/text_diff.h"

namespace snapgen::core {
namespace {

constexpr std::size_t oid_digits = 7;
constexpr std::string_view nothing = "/dev/null";

std::string octal(std::uint32_t mode) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%06o", mode);
  return digits;
}

struct Read {
  std::string bytes;  // Or the text that was converted from them.
  git::Oid oid;
};

Result<Read> read_side(const DiffSide& side, HashKind kind) {
  Read out;
  if (side.mode == 0) {
    out.oid.size = static_cast<std::uint8_t>(digest_size(kind));
    return out;
  }
  out.bytes = TRY(side.read());
  out.oid = side.oid ? *side.oid : git::object_oid(kind, "blob", out.bytes);
  return out;
}

// Appends the section of a file that is added, deleted, or retains its type.
Result<Unit> append_change(DiffSection& section, const DiffPair& pair, const Read& before, const Read& after,
                           const SectionLimits& limits) {
  std::uint32_t old_mode = pair.before.mode;
  std::uint32_t new_mode = pair.after.mode;
  std::string old_name = old_mode == 0 ? std::string(nothing) : quoted_name("a/", pair.path);
  std::string new_name = new_mode == 0 ? std::string(nothing) : quoted_name("b/", pair.path);
  std::string text = section_header(pair.path);
  if (old_mode == 0) {
    text += "new file mode " + octal(new_mode) + "\n";
  } else if (new_mode == 0) {
    text += "deleted file mode " + octal(old_mode) + "\n";
  } else if (old_mode != new_mode) {
    text += "old mode " + octal(old_mode) + "\nnew mode " + octal(new_mode) + "\n";
  }
  if (before.oid != after.oid) {
    text += "index " + before.oid.hex().substr(0, oid_digits) + ".." + after.oid.hex().substr(0, oid_digits);
    if (old_mode == new_mode) text += " " + octal(old_mode);
    text += "\n";
  }
  bool binary = looks_binary(before.bytes) || looks_binary(after.bytes);
  if (pair.binary && (git::is_regular(old_mode) || git::is_regular(new_mode))) binary = *pair.binary;
  section.binary = section.binary || binary;
  TextDiff hunks;
  if (before.bytes != after.bytes && binary) {
    text += "Binary files " + old_name + " and " + new_name + " differ\n";
  } else if (before.bytes != after.bytes) {
    std::size_t room = limits.text_bytes_max - std::min(limits.text_bytes_max, section.text.size());
    Result<TextDiff> compared = diff_texts(before.bytes, after.bytes, limits.context, room);
    if (!compared && compared.error().code == ErrorCode::too_large)
      compared.error().message = path_in_sentence(pair.path) + ": " + compared.error().message;
    hunks = TRY(std::move(compared));
    // A tab ends a name with spaces, because patch(1) would parse the rest of the name as a time.
    std::string_view tab = pair.path.find(' ') == std::string::npos ? "" : "\t";
    text += "--- " + old_name + std::string(old_mode == 0 ? "" : tab) + "\n";
    text += "+++ " + new_name + std::string(new_mode == 0 ? "" : tab) + "\n";
  }
  section.added_lines += hunks.added_lines;
  section.removed_lines += hunks.removed_lines;
  section.cut = section.cut || hunks.cut ||
                section.text.size() + text.size() + hunks.text.size() > limits.text_bytes_max;
  if (section.cut) {
    section.text.clear();
  } else {
    section.text += text + hunks.text;
  }
  return Unit{};
}

// Converts the sides if they are texts in another encoding than UTF-8. If only their encoding differs, they
// remain bytes, so that there is a difference.
void convert(const DiffPair& pair, TextEncodings& encodings, Read& before, Read& after,
             DiffSection& section) {
  const auto decode = [&](const DiffSide& side, const Read& read) {
    return git::is_regular(side.mode) ? encodings.decode(pair.path, read.bytes) : std::nullopt;
  };
  std::optional<DecodedText> old_text = decode(pair.before, before);
  std::optional<DecodedText> new_text = decode(pair.after, after);
  const std::string_view old_shown = old_text ? old_text->text : before.bytes;
  const std::string_view new_shown = new_text ? new_text->text : after.bytes;
  if (old_shown == new_shown && before.bytes != after.bytes) return;
  const std::optional<DecodedText>& last = pair.after.mode == 0 ? old_text : new_text;
  if (last) section.encoding = last->encoding.encoding;
  if (old_text) before.bytes = std::move(old_text->text);
  if (new_text) after.bytes = std::move(new_text->text);
}

bool is_large(const DiffSide& side, const SectionLimits& limits) {
  return side.mode != 0 && side.size && *side.size > limits.file_bytes_max;
}

}  // namespace

std::string quoted_name(std::string_view prefix, std::string_view path) {
  std::string out = std::string(prefix) + std::string(path);
  bool plain = std::all_of(out.begin(), out.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
  });
  if (plain) return out;
  std::string quoted = "\"";
  for (char c : out) {
    constexpr std::string_view letters = "abtnvfr";  // The escapes of the bytes 7 to 13.
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte >= 7 && byte <= 13) {
      quoted += '\\';
      quoted += letters[byte - 7u];
    } else if (byte < 0x20 || byte >= 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(byte));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string section_header(std::string_view path) {
  return std::string(section_prefix) + quoted_name("a/", path) + " " + quoted_name("b/", path) + "\n";
}

std::string_view take_section(std::string_view& diff) {
  std::size_t end = diff.find("\n" + std::string(section_prefix), 1);
  end = end == std::string_view::npos ? diff.size() : end + 1;
  std::string_view part = diff.substr(0, end);
  diff.remove_prefix(end);
  return part;
}

Result<std::optional<DiffSection>> section_of(const DiffPair& pair, HashKind kind,
                                              const SectionLimits& limits, TextEncodings* encodings) {
  DiffSection section;
  std::uint32_t old_mode = pair.before.mode;
  std::uint32_t new_mode = pair.after.mode;
  bool other_kind = old_mode != 0 && new_mode != 0 && ((old_mode ^ new_mode) & git::mode_type_mask) != 0;
  if (old_mode == 0) {
    section.status = ChangeStatus::added;
  } else if (new_mode == 0) {
    section.status = ChangeStatus::deleted;
  } else if (other_kind) {
    section.status = ChangeStatus::type_changed;
  }
  if (is_large(pair.before, limits) || is_large(pair.after, limits)) {
    section.too_large = true;
    return std::optional(std::move(section));
  }
  Read before = TRY(read_side(pair.before, kind));
  Read after = TRY(read_side(pair.after, kind));
  if (old_mode == new_mode && before.oid == after.oid && before.bytes == after.bytes)
    return std::optional<DiffSection>();
  if (encodings != nullptr) convert(pair, *encodings, before, after, section);
  if (other_kind) {
    // A changed type has two sections, as in git: one deletes the old file, another adds the new one.
    Read none;
    none.oid.size = before.oid.size;
    DiffPair deleted{.path = pair.path, .before = pair.before, .after = {}, .binary = pair.binary};
    DiffPair come{.path = pair.path, .before = {}, .after = pair.after, .binary = pair.binary};
    TRY(append_change(section, deleted, before, none, limits));
    TRY(append_change(section, come, none, after, limits));
    return std::optional(std::move(section));
  }
  if (old_mode != 0 && new_mode != 0 && before.bytes == after.bytes && before.oid == after.oid)
    section.status = ChangeStatus::mode_changed;
  TRY(append_change(section, pair, before, after, limits));
  return std::optional(std::move(section));
}

}  // namespace snapgen::core
