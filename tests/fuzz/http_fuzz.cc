// The request parser on any bytes: however the bytes are divided, it must return the same requests or none,
// and every request must satisfy the rules that the server relies on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/request_parser.h"
#include "tests/fuzz/target.h"

namespace snapgen::http {
namespace {

constexpr RequestLimits limits{.head_bytes_max = 64 << 10, .fields_max = 8, .body_bytes_max = 64};

struct Seen {
  std::vector<std::string> requests;
  RequestParser::Stage last = RequestParser::Stage::head;
  bool operator==(const Seen&) const = default;
};

void check_head(const RequestParser& parser) {
  const RequestHead& head = parser.head();
  FUZZ_EXPECT(head.field_count("host") == 1);
  FUZZ_EXPECT(head.field_count("content-length") + head.field_count("transfer-encoding") <= 1);
  FUZZ_EXPECT(head.fields.size() <= limits.fields_max);
  FUZZ_EXPECT(head.target.starts_with('/'));
  FUZZ_EXPECT(parser.body().size() <= limits.body_bytes_max);
  for (const Field& field : head.fields) {
    FUZZ_EXPECT(!field.name.empty() && field.name.find_first_of(" \t:\r\n") == std::string_view::npos);
    FUZZ_EXPECT(field.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
    FUZZ_EXPECT(field.value.empty() || (field.value.front() != ' ' && field.value.back() != ' '));
  }
}

std::string text_of(const RequestParser& parser) {
  const RequestHead& head = parser.head();
  std::string out(head.method);
  out.append(" ").append(head.target).append(head.is_persistent ? " kept" : "");
  for (const Field& field : head.fields) out.append("\n").append(field.name).append("=").append(field.value);
  return out + "\n" + parser.body();
}

Seen parse(std::string_view bytes, std::span<const std::uint8_t> steps) {
  Seen seen;
  std::string held;
  auto parser = std::make_unique<RequestParser>(limits);
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const std::size_t step = steps.empty() ? bytes.size() : steps[i % steps.size()] + std::size_t{1};
    held.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    for (;;) {
      const RequestParser::Stage before = parser->stage();
      const std::size_t taken = parser->feed(held);
      FUZZ_EXPECT(taken <= held.size());
      held.erase(0, taken);
      if (parser->stage() == RequestParser::Stage::refused) break;
      if (parser->stage() == RequestParser::Stage::complete) {
        check_head(*parser);
        seen.requests.push_back(text_of(*parser));
        parser = std::make_unique<RequestParser>(limits);
      } else if (taken == 0 && parser->stage() == before) {
        break;
      }
    }
  }
  seen.last = parser->stage();
  return seen;
}

}  // namespace
}  // namespace snapgen::http

// The first byte is the number of following bytes that are sizes of reads; the rest is the stream.
FUZZ_TARGET(http) {
  using namespace snapgen::http;
  if (size == 0) return 0;
  std::span<const std::uint8_t> rest(data + 1, size - 1);
  const std::span<const std::uint8_t> steps = rest.first(std::min<std::size_t>(data[0] % 8, rest.size()));
  rest = rest.subspan(steps.size());
  const std::string_view bytes(reinterpret_cast<const char*>(rest.data()), rest.size());
  const std::uint8_t single[] = {0};
  const Seen whole = parse(bytes, {});
  FUZZ_EXPECT(parse(bytes, single) == whole);
  FUZZ_EXPECT(parse(bytes, steps) == whole);
  return 0;
}
