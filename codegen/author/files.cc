#include "codegen/author/files.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "runtime/base/ascii.h"

namespace snapgen::codegen {

namespace fs = std::filesystem;

namespace {

bool read(const fs::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return !file.bad();
}

// Calls take() with the path, relative to `root`, of each file below `folder` that has the extension, in
// upper or lower case. Reads the subfolders for which is_entered() is true. Returns false if a folder cannot
// be read or take() failed.
bool for_each_file(const fs::path& root, const std::string& folder, std::string_view extension,
                   bool (*is_entered)(const fs::path&), const std::function<bool(const std::string&)>& take) {
  std::error_code error;
  fs::recursive_directory_iterator at(root / folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;  // A link may lead nowhere.
    if (at->is_directory(ignored) && !is_entered(at->path())) at.disable_recursion_pending();
    const std::string ending = at->path().extension().string();
    const bool is_wanted = at->is_regular_file(ignored) && equal_ignoring_case(ending, extension);
    const fs::path path = folder / at->path().lexically_relative(root / folder);
    if (is_wanted && !take(normalized_path(path))) return false;
  }
  return !error;
}

}  // namespace

std::string normalized_path(const fs::path& path) { return path.lexically_normal().generic_string(); }

bool read_folder(const fs::path& root, const std::string& folder, bool emitted,
                 std::vector<SourceText>& texts) {
  const auto is_entered = [](const fs::path& path) { return path.filename() != "meta"; };
  return for_each_file(root, folder, ".json", is_entered,
                       [&](const std::string& path) { return read_file(root, path, emitted, texts); });
}

bool read_file(const fs::path& root, const std::string& path, bool emitted, std::vector<SourceText>& texts) {
  std::string text;
  if (!read(root / path, text)) return false;
  texts.push_back({.path = path, .text = std::move(text), .emitted = emitted});
  return true;
}

bool read_documents(const fs::path& root, const std::string& folder, std::vector<SourceText>& texts) {
  const auto is_entered = [](const fs::path&) { return true; };
  return for_each_file(root, folder, ".json", is_entered, [&](const std::string& path) {
    return std::ranges::find(texts, path, &SourceText::path) != texts.end() ||
           read_file(root, path, false, texts);
  });
}

bool read_pages(const fs::path& root, const std::string& folder, std::vector<SourceText>& texts) {
  const auto is_entered = [](const fs::path&) { return false; };
  return for_each_file(root, folder, ".md", is_entered,
                       [&](const std::string& path) { return read_file(root, path, true, texts); });
}

bool write_if_changed(const fs::path& path, const std::string& text) {
  std::string old;
  if (read(path, old) && old == text) return true;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return bool(file);
}

}  // namespace snapgen::codegen
