"""The programs load nothing, and work on old kernels.

    static_test.py SERVER SNAPGEN IS_STATIC
"""
import ctypes
import errno
import pathlib
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import session  # noqa: E402

SERVER, SNAPGEN = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
IS_STATIC = sys.argv.pop(1) == "true"

# The version of Linux that brought each system call, and its number on x86-64.
CALLS = [((4, 5), 326, "copy_file_range"), ((4, 6), 327, "preadv2"), ((4, 11), 332, "statx"), ((4, 18), 334, "rseq"),
         ((5, 1), 425, "io_uring_setup"), ((5, 1), 424, "pidfd_send_signal"), ((5, 3), 434, "pidfd_open"), ((5, 3), 435, "clone3"),
         ((5, 6), 437, "openat2"), ((5, 8), 439, "faccessat2"), ((5, 9), 436, "close_range"), ((5, 11), 441, "epoll_pwait2"),
         ((5, 13), 444, "landlock_create_ruleset"), ((5, 13), 445, "landlock_add_rule"), ((5, 13), 446, "landlock_restrict_self"),
         ((3, 15), 316, "renameat2")]


def without_calls(numbers):
    """Makes these system calls of this process and its children fail with ENOSYS, by a seccomp filter."""
    def statement(code, value, if_true=0, if_false=0):
        return struct.pack("HBBI", code, if_true, if_false, value)

    load_word, equal, answer = 0x20, 0x15, 0x06
    program = statement(load_word, 0)  # The number of the call.
    for number in numbers:
        program += statement(equal, number, 0, 1) + statement(answer, 0x00050000 | errno.ENOSYS)
    program += statement(answer, 0x7FFF0000)
    code = ctypes.create_string_buffer(program)
    filters = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, with_filter = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) != 0 or libc.prctl(set_seccomp, with_filter, ctypes.byref(filters), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


class Static(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snapgen static "))
        self.addCleanup(shutil.rmtree, self.folder)

    @unittest.skipUnless(IS_STATIC, "this build links shared libraries")
    def test_the_programs_have_no_loader_and_need_no_library(self):
        for program in (SERVER, SNAPGEN):
            said = subprocess.run(["readelf", "-lWd", program], capture_output=True, text=True, check=True).stdout
            self.assertIn("LOAD", said)
            self.assertNotIn("INTERP", said, program)
            self.assertNotIn("NEEDED", said, program)

    @unittest.skipUnless(platform.machine() == "x86_64", "the numbers of system calls are those of x86-64")
    def test_a_session_works_on_old_kernels(self):
        for version in ((5, 4), (4, 4), (3, 14)):
            with self.subTest(kernel=version):
                newer = [number for since, number, _ in CALLS if since > version]
                folder = session.repository(self.folder / "-".join(map(str, version)))
                session.play([str(SERVER)], folder, env={"HOME": str(self.folder)}, preexec_fn=lambda: without_calls(newer))


if __name__ == "__main__":
    unittest.main()
