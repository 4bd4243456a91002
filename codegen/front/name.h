#pragma once
// Names: converts names of schema files to C++ names.
#include <set>
#include <string>
#include <string_view>

namespace snapgen::codegen {

// Converts a name to a type's name: snapshot.create, snapshotCreate and snapshot-create become
// SnapshotCreate. A name without letters or digits becomes Key; one that begins with a digit gets the prefix
// `T`.
std::string type_name(std::string_view text);
// Does as type_name(), but for a later part of a name, which needs no prefix or suffix.
std::string type_name_part(std::string_view text);

// Converts a name to a member's name: progressToken becomes progress_token, $ref ref, a-b a_b, __proto__
// proto, class class_, and 1x key_1x. Bytes beyond ASCII become their hex digits.
std::string member_name(std::string_view text);

// Does as member_name(), but 2025-06-18 becomes v2025_06_18.
std::string enumerator_name(std::string_view text);

bool is_identifier(std::string_view text);
// Returns whether the text is a C++ keyword, or a name that system headers define as a macro.
bool is_reserved(std::string_view text);

// Returns `name`, or the first of name_2, name_3, ... that is not in `used_names`, and adds it there.
std::string unique_name(const std::string& name, std::set<std::string>& used_names);

}  // namespace snapgen::codegen
