#pragma once
// Settings of the whole process, made before anything else runs and after everything has ended.

namespace snapgen {

// Opens missing standard streams, because the next file that is opened would otherwise get such a descriptor
// and be written to. Reading or writing the replacement fails, so a program that prints gets an error.
void open_missing_standard_streams();

// Keeps the C library and OpenSSL from loading shared objects that the system's configuration names: modules
// of nsswitch.conf and providers of openssl.cnf. In a static program they end the process, unless they belong
// to the very same C library. So users and groups come from files, and hosts from files and DNS. Call it
// first in main().
void load_no_modules();

// Makes the allocator return freed blocks of 1 MiB and more to the system. By default glibc raises that
// threshold (up to 64 MiB) after it has freed such a block, and a server never shrinks after its largest
// message.
void limit_allocator_retention();

// Ends the threads of libuv's pool and joins them. Call it last in main(): no UvPort may exist then or
// be created later. Without this call, the threads end after the exit handlers of libraries, which then leak
// their per-thread data.
void end_thread_pool();

}  // namespace snapgen
