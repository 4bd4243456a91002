#include "tests/codegen/expected.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/codegen/files.h"
#include "tests/codegen/update.h"

namespace snapgen::codegen {
namespace {

constexpr const char* say_update = "; if it is meant to be so, run codegen-test --update";

std::string line_at(const std::string& text, std::size_t offset) {
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

void compare_expected(const std::string& path, const std::string& text) {
  const std::filesystem::path file = source_root() / path;
  if (updating) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    return;
  }
  const std::string expected = file_text(file);
  if (expected == text) return;
  std::size_t same = 0;
  while (same < expected.size() && same < text.size() && expected[same] == text[same]) ++same;
  const std::size_t line = static_cast<std::size_t>(std::count(
                               text.begin(), text.begin() + static_cast<std::ptrdiff_t>(same), '\n')) +
                           1;
  ADD_FAILURE() << path << ":" << line << " differs from the generated text" << say_update
                << "\nexpected: " << line_at(expected, same) << "\ngenerated: " << line_at(text, same);
}

SourceText message_file(const std::string& path, const std::string& members) {
  return {.path = path, .text = R"({"$schema": "../meta/message.json", )" + members + "}"};
}

bool has_text(const CompiledFiles& compiled, const std::string& file, const std::string& text) {
  return compiled.files.count(file) && compiled.files.at(file).find(text) != std::string::npos;
}

}  // namespace snapgen::codegen
