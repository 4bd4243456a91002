#pragma once
// Transaction: one change of the live tree, from staging to the end. Of one thread, under the staging
// folder's lock.
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/core/path/root.h"
#include "tools/core/write/change.h"
#include "tools/core/write/layout.h"
#include "tools/core/write/parents.h"
#include "tools/core/write/staging_folder.h"
#include "tools/core/write/writer.h"

namespace snapgen::core {

class Transaction {
 public:
  // All must outlive this.
  Transaction(const Root& root, StagingFolder& staging, const std::vector<TreeWrite>& writes);

  // As Writer::write(). `made`: called when the change is durable, before its journal goes.
  Result<std::vector<FileRecord>> run(const WriteOptions& options, const std::function<void()>& made,
                                      const std::stop_token& stop);

  // After it was done: files of the staging folder that nobody needs any more.
  std::vector<std::string> leftovers() { return std::move(leftovers_); }

 private:
  Result<Unit> stage_all(const std::stop_token& stop);
  Result<Unit> stage_one(Step& step, const TreeWrite& write, const std::stop_token& stop);
  void note_records();
  Result<FileRecord> observed(const TreeWrite& write, const std::stop_token& stop);

  const Root& root_;
  StagingFolder& staging_;
  const std::vector<TreeWrite>& writes_;
  std::string name_;
  Layout layout_;
  Parents parents_;
  std::vector<std::string> leftovers_;
  std::vector<FileRecord> records_;  // For each step that leaves a file, what stands there afterwards.
};

}  // namespace snapgen::core
