#include "tools/core/write/journal.h"

#include <charconv>
#include <concepts>

namespace snapgen::core {
namespace {

constexpr std::string_view title = "snapgen-write 1\n";
constexpr std::string_view kinds = "tdmpsc";  // In the order of Step::Kind.
constexpr char note_kind = 'n';

template <std::integral T>
void append(std::string& out, T value) {
  out += std::to_string(value);
  out += ' ';
}

void append(std::string& out, std::string_view text) {
  append(out, text.size());
  out += text;
  out += ' ';
}

void append(std::string& out, const FileStat& stat) {
  append(out, stat.size);
  append(out, stat.mtime_ns);
  append(out, stat.ctime_ns);
  append(out, stat.inode);
  append(out, stat.device);
  append(out, stat.mode);
}

class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }

  template <std::integral T>
  bool take(T& value) {
    auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return take_space();
  }

  bool take(bool& value) {
    int number = 0;
    if (!take(number)) return false;
    value = number != 0;
    return true;
  }

  bool take(std::string& value) {
    std::size_t size = 0;
    if (!take(size) || size >= text_.size()) return false;
    value = text_.substr(0, size);
    text_.remove_prefix(size);
    return take_space();
  }

  bool take(FileStat& stat) {
    return take(stat.size) && take(stat.mtime_ns) && take(stat.ctime_ns) && take(stat.inode) &&
           take(stat.device) && take(stat.mode);
  }

  // True too where there is none.
  bool take_note(std::string& note) {
    if (text_.empty() || text_.front() != note_kind) return true;
    text_.remove_prefix(1);
    return take_space() && take(note) && take_line_end();
  }

  bool take(Step& step) {
    std::size_t kind = text_.empty() ? kinds.npos : kinds.find(text_.front());
    if (kind == kinds.npos) return false;
    step.kind = static_cast<Step::Kind>(kind);
    text_.remove_prefix(1);
    bool has_before = false;
    bool beside = false;
    std::string folder;
    if (!take_space() || !take(step.path) || !take(step.staged) || !take(beside) || !take(folder) ||
        !take(step.required) || !take(step.mode) || !take(step.after) || !take(has_before)) {
      return false;
    }
    if (beside) step.beside = std::move(folder);
    if (has_before && !take(step.before.emplace(FileRecord{.path = step.path}))) return false;
    return take_line_end();
  }

 private:
  bool take_line_end() {
    if (text_.empty() || text_.front() != '\n') return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take(FileRecord& record) {
    std::string blob;
    if (!take(record.stat) || !take(record.seen_ns) || !take(blob)) return false;
    record.blob = BlobId::from_text(blob);
    return record.blob.has_value() == !blob.empty();
  }

  bool take_space() {
    if (text_.empty() || text_.front() != ' ') return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view text_;
};

}  // namespace

std::string encoded_journal(const std::vector<Step>& steps, std::string_view note) {
  std::string text(title);
  if (!note.empty()) {
    text += note_kind;
    text += ' ';
    append(text, note);
    text += '\n';
  }
  for (const Step& step : steps) {
    text += kinds[static_cast<std::size_t>(step.kind)];
    text += ' ';
    append(text, step.path);
    append(text, step.staged);
    append(text, int{step.beside.has_value()});
    append(text, step.beside.value_or(""));
    append(text, int{step.required});
    append(text, step.mode);
    append(text, step.after);
    append(text, int{step.before.has_value()});
    if (step.before) {
      append(text, step.before->stat);
      append(text, step.before->seen_ns);
      append(text, step.before->blob ? step.before->blob->text() : std::string());
    }
    text += '\n';
  }
  return encoded_batch(BatchKind::text, text);
}

std::optional<std::vector<Step>> decoded_journal(std::string_view bytes) {
  std::optional<Batch> batch = next_batch(bytes);
  if (!batch || !bytes.empty() || !batch->payload.starts_with(title)) return std::nullopt;
  std::vector<Step> steps;
  std::string note;
  Fields fields(batch->payload.substr(title.size()));
  if (!fields.take_note(note)) return std::nullopt;
  while (!fields.at_end()) {
    if (!fields.take(steps.emplace_back())) return std::nullopt;
  }
  return steps;
}

std::string note_of_journal(std::string_view bytes) {
  const std::optional<Batch> batch = next_batch(bytes);
  std::string note;
  if (!batch || !batch->payload.starts_with(title)) return note;
  return Fields(batch->payload.substr(title.size())).take_note(note) ? note : std::string();
}

}  // namespace snapgen::core
