#pragma once
// Content negotiation by the Accept fields of a request (RFC 9110 section 12.5.1).
#include <string_view>

#include "runtime/http/head.h"

namespace snapgen::http {

// Whether the peer accepts this media type, which must be in lower case. The most specific matching range in
// the Accept fields decides (a/b before a/* before */*); a weight of 0 excludes the type. Other parameters of
// a range are ignored. Without an Accept field no type is accepted, which is stricter than the RFC.
bool accepts_media_type(const RequestHead& head, std::string_view type);

}  // namespace snapgen::http
