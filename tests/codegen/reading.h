#pragma once
// Helpers for tests that read a text with a generated reader.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"

namespace golden {

// Returns "/pointer keyword" for each violation, or the syntax error.
template <class T, class Read>
std::vector<std::string> faults_of(std::string_view text, T& value, Read read_value) {
  snapgen::json::Reader in(text);
  read_value(in, value);
  in.end();
  if (!in.syntax_ok()) return {"not JSON: " + std::string(in.error_message())};
  std::vector<std::string> faults;
  for (const snapgen::json::Violation& each : in.violations())
    faults.push_back(each.pointer + " " + std::string(each.keyword));
  return faults;
}
template <class T>
std::vector<std::string> faults_of(std::string_view text, T& value) {
  return faults_of(text, value, [](snapgen::json::Reader& in, T& out) { read(in, out); });
}

// Returns the messages of the violations.
template <class T>
std::vector<std::string> sentences_of(std::string_view text) {
  T value;
  snapgen::json::Reader in(text);
  read(in, value);
  std::vector<std::string> sentences;
  for (const snapgen::json::Violation& each : in.violations()) sentences.push_back(each.message);
  return sentences;
}

using Faults = std::vector<std::string>;

}  // namespace golden
