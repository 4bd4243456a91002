#include "tools/engine/store/leases/issued_leases.h"

#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/base/fd.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/store/blobs/integers.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/leases/lease_folder.h"

namespace snapgen::core {
namespace {

constexpr std::uint64_t memory_of_each = 320;        // The bytes that a lease takes beside its batches.
constexpr std::uint64_t group_bytes_max = 64 << 20;  // Larger files are not from this program.
constexpr std::size_t id_bytes = lease_prefix.size() + lease_id_random_characters;

// A row of a group's index.
struct Row {
  std::string_view id;
  std::int64_t issued_ns = 0;
  std::uint64_t base_at = 0;  // An offset in the bodies.
  std::uint64_t base_bytes = 0;
  std::uint64_t touched_at = 0;
  std::uint64_t touched_bytes = 0;
};
constexpr std::size_t row_bytes = id_bytes + 5 * sizeof(std::uint64_t);

void append_row(std::string& index, const Row& row) {
  index += row.id;
  append_integer(index, row.issued_ns);
  for (const std::uint64_t value : {row.base_at, row.base_bytes, row.touched_at, row.touched_bytes})
    append_integer(index, value);
}

Row row_at(std::string_view index, std::size_t number) {
  const std::string_view bytes = index.substr(number * row_bytes, row_bytes);
  const char* at = bytes.data() + id_bytes;
  const auto next = [&at] {
    return integer_at<std::uint64_t>(std::exchange(at, at + sizeof(std::uint64_t)));
  };
  Row row{.id = bytes.substr(0, id_bytes), .issued_ns = static_cast<std::int64_t>(next())};
  row.base_at = next();
  row.base_bytes = next();
  row.touched_at = next();
  row.touched_bytes = next();
  return row;
}

std::optional<std::string_view> part(std::string_view bodies, std::uint64_t at, std::uint64_t bytes) {
  if (at > bodies.size() || bytes > bodies.size() - at) return std::nullopt;
  return bodies.substr(at, bytes);
}

// Clears the byte of a lease that is taken. Restores the file's times, because the other leases in it remain
// unused.
bool clear_byte(int fd, std::uint64_t at) {
  struct stat st;
  if (::fstat(fd, &st) != 0 || !write_at(fd, std::string_view("\0", 1), at)) return false;
  const timespec times[2] = {st.st_atim, st.st_mtim};
  return ::futimens(fd, times) == 0;
}

// Takes the lease out of one file. `bytes` is the whole file.
std::optional<IssuedLease> take_from(int fd, std::string_view bytes, std::string_view id) {
  std::string_view rest = bytes;
  while (const std::optional<Batch> batch = next_batch(rest)) {
    std::string_view index = batch->payload;
    const bool is_index = batch->kind == BatchKind::issued && index.size() >= sizeof(std::uint64_t) &&
                          (index.size() - sizeof(std::uint64_t)) % row_bytes == 0;
    if (!is_index) break;
    const auto body_bytes = integer_at<std::uint64_t>(index.data());
    index.remove_prefix(sizeof(std::uint64_t));
    const std::size_t count = index.size() / row_bytes;
    if (rest.size() < count || rest.size() - count < body_bytes) break;
    const std::string_view waiting = rest.substr(0, count);
    const std::string_view bodies = rest.substr(count, body_bytes);
    rest.remove_prefix(count + body_bytes);
    for (std::size_t i = 0; i < count; ++i) {
      const Row row = row_at(index, i);
      if (row.id != id || waiting[i] == 0) continue;
      const auto base = part(bodies, row.base_at, row.base_bytes);
      const auto touched = part(bodies, row.touched_at, row.touched_bytes);
      const auto at = static_cast<std::uint64_t>(waiting.data() + i - bytes.data());
      if (!base || !touched || !clear_byte(fd, at)) return std::nullopt;
      return IssuedLease{.id = std::string(id),
                         .issued_ns = row.issued_ns,
                         .encoded_base = std::make_shared<const std::string>(*base),
                         .encoded_touched = std::string(*touched)};
    }
  }
  return std::nullopt;
}

}  // namespace

void IssuedLeases::add(IssuedLease lease) {
  // Consecutive leases mostly have the same base, which they then share.
  if (!leases_.empty() && *leases_.back().encoded_base == *lease.encoded_base) {
    lease.encoded_base = leases_.back().encoded_base;
  } else {
    bytes_ += lease.encoded_base->size();
  }
  bytes_ += lease.encoded_touched.size() + memory_of_each;
  referring_ += lease.refers_to_listing ? 1 : 0;
  std::string id = lease.id;
  leases_.push_back(std::move(lease));
  places_.emplace(std::move(id), std::prev(leases_.end()));
}

void IssuedLeases::erase(Position position) {
  bytes_ -= position->encoded_touched.size() + memory_of_each;
  referring_ -= position->refers_to_listing ? 1 : 0;
  places_.erase(position->id);
  leases_.erase(position);
  if (leases_.empty()) bytes_ = 0;
}

std::optional<IssuedLease> IssuedLeases::take(std::string_view id) {
  const auto found = places_.find(std::string(id));
  if (found == places_.end()) return std::nullopt;
  IssuedLease lease = *found->second;
  erase(found->second);
  return lease;
}

void IssuedLeases::clear() {
  while (!leases_.empty()) erase(leases_.begin());
}

void IssuedLeases::drop_leases_of_listing() {
  for (auto each = leases_.begin(); each != leases_.end();) {
    const auto lease = each++;
    if (lease->refers_to_listing) erase(lease);
  }
}

void IssuedLeases::drop_older_half() {
  for (std::size_t left = leases_.size() / 2; leases_.size() > left;) erase(leases_.begin());
}

std::string IssuedLeases::encoded_group() const {
  std::string rows;
  std::string bodies;
  const std::string* base = nullptr;
  std::uint64_t base_at = 0;
  for (const IssuedLease& lease : leases_) {
    if (base != lease.encoded_base.get()) {
      base = lease.encoded_base.get();
      base_at = bodies.size();
      bodies += *base;
    }
    append_row(rows, {.id = lease.id,
                      .issued_ns = lease.issued_ns,
                      .base_at = base_at,
                      .base_bytes = base->size(),
                      .touched_at = bodies.size(),
                      .touched_bytes = lease.encoded_touched.size()});
    bodies += lease.encoded_touched;
  }
  std::string index;
  append_integer(index, static_cast<std::uint64_t>(bodies.size()));
  std::string out = encoded_batch(BatchKind::issued, index + rows);
  out.append(leases_.size(), '\1');
  return out + bodies;
}

std::optional<IssuedLease> take_saved_lease(const std::string& folder, std::string_view id) {
  for (const std::string& name : names_in_folder(folder).names) {
    if (!name.starts_with(issued_prefix)) continue;
    // O_NONBLOCK: if the file is a FIFO, open() must not wait for its writer.
    const Fd fd(::open((folder + "/" + name).c_str(), O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) continue;
    const Result<std::string> bytes = read_open_file(fd.get(), name, group_bytes_max);
    if (!bytes) continue;
    std::optional<IssuedLease> found = take_from(fd.get(), *bytes, id);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace snapgen::core
