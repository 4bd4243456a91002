#pragma once
// What a server asks of its process as a whole: before anything else runs, and when all has ended.

namespace snapgen {

// Where the process was started without one of its standard streams, a file that is opened later would take
// its place, and be written to. They are filled with what refuses to be read, or written: who prints is told.
void fill_standard_streams();

// Memory of 1 MiB and more goes back to the system when it is freed. Left alone, the allocator keeps ever
// larger pieces (up to 64 MiB) once it has seen one freed, and a server stays as large as its largest
// message.
void return_freed_memory();

// Ends the pool's threads and waits for them. The last call of a main: no port may exist, and none is made
// after it. Left alone they end behind the exit handlers of libraries, which then no longer free what they
// keep per thread.
void end_pool();

}  // namespace snapgen
