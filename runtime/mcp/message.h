#pragma once
// Message is one message from a client, validated against JSON-RPC. The same pass reads the members of
// `params` that most requests have (`_meta`, `name`, `arguments`), so that a tools/call is parsed only once.
// A session reuses one Message. Its views point into the text that read() was given.
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
    response,  // the answer to a request that the server sent
    batch,
    broken,
  };

  void read(std::string_view text);

  std::string_view text() const { return text_; }

  Kind kind = Kind::broken;
  // The id as the client wrote it, a string or an integer. Empty if it is absent or invalid.
  std::string_view id;
  std::string method;
  std::string_view params;  // The text of the object `params`; `{}` if absent.

  bool has_name = false;
  std::string name;            // params.name, if it is a string
  std::string_view arguments;  // params.arguments verbatim; `{}` if absent or null
  const RequestMeta& meta() const { return has_meta_ ? meta_ : no_meta; }
  std::string meta_problem;    // Why `_meta` is invalid; empty if it is valid or absent.
  std::string_view meta_text;  // `_meta` as the client wrote it; empty if it is absent.

  // Set if a stateless client repeats a request with the answers to the server's questions (2026-07-28).
  std::string request_state;
  std::string_view input_responses;  // The client's answers as JSON; empty if there are none.

  // Set in a response: the JSON of its result or of its error.
  std::string_view result;
  std::string_view error;

  std::vector<std::string_view> batch;  // The texts of a batch's messages.

  // The error to answer with; set if `kind` is broken.
  RpcCode code = RpcCode::invalid_request;
  std::string problem;  // One sentence; also set if a response is invalid.

 private:
  void reset();
  void read_batch(json::Reader& in);
  void read_members(json::Reader& in);
  void read_id(json::Reader& in);
  void read_params(json::Reader& in);
  void read_meta(json::Reader& in);
  void classify();
  void set_meta_problem(const std::vector<json::Violation>& violations);
  void set_first_problem(std::string_view sentence);
  void reject(RpcCode why, std::string sentence);

  std::string_view text_;
  bool has_id_ = false;
  bool has_version_ = false;
  bool has_method_ = false;
  bool has_result_or_error_ = false;
  bool has_meta_ = false;
  RequestMeta meta_;  // Reused, so that its strings retain their capacity.
  inline static const RequestMeta no_meta;
  static constexpr std::size_t reused_text_bytes_max = 2048;  // Longer texts are not reused.
  std::string parsed_meta_text_;  // The text that meta_ was read from, if it was valid.
};

}  // namespace snapgen::mcp
