#pragma once
// A tool's arguments in the form that the generator writes, for tests and benchmarks of the JSON layer.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/values.h"

namespace fixture {

enum class Mode { start, check, context };

std::string_view text(Mode value);

struct ToolCall {
  Mode mode = Mode::start;
  std::optional<std::string> task;
  std::optional<std::vector<std::string>> files;
  std::optional<std::vector<std::string>> keywords;
  bool compact = false;

  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

void read(snapgen::json::Reader& in, ToolCall& out);
void write(snapgen::json::Writer& out, const ToolCall& value);

// A type that contains itself in an optional member.
struct Tree {
  std::int64_t weight = 0;
  std::optional<snapgen::json::Box<Tree>> child;

  friend bool operator==(const Tree& a, const Tree& b) { return a.weight == b.weight && a.child == b.child; }
};

void read(snapgen::json::Reader& in, Tree& out);
void write(snapgen::json::Writer& out, const Tree& value);

}  // namespace fixture
