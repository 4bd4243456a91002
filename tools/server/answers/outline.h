#pragma once
// Outline: a JSON value as indented lines, for models to read.
//
//   passed: true
//   notes: 2 documents compared, no tests found
//   findings:
//   - code=merge_conflict, line=1, path=src/main.ts
//
// Strings stand without quotes, and one of several lines stands indented below its name. Empty strings,
// arrays and objects are left out, and ids of snapshots and blobs are shortened to the form that tools take.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::tools {

// Appends the members of `object`, one JSON object, but for those named in `left_out`. Nothing else than an
// object appends anything.
void append_outline(std::string& out, std::string_view object,
                    std::span<const std::string_view> left_out = {});

}  // namespace snapgen::tools
