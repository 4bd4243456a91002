#pragma once
// Exports: a set of captured files as one canonical JSON text, or as one tar archive. The same files give the
// same bytes on every machine.
//
// bundle:
// {"blobs":{"sha256:...":content,...},"fingerprint":{...},"format":"snapgen-bundle/1","manifest":{...}}
//
// tar: ustar; pax headers for long names and large sizes; owner 0, time 0, mode 0644 or 0755; no folders.
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {

// The files of an export: the entries, sorted by path, and functions to read their contents.
struct ExportSource {
  std::vector<ManifestEntry> entries;
  std::function<Result<std::uint64_t>(const ManifestEntry&)> size_of;
  std::function<Result<std::string>(const ManifestEntry&)> read;
};

// Makes the text or archive. Errors: too_large (with the size and what to do; details
// {"bytes":...,"max_bytes":...}); cancelled; those of reading.
Result<std::string> bundle_of(const ExportSource& files, const Fingerprint& fingerprint,
                              std::uint64_t bytes_max, const std::stop_token& stop);
Result<std::string> tar_of(const ExportSource& files, std::uint64_t bytes_max, const std::stop_token& stop);

// The largest `bytes_max` that a client may pass.
inline constexpr std::uint64_t export_bytes_limit = 16 << 20;

// The error for an export of `bytes` bytes, or with `at_least` of so many bytes or more.
Error too_large_to_export_error(std::uint64_t bytes, std::uint64_t bytes_max, bool at_least);

}  // namespace snapgen::core
