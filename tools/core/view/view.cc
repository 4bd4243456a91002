#include "tools/core/view/view.h"

namespace snapgen::core {

void add(Skipped& sum, const Skipped& more) {
  sum.binary += more.binary;
  sum.ignored += more.ignored;
  sum.nested_repository += more.nested_repository;
  sum.not_a_file += more.not_a_file;
  sum.symlink += more.symlink;
  sum.too_large += more.too_large;
  sum.unreadable += more.unreadable;
}

}  // namespace snapgen::core
