#pragma once
// cpp: how types, values and comments are spelled in C++. For the emitters.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model.h"

namespace snapgen::codegen {

inline constexpr std::size_t column_max = 110;

// The type as code in `name_space` writes it.
std::string cpp_type(const Type& type, std::string_view name_space, bool boxed = false);
// Of a struct's member: std::optional where it may be absent, or required and null.
std::string member_type(const Field& field, std::string_view name_space);
// `= value`, `{...}` or nothing: what the member is if nobody sets it.
std::string initializer(const Field& field, std::string_view name_space);
// A value of `type` as an expression; nothing if there is no such expression.
std::optional<std::string> expression(const Type& type, const Constant& value, std::string_view name_space);

// A required member that may be null is std::optional; everywhere else null is json::Nullable.
bool optional_for_null(const Field& field);

std::string qualified(const Type& type, std::string_view name_space);
// snapshot_create_input: of a type, for functions that are named after it.
std::string function_name(const Type& type);

std::string literal(std::string_view text);      // "a\n"; a std::string_view where it holds a NUL
std::string raw_literal(std::string_view text);  // R"json(...)json", cut where compilers need it
std::string double_literal(double value);

std::string first_sentence(const std::string& text);  // All of it if there is but one.

// `text` in lines of `//`, none longer than `columns`; a paragraph begins a line.
std::string comment(std::string_view text, std::size_t indent, std::size_t columns = column_max);
// Lines longer than column_max cut behind a comma or an operator, where there is one outside of literals.
std::string folded(std::string_view code);
// "1 to 4000 characters; at most 5 items"
std::string limits_in_words(const Type& type);
// What the schema of a type says beyond its struct, a sentence's end each: "does not fit {"maxLength":3}"
std::vector<std::string> beyond_in_words(const Type& type);

// The system headers that a piece of code needs.
std::set<std::string> system_headers(std::string_view code);

}  // namespace snapgen::codegen
