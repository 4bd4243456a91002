#pragma once
// All generated readers, by number. make_table generates table.cc.
#include <span>
#include <string>
#include <string_view>

#include "runtime/json/reader.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"

namespace snapgen::readers {

struct ReadText {
  bool fits = false;
  std::string written;      // If the value is valid: the text that the writer makes of it,
  bool reads_again = true;  // and whether that text is read and written again unchanged.
  std::string complaint;    // If the value is invalid: the first violation, or the syntax error.
};

struct GeneratedReader {
  std::string_view file;     // schemas/substrate/snapshot_create.json
  std::string_view pointer;  // /inputSchema
  std::string_view type;     // ::snapgen::tools::SnapshotCreateInput
  ReadText (*read)(std::string_view text);
};

std::span<const GeneratedReader> table();

template <class T, class Read>
ReadText read_text(std::string_view text, Read read_value) {
  ReadText result;
  T value{};
  json::Reader in(text);
  read_value(in, value);
  in.end();
  result.fits = in.ok();
  if (!result.fits) {
    result.complaint = in.syntax_ok() && !in.violations().empty()
                           ? in.violations().front().pointer + ": " + in.violations().front().message
                           : std::string(in.error_message());
    return result;
  }
  result.written = json::to_json(value);
  // A json::Raw stores its source text, so values are compared after they were written once.
  T again{}, once_more{};
  for (T* each : {&again, &once_more}) {
    json::Reader in_again(result.written);
    read_value(in_again, *each);
    in_again.end();
    result.reads_again = result.reads_again && in_again.ok() && json::to_json(*each) == result.written;
  }
  result.reads_again = result.reads_again && again == once_more;
  return result;
}

}  // namespace snapgen::readers
