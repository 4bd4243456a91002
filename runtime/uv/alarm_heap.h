#pragma once
// AlarmHeap: a heap of the active alarms, the earliest first. The heap stores pointers to alarms that others
// own, and each alarm its index in the heap. So an alarm needs no allocation, and cancelling it needs no
// search.
#include <cstddef>
#include <vector>

#include "runtime/async/port.h"

namespace snapgen {

class AlarmHeap {
 public:
  bool empty() const { return heap_.empty(); }
  Alarm& first() const { return *heap_.front(); }

  void insert(Alarm& alarm) {
    heap_.push_back(&alarm);
    sift_up(heap_.size() - 1, alarm);
  }
  void remove(Alarm& alarm) {
    std::size_t hole = alarm.slot;
    alarm.slot = Alarm::no_slot;
    Alarm& last = *heap_.back();
    heap_.pop_back();
    if (&last == &alarm) return;
    if (hole > 0 && last.due_ms < heap_[parent(hole)]->due_ms) {
      sift_up(hole, last);
    } else {
      sift_down(hole, last);
    }
  }

 private:
  static std::size_t parent(std::size_t slot) { return (slot - 1) / 2; }
  void place(std::size_t slot, Alarm& alarm) {
    heap_[slot] = &alarm;
    alarm.slot = slot;
  }
  void sift_up(std::size_t slot, Alarm& alarm) {
    for (; slot > 0 && alarm.due_ms < heap_[parent(slot)]->due_ms; slot = parent(slot)) {
      place(slot, *heap_[parent(slot)]);
    }
    place(slot, alarm);
  }
  void sift_down(std::size_t slot, Alarm& alarm) {
    for (;;) {
      std::size_t child = 2 * slot + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1]->due_ms < heap_[child]->due_ms) ++child;
      if (heap_[child]->due_ms >= alarm.due_ms) break;
      place(slot, *heap_[child]);
      slot = child;
    }
    place(slot, alarm);
  }

  std::vector<Alarm*> heap_;
};

}  // namespace snapgen
