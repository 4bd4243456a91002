#include "runtime/mcp/revision.h"

namespace snapgen::mcp {

namespace {

constexpr std::array<std::string_view, 5> names = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                   "2026-07-28"};

}  // namespace

std::string_view text(Revision revision) { return names[static_cast<std::size_t>(revision)]; }

std::optional<Revision> revision_named(std::string_view name) {
  for (std::size_t i = 0; i != names.size(); ++i)
    if (names[i] == name) return static_cast<Revision>(i);
  return std::nullopt;
}

Revision negotiated_revision(std::string_view name) {
  const std::optional<Revision> revision = revision_named(name);
  return revision && !is_modern(*revision) ? *revision : newest_legacy_revision;
}

ListingForm listing_form(Revision revision) {
  switch (revision) {
    case Revision::v2024_11_05: return ListingForm::v2024_11_05;
    case Revision::v2025_03_26: return ListingForm::v2025_03_26;
    case Revision::v2025_06_18:
    case Revision::v2025_11_25: return ListingForm::v2025_06_18;
    case Revision::v2026_07_28: break;
  }
  return ListingForm::v2026_07_28;
}

}  // namespace snapgen::mcp
