// UvPort's children. The pipes to them are created here, because libuv would create socket pairs, and a child
// with these cannot open its /dev/stdin.
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "runtime/async/child.h"
#include "runtime/async/port.h"
#include "runtime/base/confinement.h"
#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "runtime/base/spawn.h"
#include "runtime/uv/state.h"
#include "runtime/uv/uv_port.h"

namespace snapgen {
namespace {

// libuv's handles of one child. A UvChild owns itself from launch() until libuv has closed all handles.
struct UvChild {
  uv_process_t process;
  uv_pipe_t in, out, err;
  uv_write_t writing;
  uv_buf_t input;
  std::string text;  // The child's standard input.
  ProcessListener* child = nullptr;
  int open = 0;  // Handles that libuv has not closed yet.
  char chunk[16 << 10];

  template <class Handle>
  static uv_handle_t* handle(Handle& of) {
    return reinterpret_cast<uv_handle_t*>(&of);
  }
  template <class Handle>
  void close(Handle& of) {
    if (uv_is_closing(handle(of))) return;
    auto closed = [](uv_handle_t* which) {
      UvChild* self = static_cast<UvChild*>(which->data);
      if (--self->open > 0) return;
      std::unique_ptr<UvChild> owned(self);
      if (!self->child) return;  // The child was never started.
      self->child->port_data = nullptr;
      self->child->on_closed();
    };
    uv_close(handle(of), closed);
  }
  void close_all() {
    for (uv_pipe_t* pipe : {&in, &out, &err}) close(*pipe);
    close(process);
  }
};

UvChild* of(void* data) { return static_cast<UvChild*>(data); }

// Returns the interpreter that the first line of a script names; empty if the file is no script.
std::string interpreter_of(const std::string& program) {
  const Fd file(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
  char bytes[256];
  const ssize_t size = file ? ::read(file.get(), bytes, sizeof bytes) : 0;
  std::string_view line(bytes, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  line = line.substr(0, line.find('\n'));
  if (!line.starts_with("#!")) return {};
  line.remove_prefix(std::min(line.find_first_not_of(" \t", 2), line.size()));
  return std::string(line.substr(0, line.find_first_of(" \t\r")));
}

Error not_started(const ChildCommand& command, int code) {
  const std::string& program = command.argv[0];
  const std::string cause = std::string("uv_spawn: ") + uv_strerror(code);
  const auto say = [&](std::string sentence) {
    return Error(ErrorCode::unavailable, std::move(sentence), {}, cause);
  };
  struct stat status;
  if (!command.folder.empty() && (::stat(command.folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)))
    return say("The folder " + command.folder + " does not exist, so " + program + " cannot run in it.");
  if (const std::string interpreter = interpreter_of(program); code == UV_ENOENT && !interpreter.empty())
    return say("The program " + program + " cannot run: the interpreter in its first line, " + interpreter +
               ", does not exist.");
  if (code == UV_ENOENT)
    return say(program.find('/') == std::string::npos ? "The program " + program + " was not found on PATH."
                                                      : "The program " + program + " does not exist.");
  if (code == UV_EACCES) return say("The program " + program + " cannot be run: permission denied.");
  return say("The program " + program + " cannot be run: " + uv_strerror(code) + ".");
}

void allocate(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
  UvChild& self = *of(handle->data);
  *buffer = uv_buf_init(self.chunk, sizeof self.chunk);
}

// Runs `start` on a thread that is confined, because a child inherits the confinement of the thread that
// starts it. Returns false if the system does not permit the thread or its confinement; then `start` did not
// run.
bool run_confined(const Confinement& confinement, const std::function<void()>& start) {
  bool is_confined = false;
  const auto run = [&] {
    is_confined = static_cast<bool>(confine(confinement));
    if (is_confined) start();
  };
  try {
    std::thread(run).join();
  } catch (const std::system_error&) {
    return false;
  }
  return is_confined;
}

void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
  UvChild& self = *of(stream->data);
  const int fd = reinterpret_cast<uv_pipe_t*>(stream) == &self.out ? 1 : 2;
  if (size > 0)
    return self.child->on_output(fd, std::string_view(buffer->base, static_cast<std::size_t>(size)));
  if (size < 0) self.close(*reinterpret_cast<uv_pipe_t*>(stream));  // The end of the output, or a read error.
}

void ended(uv_process_t* process, std::int64_t exit_code, int signal) {
  UvChild& self = *of(process->data);
  self.close(self.in);  // No process reads the remaining input.
  self.child->on_exit(static_cast<int>(exit_code), signal);
  self.close(self.process);
}

// Opens the pipes of a child's input, output and error output. The ends of this process are non-blocking, and
// those of the child are not.
Result<Unit> open_pipes(Fd (&ours)[3], Fd (&theirs)[3]) {
  for (int fd = 0; fd < 3; ++fd) {
    int ends[2];
    const bool in = fd == 0;
    if (int code = uv_pipe(ends, in ? 0 : UV_NONBLOCK_PIPE, in ? UV_NONBLOCK_PIPE : 0))
      return uv_error("uv_pipe", code);
    ours[fd] = Fd(ends[in ? 1 : 0]);
    theirs[fd] = Fd(ends[in ? 0 : 1]);
  }
  return Unit{};
}

// Sends the input to the child, then closes its pipe.
void write_input(UvChild& self, const std::string& input) {
  self.text = input;
  self.input = uv_buf_init(self.text.data(), static_cast<unsigned>(self.text.size()));
  // The child may exit without reading its input, which is not an error.
  auto written = [](uv_write_t* request, int) {
    of(request->handle->data)->close(of(request->handle->data)->in);
  };
  if (self.text.empty() ||
      uv_write(&self.writing, reinterpret_cast<uv_stream_t*>(&self.in), &self.input, 1, written) != 0)
    self.close(self.in);
}

}  // namespace

Result<Unit> UvPort::launch(ProcessListener& child, const ChildCommand& command) {
  assert(std::this_thread::get_id() == state_->thread);
  assert(!command.argv.empty());
  // The child inherits only its own ends of the pipes, as descriptors 0, 1 and 2.
  Fd ours[3], theirs[3];
  TRY(open_pipes(ours, theirs));

  UvChild& self = *new UvChild;  // Freed when its last handle is closed.
  uv_loop_t* loop = &state_->loop;
  uv_pipe_t* pipes[3] = {&self.in, &self.out, &self.err};
  for (int fd = 0; fd < 3; ++fd) {
    uv_pipe_init(loop, pipes[fd], 0);  // This cannot fail.
    pipes[fd]->data = &self;
    ++self.open;
    const int code = uv_pipe_open(pipes[fd], ours[fd].get());
    assert(code == 0);  // The descriptor is valid and not watched yet.
    static_cast<void>(code);
    ours[fd].take();
  }

  // The child must not inherit other descriptors. Kernels before 5.11 lack this flag, but most descriptors
  // were opened as close-on-exec.
  static_cast<void>(::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC));
  std::vector<char*> arguments = null_terminated_pointers(command.argv);
  std::vector<char*> environment = null_terminated_pointers(command.environment);
  uv_stdio_container_t stdio[3] = {};
  for (int fd = 0; fd < 3; ++fd) {
    stdio[fd].flags = UV_INHERIT_FD;
    stdio[fd].data.fd = theirs[fd].get();
  }
  uv_process_options_t options = {};
  options.file = arguments[0];
  options.args = arguments.data();
  options.env = environment.data();
  options.cwd = command.folder.empty() ? nullptr : command.folder.c_str();
  options.flags = UV_PROCESS_DETACHED;  // A new session and process group.
  options.stdio_count = 3;
  options.stdio = stdio;
  options.exit_cb = ended;
  int code = 0;
  // The loop's thread blocks until the child was started, so only one thread uses the libuv loop at a time.
  const auto spawn = [&] {
    const auto start = [&] { code = uv_spawn(loop, &self.process, &options); };
    if (command.confinement && landlock_abi() > 0)
      code = run_confined(*command.confinement, start) ? code : UV_EPERM;
    else
      start();
  };
  if (state_->helper)
    state_->helper->run_and_wait(spawn);
  else
    spawn();
  self.process.data = &self;
  ++self.open;
  if (code) {
    self.close_all();
    return not_started(command, code);
  }

