#pragma once
// RequestHead is the request line and the fields of an HTTP/1.1 request (RFC 9112).
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::http {

struct Field {
  std::string_view name;   // As received; compare names with equal_ignoring_case().
  std::string_view value;  // Without surrounding spaces and tabs.
};

struct RequestHead {
  std::string text;  // The whole head; the other members point into it.
  std::string_view method;
  std::string_view target;  // The path and the query, also if the peer sent an absolute URI.
  std::string_view host;    // The value of the only Host field.
  std::vector<Field> fields;
  bool is_persistent = false;     // The connection may carry another request.
  bool expects_continue = false;  // The peer sends the body only after a 100 response.

  RequestHead() = default;
  RequestHead(RequestHead&&) = delete;

  // Returns the path without the query.
  std::string_view path() const { return target.substr(0, target.find('?')); }
  // Returns the value of the first field of this name, or an empty text.
  std::string_view field(std::string_view name) const;
  std::size_t field_count(std::string_view name) const;
  // Whether `word` is in a field called `name`, which is a comma-separated list. Case does not matter.
  bool has_list_item(std::string_view name, std::string_view word) const;
  // Whether the peer asks to switch to another protocol (`Upgrade`, RFC 9110 section 7.8).
  bool upgrades_to(std::string_view protocol) const {
    return has_list_item("Connection", "Upgrade") && has_list_item("Upgrade", protocol);
  }
};

// Returns the text without surrounding spaces and tabs.
std::string_view trimmed(std::string_view text);

// The response to a request that is rejected.
struct RequestError {
  int status = 400;
  std::string_view sentence;
};

// Returns the reason phrase of a status, such as "Not Found" (RFC 9110 section 15).
std::string_view reason_phrase(int status);

// Whether the peer accepts this media type, which must be in lower case. The most specific matching range in
// the Accept fields decides (a/b before a/* before */*); a weight of 0 excludes the type. Other parameters of
// a range are ignored. Without an Accept field no type is accepted, which is stricter than the RFC.
bool accepts_media_type(const RequestHead& head, std::string_view type);

}  // namespace snapgen::http
