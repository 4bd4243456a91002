#include "tools/cli/wire_command.h"

#include <iostream>
#include <iterator>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/lines.h"

namespace snapgen::tools {

Result<std::string> decode_line(std::string_view text, const WireCommand& command) {
  if (!json::valid_utf8(text)) return Error(ErrorCode::invalid_argument, "This is not valid UTF-8.");
  Result<lines::Line> line = lines::decode(text, wire::Mode::labeled);
  const std::string fault = line ? "" : line.error().message;
  if (command.compact || !line) line = lines::decode(text, wire::Mode::compact);
  // What is wrong with a labeled line says more, unless it was meant to be a compact one.
  if (!line) return command.compact ? line.error() : Error(ErrorCode::invalid_argument, fault);
  std::string out;
  for (const auto& [name, value] : lines::fields(*line)) {
    if (command.json)
      out += (out.empty() ? "[[" : ",[") + json::quoted(name) + "," + json::quoted(value) + "]";
    else
      out += name + ": " + value + "\n";
  }
  return command.json ? out + "]\n" : out;
}

int run_wire_command(const WireCommand& command) {
  std::string text = command.line;
  if (text.empty()) text.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  Result<std::string> decoded = decode_line(text, command);
  if (!decoded) {
    std::cerr << decoded.error().message << "\n";
    return 1;
  }
  std::cout << *decoded << std::flush;
  return 0;
}

}  // namespace snapgen::tools
