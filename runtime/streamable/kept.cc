#include "runtime/streamable/kept.h"

#include "runtime/streamable/track.h"

namespace snapgen::streamable {

Kept::Place Kept::add(Track& track, std::size_t bytes) {
  bytes_ += bytes;
  return oldest_first_.insert(oldest_first_.end(), &track);
}

void Kept::give_back(Place place, std::size_t bytes) {
  bytes_ -= bytes;
  oldest_first_.erase(place);
}

void Kept::trim() {
  // The oldest of all is the oldest of its track.
  while (bytes_ > bytes_max_ && !oldest_first_.empty()) oldest_first_.front()->forget_oldest();
}

}  // namespace snapgen::streamable
