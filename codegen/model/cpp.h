#pragma once
// cpp: spells types, values and comments in C++, for the emitters.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model/model.h"

namespace snapgen::codegen {

inline constexpr std::size_t column_max = 110;

// Returns the type's name as used inside `name_space`.
std::string cpp_type(const Type& type, std::string_view name_space, bool boxed = false);
// Returns the type of a struct's member: std::optional if it may be absent, or if it is required and
// nullable.
std::string member_type(const Field& field, std::string_view name_space);
// Returns the member's default as `= value`, `{...}` or nothing.
std::string member_initializer(const Field& field, std::string_view name_space);
// Returns an expression for a value of `type`; nullopt if there is none.
std::optional<std::string> value_expression(const Type& type, const Constant& value,
                                            std::string_view name_space);

// Returns whether null is an empty std::optional, as in a required nullable member. Elsewhere null is
// json::Nullable.
bool null_is_nullopt(const Field& field);

std::string qualified_name(const Type& type, std::string_view name_space);
// Returns the type's name in function names: snapshot_create_input.
std::string function_name(const Type& type);

// Returns a literal such as "a\n", as a std::string_view if it contains a NUL.
std::string string_literal(std::string_view text);
// Returns a literal R"json(...)json", split where compilers require it.
std::string raw_literal(std::string_view text);
std::string double_literal(double value);

std::string first_sentence(const std::string& text);  // Returns all of the text if it is one sentence.

// Formats `text` as `//` lines of at most `columns`; each paragraph starts a new line.
std::string comment_lines(std::string_view text, std::size_t indent, std::size_t columns = column_max);
// Wraps lines longer than column_max after a comma or an operator outside literals.
std::string wrapped_code(std::string_view code);
// Joins values with commas in wrapped lines.
std::string wrapped_list(const std::vector<std::string>& values);
// Returns the limits of a type as text: "1 to 4000 characters; at most 5 items".
std::string limits_in_words(const Type& type);
// Returns the constraints of a type's schema that its struct cannot express, each as the end of a sentence:
// "does not fit {"maxLength":3}".
std::vector<std::string> validator_constraints_in_words(const Type& type);

// Returns the system headers that `code` needs.
std::set<std::string> system_headers(std::string_view code);

}  // namespace snapgen::codegen
