#pragma once
// Edits of the content of one file. Each returns a fault and changes nothing, or changes the text and may add
// a note. The fault has neither the index of the edit nor the path.
#include <optional>
#include <string>

#include "tools/engine/edit/edit.h"
#include "tools/engine/edit/edited_text.h"

namespace snapgen::core {

// What an edit may report.
struct EditReport {
  bool wants_details = true;  // Search for similar texts if the edit has a fault.
  std::string note;           // Empty: the edit was made as it is.
};

// Returns the text with CR LF for each line end, if all lines of the file end so and none of the text does.
std::string with_line_ends_of(const EditedText& text, std::string_view lines);

std::optional<EditFault> apply_text_edit(const TextEdit& edit, EditedText& text, EditReport& report);

// `stored_content`: a content with the blob of the edit, to show what has changed; nullopt: there is none.
std::optional<EditFault> apply_lines_edit(const LinesEdit& edit, EditedText& text,
                                          const std::optional<std::string>& stored_content,
                                          EditReport& report);
// Returns true if the blob of the edit is that of the original content.
bool has_blob_of(const LinesEdit& edit, EditedText& text);

// Returns true if the text has `new_text` around the `old_text` at `offset`: replacing it would add a second
// time what was added before. Words at the ends of `new_text` must end there.
bool has_around(const EditedText& text, std::size_t offset, std::string_view old_text,
                std::string_view new_text);

}  // namespace snapgen::core
