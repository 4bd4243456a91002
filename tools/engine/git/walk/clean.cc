#include "tools/engine/git/walk/clean.h"

namespace snapgen::core::git {
namespace {

struct TextStatistics {
  std::size_t nul = 0, lone_cr = 0, crlf = 0, printable = 0, nonprintable = 0;

  // Git's heuristic for binary content.
  bool looks_binary() const { return lone_cr > 0 || nul > 0 || printable / 128 < nonprintable; }
};

TextStatistics statistics(std::string_view bytes) {
  TextStatistics out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == '\r') {
      if (i + 1 < bytes.size() && bytes[i + 1] == '\n') {
        ++out.crlf;
        ++i;
      } else {
        ++out.lone_cr;
      }
    } else if (c == '\n') {
      continue;
    } else if (c == 127 || (c < 32 && c != '\b' && c != '\t' && c != 27 && c != 12)) {
      ++out.nonprintable;
      if (c == 0) ++out.nul;
    } else {
      ++out.printable;
    }
  }
  // A trailing control-Z, the end-of-file mark of DOS, does not count.
  if (bytes.ends_with('\x1a')) --out.nonprintable;
  return out;
}

void drop_cr_before_lf(std::string& bytes) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    bytes[out++] = bytes[i];
  }
  bytes.resize(out);
}

// Replaces `$Id: anything $` within one line by `$Id$`.
void collapse_ident(std::string& bytes) {
  std::string out;
  std::string_view rest = bytes;
  for (;;) {
    const std::size_t dollar = rest.find('$');
    if (dollar == std::string_view::npos) break;
    out += rest.substr(0, dollar + 1);
    rest.remove_prefix(dollar + 1);
    if (rest.size() <= 3 || !rest.starts_with("Id:")) continue;
    const std::size_t close = rest.find('$', 3);
    if (close == std::string_view::npos) break;
    if (rest.substr(0, close).find('\n') != std::string_view::npos) continue;
    out += "Id$";
    rest.remove_prefix(close + 1);
  }
  out += rest;
  bytes = std::move(out);
}

}  // namespace

Result<std::string> cleaned_content(std::string bytes, const ContentConversion& conversion,
                                    const std::function<Result<std::string>()>& indexed) {
  if (conversion.line_ends != ContentConversion::LineEnds::unchanged &&
      bytes.find("\r\n") != std::string::npos) {
    bool convert = true;
    if (conversion.line_ends == ContentConversion::LineEnds::detect) {
      convert = !statistics(bytes).looks_binary();
      if (convert) {
        const std::string blob = TRY(indexed());
        const TextStatistics stored = statistics(blob);
        convert = stored.crlf == 0 || stored.looks_binary();
      }
    }
    if (convert) drop_cr_before_lf(bytes);
  }
  if (conversion.ident && bytes.find("$Id") != std::string::npos) collapse_ident(bytes);
  return bytes;
}

}  // namespace snapgen::core::git
