#include "tools/engine/write/journal.h"

#include <charconv>
#include <concepts>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"

namespace snapgen::core {
namespace {

constexpr std::string_view title = "snapgen-write 3\n";
// The title in journals of older versions.
constexpr std::string_view title_without_undo = "snapgen-write 2\n";
constexpr std::string_view title_without_contents = "snapgen-write 1\n";
static_assert(title.size() == title_without_undo.size());
static_assert(title.size() == title_without_contents.size());
constexpr std::string_view kinds = "tdmpsc";  // One letter for each Step::Kind, in its order.
constexpr char note_kind = 'n';               // The kind of a line that older versions wrote.

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
  // `contents`: the bytes after the batch; null if steps have none.
  Fields(std::string_view text, std::string_view* contents) : text_(text), contents_(contents) {}

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

  bool take(Step& step) {
    std::size_t kind = text_.empty() ? kinds.npos : kinds.find(text_.front());
    if (kind == kinds.npos) return false;
    step.kind = static_cast<Step::Kind>(kind);
    text_.remove_prefix(1);
    bool has_before = false;
    bool beside = false;
    std::string folder;
    if (!take_space() || !take(step.path) || !take(step.staged_name) || !take(beside) || !take(folder) ||
        !take(step.required) || !take(step.mode) || !take(step.after) || !take(has_before)) {
      return false;
    }
    if (beside) step.outside_staging_folder = std::move(folder);
    if (has_before && !take(step.before.emplace(FileRecord{.path = step.path}))) return false;
    if (contents_ != nullptr && !take(step.content)) return false;
    return take_line_end();
  }

  // Takes the line with the note, if there is one. Returns false if the line is malformed.
  bool take_line_of_note(std::string& note) {
    if (text_.empty() || text_.front() != note_kind) return true;
    text_.remove_prefix(1);
    return take_space() && take(note) && take_line_end();
  }

 private:
  bool take_line_end() {
    if (text_.empty() || text_.front() != '\n') return false;
    text_.remove_prefix(1);
    return true;
  }

  // Takes a staged file's id and size, and its bytes from the front of `contents_`.
  bool take(std::optional<StagedBytes>& content) {
    std::string blob;
    std::size_t size = 0;
    if (!take(blob) || !take(size)) return false;
    if (blob.empty()) return true;
    std::optional<BlobId> id = BlobId::from_text(blob);
    if (!id || size > contents_->size() || blob_id_of(contents_->substr(0, size)) != *id) return false;
    content = StagedBytes{.bytes = std::string(contents_->substr(0, size)), .blob = *id};
    contents_->remove_prefix(size);
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
  std::string_view* contents_;
};

}  // namespace

std::string encoded_journal(const Journal& journal) {
  std::string text(title);
  append(text, journal.boot);
  append(text, journal.written_ns);
  append(text, journal.note);
  append(text, journal.undo.hex);
  append(text, journal.undo.header_text);
  append(text, journal.undo.note_text);
  std::size_t content_bytes = 0;
  for (const Step& step : journal.steps) {
    text += kinds[static_cast<std::size_t>(step.kind)];
    text += ' ';
    append(text, step.path);
    append(text, step.staged_name);
    append(text, int{step.outside_staging_folder.has_value()});
    append(text, step.outside_staging_folder.value_or(""));
    append(text, int{step.required});
    append(text, step.mode);
    append(text, step.after);
    append(text, int{step.before.has_value()});
    if (step.before) {
      append(text, step.before->stat);
      append(text, step.before->seen_ns);
      append(text, step.before->blob ? step.before->blob->text() : std::string());
    }
    append(text, step.content ? step.content->blob.text() : std::string());
    append(text, step.content ? step.content->bytes.size() : 0);
    if (step.content) content_bytes += step.content->bytes.size();
    text += '\n';
  }
  std::string bytes = encoded_batch(BatchKind::text, text);
  bytes.reserve(bytes.size() + content_bytes);
  for (const Step& step : journal.steps) {
    if (step.content) bytes += step.content->bytes;
  }
  return bytes;
}

std::optional<Journal> parse_journal(std::string_view bytes) {
  std::optional<Batch> batch = next_batch(bytes);
  if (!batch) return std::nullopt;
  const bool has_undo = batch->payload.starts_with(title);
  const bool has_contents = has_undo || batch->payload.starts_with(title_without_undo);
  if (!has_contents && !batch->payload.starts_with(title_without_contents)) return std::nullopt;
  Journal journal;
  Fields fields(batch->payload.substr(title.size()), has_contents ? &bytes : nullptr);
  bool begun = has_contents
                   ? fields.take(journal.boot) && fields.take(journal.written_ns) && fields.take(journal.note)
                   : fields.take_line_of_note(journal.note);
  SnapshotFiles& undo = journal.undo;
  if (has_undo)
    begun = begun && fields.take(undo.hex) && fields.take(undo.header_text) && fields.take(undo.note_text);
  if (!begun) return std::nullopt;
  while (!fields.at_end()) {
    if (!fields.take(journal.steps.emplace_back())) return std::nullopt;
  }
  if (!bytes.empty()) return std::nullopt;
  return journal;
}

bool Journal::is_of_this_boot() const { return !boot.empty() && boot == boot_id(); }

std::string boot_id() {
  Fd fd(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  char id[64];
  ssize_t size = fd ? ::read(fd.get(), id, sizeof id) : -1;
  std::string_view text(id, size < 0 ? 0 : static_cast<std::size_t>(size));
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace snapgen::core
