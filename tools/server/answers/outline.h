#pragma once
// Outline: a JSON value as indented lines, for models to read.
//
//   passed: true
//   notes: 2 documents compared, no tests found
//   findings:
//   - code=merge_conflict, line=1, path=src/main.ts
//
// Strings have no quotes; a string with several lines is indented below its name. Empty strings, arrays and
// objects are omitted, and ids of snapshots and blobs have the short form that tools accept.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::tools {

// Appends the members of `object`, one JSON object, except those in `left_out` and sentences that are part of
// `already_said`. Appends nothing if it is not an object.
void append_outline(std::string& out, std::string_view object,
                    std::span<const std::string_view> left_out = {}, std::string_view already_said = {});

}  // namespace snapgen::tools
