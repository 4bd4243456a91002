#include "runtime/mcp/message.h"

#include <utility>

#include "runtime/base/text.h"

namespace snapgen::mcp {

namespace {

// Whether a number is an integer as in JSON Schema, where 1.0 is one.
bool is_integer(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos) return true;
  json::Reader in(number);
  std::int64_t value = 0;
  return in.integer(value) && in.ok();
}

// Reads a string. Skips any other value and returns false.
template <class Text>
bool read_string(json::Reader& in, Text& out) {
  if (in.peek() == json::Kind::string) return in.string(out);
  in.skip();
  return false;
}

}  // namespace

void Message::read(std::string_view text) {
  reset();
  // Some clients on Windows write a byte order mark before their first message.
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text_ = text;
  if (!json::valid_utf8(text)) return reject(RpcCode::parse_error, "The message is not valid UTF-8.");
  json::Reader in(text);
  const json::Kind first = in.peek();
  if (first == json::Kind::object) {
    read_members(in);
  } else if (first == json::Kind::array) {
    read_batch(in);
  } else {
    in.skip();
  }
  in.end();
  if (!in.syntax_ok()) {
    id = {};
    std::string where = "The message is not JSON: " + std::string(in.error_message());
    return reject(RpcCode::parse_error, where + " at byte " + std::to_string(in.error_offset()) + ".");
  }
  if (in.violation_count() != 0) set_meta_problem(in.violations());
  if (first == json::Kind::object) return classify();
  if (first != json::Kind::array) return reject(RpcCode::invalid_request, "A message must be a JSON object.");
  kind = Kind::batch;
}

void Message::set_meta_problem(const std::vector<json::Violation>& violations) {
  // Only `_meta` has been read with a schema, so the first violation is in it.
  meta_problem = violations.front().pointer + ": " + violations.front().message;
  for (const json::Violation& each : violations)
    if (each.keyword == "duplicate") return set_first_problem(each.pointer + ": " + each.message + ".");
}

void Message::reset() {
  for (std::string* text : {&method, &name})
    if (text->capacity() > reused_text_bytes_max) std::string().swap(*text);
  id = {};
  params = "{}";
  has_name = false;
  arguments = "{}";
  meta_problem.clear();
  meta_text = {};
  request_state.clear();
  input_responses = result = error = {};
  batch.clear();
  problem.clear();
  has_id_ = has_version_ = has_method_ = has_result_or_error_ = has_meta_ = false;
}

void Message::read_batch(json::Reader& in) {
  if (!in.begin_array()) return;
  while (in.next_element()) {
    std::string_view element;
    in.raw(element);
    batch.push_back(element);
  }
}

void Message::read_members(json::Reader& in) {
  if (!in.begin_object()) return;
  bool has_params = false;
  bool has_result = false;
  bool has_error = false;
  std::string_view key;
  while (in.next_key(key)) {
    if (key == "jsonrpc") {
      if (std::exchange(has_version_, true)) set_first_problem("The member jsonrpc is given twice.");
      std::string_view version;
      read_string(in, version);
      if (version != "2.0") set_first_problem("The member jsonrpc must be \"2.0\".");
    } else if (key == "id") {
      if (std::exchange(has_id_, true)) set_first_problem("The member id is given twice.");
      read_id(in);
    } else if (key == "method") {
      if (std::exchange(has_method_, true)) set_first_problem("The member method is given twice.");
      if (!read_string(in, method)) set_first_problem("The member method must be a string.");
    } else if (key == "params") {
      if (std::exchange(has_params, true)) set_first_problem("The member params is given twice.");
      read_params(in);
    } else {
      const bool is_result = key == "result";
      if (is_result || key == "error") {
        has_result_or_error_ = true;
        if (std::exchange(is_result ? has_result : has_error, true))
          set_first_problem("The member " + std::string(key) + " is given twice.");
        in.raw(is_result ? result : error);
      } else {
        in.skip();
      }
    }
  }
}

void Message::read_id(json::Reader& in) {
  switch (in.peek()) {
    case json::Kind::string: in.raw(id); return;
    case json::Kind::number:
      in.raw(id);
      if (!id.empty() && !is_integer(id)) {
        id = {};
        set_first_problem("The member id must be a string or an integer.");
      }
      return;
    default: set_first_problem("The member id must be a string or an integer."); in.skip();
  }
}

void Message::read_params(json::Reader& in) {
  if (in.peek() != json::Kind::object) {
    if (in.peek() != json::Kind::null) set_first_problem("The member params must be an object.");
    return in.skip();
  }
  const std::size_t begin = in.offset();
  if (!in.begin_object()) return;
  unsigned seen = 0;
  const auto once = [&](unsigned bit, std::string_view name) {
    if ((seen & bit) != 0) set_first_problem("The member params." + std::string(name) + " is given twice.");
    seen |= bit;
  };
  std::string_view key;
  // Each method's params are read again with their schema, so other members are skipped here.
  while (in.next_key(key)) {
    if (key == "_meta") {
      once(1, key);
      read_meta(in);
    } else if (key == "name") {
      once(2, key);
      has_name = read_string(in, name) || has_name;
    } else if (key == "arguments") {
      once(4, key);
      if (in.peek() != json::Kind::null) {
        in.raw(arguments);
      } else {
        in.skip();
      }
    } else if (key == "requestState") {
      once(8, key);
      read_string(in, request_state);
    } else if (key == "inputResponses") {
      once(16, key);
      in.raw(input_responses);
    } else {
      in.skip();
    }
  }
  params = text_.substr(begin, in.mark().position - begin);
}

void Message::read_meta(json::Reader& in) {
  if (in.peek() == json::Kind::null) return in.skip();
  has_meta_ = true;
  // Modern clients repeat the same `_meta` in every request, so a known text is not parsed again. It is
  // enough to compare the beginning, because nothing can follow the closing brace of an object.
  const std::size_t begin = in.offset();
  if (!parsed_meta_text_.empty() && text_.substr(begin).starts_with(parsed_meta_text_)) {
    json::Reader::Mark behind = in.mark();
    behind.position = begin + parsed_meta_text_.size();
    meta_text = text_.substr(begin, parsed_meta_text_.size());
    return in.rewind(behind);
  }
  parsed_meta_text_.clear();
  const std::size_t violations = in.violation_count();
  mcp::read(in, meta_);
  const std::size_t size = in.mark().position - begin;
  meta_text = text_.substr(begin, size);
  if (in.syntax_ok() && in.violation_count() == violations && size <= reused_text_bytes_max)
    parsed_meta_text_ = text_.substr(begin, size);
}

void Message::classify() {
  if (!has_method_ && has_result_or_error_) {
    kind = Kind::response;
    return;
  }
  if (!has_version_) set_first_problem("The member jsonrpc must be \"2.0\".");
  if (!has_method_) set_first_problem("The member method is missing.");
  if (!problem.empty()) {
    kind = Kind::broken;
    code = RpcCode::invalid_request;
    return;
  }
  kind = has_id_ ? Kind::request : Kind::notification;
}

void Message::set_first_problem(std::string_view sentence) {
  if (problem.empty()) problem = sentence;
}

void Message::reject(RpcCode why, std::string sentence) {
  kind = Kind::broken;
  code = why;
  problem = std::move(sentence);
}

}  // namespace snapgen::mcp
