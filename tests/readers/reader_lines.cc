// reader_lines SEED ROUNDS: prints ROUNDS random values for each generated reader, for tests in other
// languages. Each value is a line
//   {"file":"schemas/a/b.json","fits":true,"pointer":"/inputSchema","type":"::a::B","value":...}
// Before them, it prints a line for each object that rejects unknown members without a keyword for it:
//   {"closed":"/inputSchema","file":"schemas/a/b.json"}
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/readers/judges.h"
#include "tests/readers/table.h"

using namespace snapgen;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: reader_lines SEED ROUNDS\n";
    return 2;
  }
  std::ios::sync_with_stdio(false);
  const readers::Judges judges;
  for (const codegen::SourceLocation& each : judges.closed())
    std::cout << R"({"closed":)" << json::quoted(each.pointer) << R"(,"file":)"
              << json::quoted(each.file->path) << "}\n";
  const auto seed = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const unsigned long rounds = std::strtoul(argv[2], nullptr, 10);
  for (std::size_t i = 0; i < readers::table().size(); ++i) {
    const readers::GeneratedReader& reader = readers::table()[i];
    std::mt19937 random(seed + static_cast<std::uint32_t>(i));
    const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
    for (unsigned long round = 0; round < rounds; ++round) {
      const std::string text = judges.value(i, below);
      std::cout << R"({"file":)" << json::quoted(reader.file) << R"(,"fits":)"
                << (reader.read(text).fits ? "true" : "false") << R"(,"pointer":)"
                << json::quoted(reader.pointer) << R"(,"type":)" << json::quoted(reader.type)
                << R"(,"value":)" << text << "}\n";
    }
  }
}
