#pragma once
// Reads the text of a settings file into the struct of its schema.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/reader.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {

// `file` is its name in the errors. Errors: invalid_argument, a sentence with the location, the problem and a
// suggestion.
template <class T>
Result<T> settings_of_text(std::string_view text, std::string_view file) {
  const auto wrong = [&](const std::string& problem) {
    return Error(ErrorCode::invalid_argument, std::string(file) + ": " + with_full_stop(problem));
  };
  if (!json::valid_utf8(text)) return wrong("the file is not valid UTF-8");
  if (text.starts_with("\xef\xbb\xbf"))
    return wrong("the file begins with a byte order mark; save it as UTF-8 without one");
  T settings;
  json::Reader in(text);
  read(in, settings);
  in.end();
  if (!in.syntax_ok()) {
    const json::LineColumn at = json::line_column_at(text, in.error_offset());
    return wrong("not JSON at line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                 ": " + std::string(in.error_message()));
  }
  if (in.ok()) return settings;
  const json::Violation first = in.violations().front();
  const std::string where = first.pointer.empty() ? "the file" : core::path_in_sentence(first.pointer);
  return wrong(where + ": " + first.message);
}

}  // namespace snapgen::tools
