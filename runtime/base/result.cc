#include "runtime/base/result.h"

namespace snapgen {

std::string_view text(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return "NOT_FOUND";
    case ErrorCode::invalid_argument: return "INVALID_ARGUMENT";
    case ErrorCode::repo_changed: return "REPO_CHANGED";
    case ErrorCode::permission_denied: return "PERMISSION_DENIED";
    case ErrorCode::too_large: return "TOO_LARGE";
    case ErrorCode::internal: return "INTERNAL";
    case ErrorCode::stale_lease: return "STALE_LEASE";
    case ErrorCode::cancelled: return "CANCELLED";
    case ErrorCode::unavailable: return "UNAVAILABLE";
    case ErrorCode::unsupported: return "UNSUPPORTED";
  }
  return "INTERNAL";
}

Error internal_error(std::string cause) {
  return Error(ErrorCode::internal, "Internal error; see the log.", {}, std::move(cause));
}

}  // namespace snapgen
