#pragma once
// Message: what a client sent, checked as far as JSON-RPC goes and read in one pass.
//
// That pass also takes from `params` what most requests have there (`_meta`, `name`, `arguments`), so that a
// tools/call is read once. One Message serves a whole session; what it points into is the text it was read
// from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/mcp/rpc.h"
#include "schemas/mcp/request_meta.h"

namespace snapgen::mcp {

class Message {
 public:
  enum class Kind : std::uint8_t {
    request,
    notification,
    response,  // to a request of the server's own
    batch,
    broken,
  };

  void read(std::string_view text);

  // What it was read from.
  std::string_view text() const { return text_; }

  Kind kind = Kind::broken;
  // As the client wrote it, a string or an integer. Empty: there is none, or it cannot be read.
  std::string_view id;
  std::string method;
  std::string_view params;  // The object's text; `{}` if there is none.

  bool named = false;
  std::string name;            // params.name, if it is a string
  std::string_view arguments;  // params.arguments as it is; `{}` if there is none, or null
  const RequestMeta& meta() const { return has_meta_ ? meta_ : no_meta; }
  std::string meta_problem;    // A sentence; empty if `_meta` is fine, or absent.
  std::string_view meta_text;  // `_meta` as the client wrote it; empty if it is absent.

  // Of a request that is repeated with what it was answered it needs (2026-07-28).
  std::string request_state;
  std::string_view input_responses;  // JSON; empty if there are none.

  // Of a response: JSON, one of the two.
  std::string_view result;
  std::string_view error;

  std::vector<std::string_view> batch;  // The texts of its messages.

  // If broken.
  RpcCode code = RpcCode::invalid_request;
  std::string problem;  // A sentence; a response may have one, too.

 private:
  void forget();
  void read_batch(json::Reader& in);
  void read_members(json::Reader& in);
  void read_id(json::Reader& in);
  void read_params(json::Reader& in);
  void read_meta(json::Reader& in);
  void classify();
  void explain(const std::vector<json::Violation>& violations);
  void complain(std::string_view sentence);
  void reject(RpcCode why, std::string sentence);

  std::string_view text_;
  bool has_id_ = false;
  bool has_version_ = false;
  bool has_method_ = false;
  bool has_outcome_ = false;
  bool has_meta_ = false;
  RequestMeta meta_;  // Keeps the room that its strings have, from one message to the next.
  inline static const RequestMeta no_meta;
  static constexpr std::size_t kept_bytes_max = 2048;  // Of one text, from one message to the next.
  std::string known_meta_;                             // What meta_ was read from, if it fitted.
};

}  // namespace snapgen::mcp
