#pragma once
// Kept: the events that all tracks of an endpoint keep for clients that come back. Sessions that nobody uses
// any more have no end of their own, so what they keep is limited in all, and the oldest goes first.
//
// It outlives its tracks.
#include <cstddef>
#include <list>

namespace snapgen::streamable {

class Track;

class Kept {
 public:
  // An event's, among all: it is there until it is given back.
  using Place = std::list<Track*>::iterator;

  explicit Kept(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Kept(Kept&&) = delete;

  Place add(Track& track, std::size_t bytes);
  void give_back(Place place, std::size_t bytes);
  // Tracks forget their oldest events until the others are within the limit.
  void trim();

 private:
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<Track*> oldest_first_;  // One entry for each event.
};

}  // namespace snapgen::streamable
