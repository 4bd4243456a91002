#pragma once
// What a peer can read of an answer, by the Accept fields of its request (RFC 9110 section 12.5.1).
#include <string_view>

#include "runtime/http/head.h"

namespace snapgen::http {

// Whether they take this type, in lower case: the range that names it most exactly (a/b before a/* before
// */*) decides, and a weight of 0 means no. Parameters of a range other than its weight are passed over.
// Without such a field nothing is taken: who can read an answer says so here.
bool accepts(const Head& head, std::string_view type);

}  // namespace snapgen::http
