"""Protections of the compiler and the linker against memory errors, read from the built files.

    binary_test.py SERVER [FOLDER]     FOLDER: object files of a library, some of whose functions have arrays on their stacks
"""
import pathlib
import struct
import sys
import unittest

PATHS = [pathlib.Path(path) for path in sys.argv[1:]]
del sys.argv[1:]

ET_EXEC, ET_DYN, PT_LOAD, PT_DYNAMIC, PT_INTERP = 2, 3, 1, 2, 3
PT_GNU_STACK, PT_GNU_RELRO = 0x6474E551, 0x6474E552
DT_FLAGS, DT_TEXTREL, DT_RPATH, DT_RUNPATH, DT_FLAGS_1 = 30, 22, 15, 29, 0x6FFFFFFB
DF_TEXTREL, DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 4, 8, 1, 0x08000000
EXECUTABLE, WRITABLE = 1, 2


class Elf:
    """Reads the needed parts of a 64-bit little-endian ELF file (System V ABI, chapters 4 and 5)."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        assert self.bytes[:6] == b"\x7fELF\x02\x01", path
        self.kind, = struct.unpack_from("<H", self.bytes, 16)
        program_at, section_at = struct.unpack_from("<QQ", self.bytes, 32)
        program_size, programs, section_size, sections, _ = struct.unpack_from("<HHHHH", self.bytes, 54)
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.bytes, program_at + i * program_size) for i in range(programs)]
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, section_at + i * section_size) for i in range(sections)]

    def flags(self, kind):
        return [flags for this, flags, *_ in self.segments if this == kind]

    def dynamic(self):
        """Returns what the loader reads; nothing if the program is static."""
        offset, size = next(((segment[2], segment[5]) for segment in self.segments if segment[0] == PT_DYNAMIC), (0, 0))
        return dict(struct.unpack_from("<QQ", self.bytes, at) for at in range(offset, offset + size, 16))

    def undefined(self):
        """Returns the names of functions that the file imports."""
        found = set()
        for _, kind, _, _, offset, size, link, _, _, entry in self.sections:
            if kind not in (2, 11):
                continue
            names = self.sections[link][4]
            for at in range(offset, offset + size, entry):
                name, _, _, section = struct.unpack_from("<IBBH", self.bytes, at)
                if section == 0 and name:
                    found.add(self.bytes[names + name:self.bytes.index(b"\0", names + name)].decode())
        return found


class Binary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Elf(PATHS[0])

    def test_the_server_loads_nothing_or_is_position_independent(self):
        dynamic = self.server.dynamic()
        if not dynamic:
            self.assertEqual((self.server.kind, self.server.flags(PT_INTERP)), (ET_EXEC, []))
        else:
            self.assertEqual(self.server.kind, ET_DYN)
            self.assertTrue(dynamic[DT_FLAGS_1] & DF_1_PIE)

    def test_no_memory_is_writable_and_executable(self):
        self.assertEqual([flags & EXECUTABLE for flags in self.server.flags(PT_GNU_STACK)], [0])
        for flags in self.server.flags(PT_LOAD):
            self.assertNotEqual(flags & (EXECUTABLE | WRITABLE), EXECUTABLE | WRITABLE)
        dynamic = self.server.dynamic()
        self.assertNotIn(DT_TEXTREL, dynamic)
        self.assertFalse(dynamic.get(DT_FLAGS, 0) & DF_TEXTREL)

    def test_the_function_table_is_bound_at_the_start_and_read_only(self):
        self.assertEqual(len(self.server.flags(PT_GNU_RELRO)), 1)
        if dynamic := self.server.dynamic():
            self.assertTrue(dynamic.get(DT_FLAGS, 0) & DF_BIND_NOW)
            self.assertTrue(dynamic[DT_FLAGS_1] & DF_1_NOW)

    def test_the_server_has_no_library_search_path(self):
        dynamic = self.server.dynamic()
        self.assertNotIn(DT_RPATH, dynamic)
        self.assertNotIn(DT_RUNPATH, dynamic)

    def test_return_addresses_are_guarded(self):
        if len(PATHS) < 2:
            self.skipTest("SKIPPED: this build is not hardened by the compiler")
        objects = list(PATHS[1].glob("*.o"))
        self.assertTrue(any("__stack_chk_fail" in Elf(each).undefined() for each in objects), objects)


if __name__ == "__main__":
    unittest.main()
