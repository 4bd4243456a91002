#include "tools/server/trees/relative_paths.h"

#include <sys/stat.h>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::tools {
namespace {

bool is_same_folder(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Returns the part of an absolute path below the folder, `.` for the folder itself; nullopt if it is not in
// it.
std::optional<std::string> path_below(const std::string& path, const struct stat& root) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    struct stat status{};
    const std::string folder = path.substr(0, slash);
    if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
    if (is_same_folder(status, root)) {
      const std::size_t begin = slash == std::string::npos ? slash : path.find_first_not_of('/', slash);
      return begin == std::string::npos ? "." : path.substr(begin);
    }
    if (slash == std::string::npos) return std::nullopt;
  }
}

class PathRewriter {
 public:
  PathRewriter(const NamedArguments& arguments, const struct stat& root)
      : arguments_(arguments), root_(root) {}

  std::optional<std::string> rewritten() {
    json::Reader in(arguments_.json);
    read_texts(in, {}, [this](json::Reader& value, std::string_view name) {
      return arguments_.has_brand(name, NamedArguments::path_brand) ? path(value) : value.skip();
    });
    if (out_.empty()) return std::nullopt;
    return out_.append(arguments_.json.substr(copied_));
  }

 private:
  void path(json::Reader& in) {
    const std::size_t begin = in.offset();
    const json::Reader::Mark mark = in.mark();
    std::string_view raw;
    in.raw(raw);
    in.rewind(mark);
    std::string text;
    if (!in.string(text) || !text.starts_with('/')) return;
    const std::optional<std::string> relative = path_below(text, root_);
    if (!relative) return;
    out_.append(arguments_.json.substr(copied_, begin - copied_)).append(json::quoted(*relative));
    copied_ = begin + raw.size();
  }

  const NamedArguments& arguments_;
  const struct stat& root_;
  std::string out_;         // The rewritten arguments so far; empty before the first path.
  std::size_t copied_ = 0;  // The offset up to which `out_` has the arguments.
};

}  // namespace

std::optional<std::string> with_relative_paths(const NamedArguments& arguments, const std::string& root) {
  // Nearly all calls have no string that begins with a slash, which some clients escape.
  if (arguments.json.find("\"/") == std::string_view::npos &&
      arguments.json.find("\"\\/") == std::string_view::npos)
    return std::nullopt;
  struct stat status{};
  if (::stat(root.c_str(), &status) != 0) return std::nullopt;
  return PathRewriter(arguments, status).rewritten();
}

}  // namespace snapgen::tools
