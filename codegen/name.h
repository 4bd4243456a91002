#pragma once
// Names: converts names of schema files to C++ names.
#include <set>
#include <string>
#include <string_view>

namespace snapgen::codegen {

// snapshot.create, snapshotCreate, snapshot-create -> SnapshotCreate. A name without letters or digits is
// Key; one that begins with a digit gets the prefix `T`.
std::string type_name(std::string_view text);
// As above for a later part of a name: without a prefix or suffix.
std::string type_name_part(std::string_view text);

// progressToken -> progress_token, $ref -> ref, a-b -> a_b, __proto__ -> proto, class -> class_, 1x ->
// key_1x, bytes beyond ASCII as their hex digits.
std::string member_name(std::string_view text);

// As member_name; 2025-06-18 -> v2025_06_18.
std::string enumerator_name(std::string_view text);

bool is_identifier(std::string_view text);
// C++ keywords, and names that system headers define as macros.
bool is_reserved(std::string_view text);

// Returns `name`, or the first of name_2, name_3, ... that is not in `taken`, and adds it there.
std::string unique_name(const std::string& name, std::set<std::string>& taken);

}  // namespace snapgen::codegen
