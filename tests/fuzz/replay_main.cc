// Runs a fuzz target on every given file and every file of a given folder. `meson test` replays the corpus
// with it; it works with any compiler.
//
//   fuzz_replay TARGET PATH...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// SNAPGEN_FUZZ_TARGETS is TARGET(name) for each, from meson.build.
#define TARGET(name) int fuzz_##name(const std::uint8_t* data, std::size_t size);
SNAPGEN_FUZZ_TARGETS
#undef TARGET

namespace {

struct FuzzTarget {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

#define TARGET(name) {#name, &fuzz_##name},
constexpr FuzzTarget targets[] = {SNAPGEN_FUZZ_TARGETS};
#undef TARGET

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

bool replay(const FuzzTarget& target, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The block has the exact size of the input, as with libFuzzer, so that AddressSanitizer detects a read
  // beyond its end.
  const auto bytes = std::make_unique<std::uint8_t[]>(text.size());
  std::copy(text.begin(), text.end(), bytes.get());
  target.run(bytes.get(), text.size());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view name = count > 1 ? arguments[1] : "";
  const auto* target = std::ranges::find(targets, name, &FuzzTarget::name);
  if (target == std::end(targets)) {
    std::fprintf(stderr, "unknown fuzz target %s\n", std::string(name).c_str());
    return 2;
  }
  std::size_t replayed = 0;
  for (int i = 2; i < count; ++i) {
    for (const std::filesystem::path& file : files_of(arguments[i])) {
      if (!replay(*target, file)) return 1;
      ++replayed;
    }
  }
  std::printf("%zu inputs\n", replayed);
  return replayed > 0 ? 0 : 1;
}