  // The child already runs, but its limit is set before it receives any input.
  if (state_->file_limit_before)
    ::prlimit(self.process.pid, RLIMIT_NOFILE, &*state_->file_limit_before, nullptr);
  self.child = &child;
  child.port_data = &self;
  for (uv_pipe_t* pipe : {&self.out, &self.err})
    uv_read_start(reinterpret_cast<uv_stream_t*>(pipe), allocate, on_read);
  write_input(self, command.input);
  return Unit{};
}

HelperThread::~HelperThread() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HelperThread::run_and_wait(const std::function<void()>& job) {
  std::unique_lock lock(mutex_);
  job_ = &job;
  changed_.notify_all();
  changed_.wait(lock, [this] { return job_ == nullptr; });
}

void HelperThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return job_ != nullptr || ends_; });
    if (job_ == nullptr) return;
    (*job_)();
    job_ = nullptr;
    changed_.notify_all();
  }
}

Result<Unit> UvPort::launch_from_helper_thread() {
  assert(std::this_thread::get_id() == state_->thread);
  try {
    state_->helper = std::make_unique<HelperThread>();
  } catch (const std::system_error& error) {
    return Error(
        ErrorCode::unavailable,
        "The system did not let the server start a thread. Raise the limit of processes (ulimit -u).", {},
        std::string("thread: ") + error.what());
  }
  return Unit{};
}

void UvPort::signal(ProcessListener& child, int number) {
  assert(std::this_thread::get_id() == state_->thread);
  if (!child.port_data) return;
  // An error (ESRCH) only means that the group is empty.
  ::kill(-of(child.port_data)->process.pid, number);
}

void UvPort::close_pipes(ProcessListener& child) {
  assert(std::this_thread::get_id() == state_->thread);
  if (child.port_data) of(child.port_data)->close_all();
}

}  // namespace snapgen
