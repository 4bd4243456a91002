#include "tools/core/new_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tools/core/random.h"
#include "tools/core/store/durable.h"
#include "tools/core/write/exchange.h"

namespace snapgen::core {

Result<bool> make_new_file(const std::string& folder, const std::string& name, std::string_view bytes) {
  const auto failed = [&](int number) {
    return Error(ErrorCode::unavailable,
                 "Cannot write " + folder + "/" + name + ": " + std::strerror(number) + ".");
  };
  const Fd place(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!place) return failed(errno);
  const std::string temporary = std::string(temporary_prefix) + random_name(16);
  const Fd file(::openat(place.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return failed(errno);
  Result<Unit> written = write_at(file.get(), bytes, 0);
  if (written) written = sync_file(file.get());
  const int refused = written ? move_to_free(place.get(), temporary, place.get(), name) : 0;
  if (!written || refused != 0) ::unlinkat(place.get(), temporary.c_str(), 0);
  if (!written) return std::move(written).error();
  if (refused == EEXIST) return false;
  if (refused != 0) return failed(refused);
  Result<Unit> synced = sync_folder(folder);
  if (!synced) return std::move(synced).error();
  return true;
}

}  // namespace snapgen::core
