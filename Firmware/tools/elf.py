"""Reads the data that the build needs from a linked image: 32-bit little-endian ELF, according to its specification."""

import struct


class Image:
    def __init__(self, path):
        self.bytes = path.read_bytes()
        if self.bytes[:6] != b"\x7fELF\x01\x01":
            raise ValueError(f"{path} is not a 32-bit little-endian ELF file")
        self.entry, programs, sections = struct.unpack_from("<III", self.bytes, 24)
        size, count, section_size, section_count = struct.unpack_from("<HHHH", self.bytes, 42)
        # type, offset, virtual and physical address, size in the file and in memory
        headers = [struct.unpack_from("<IIIIII", self.bytes, programs + size * index) for index in range(count)]
        self.loads = [header for header in headers if header[0] == 1 and header[4] > 0]
        self.sections = [
            struct.unpack_from("<IIIIIIIIII", self.bytes, sections + section_size * index) for index in range(section_count)]

    @property
    def flat(self):
        """(address, bytes): the content of the board's flash, without gaps."""
        start = min(load[3] for load in self.loads)
        flat = bytearray()
        for _, offset, _, place, size, _ in sorted(self.loads, key=lambda load: load[3]):
            flat.extend(b"\xff" * (place - start - len(flat)))
            flat[place - start:place - start + size] = self.bytes[offset:offset + size]
        return start, bytes(flat)

    @property
    def memory(self):
        """Bytes of RAM: (variables, stack)."""
        symbols = self.symbols
        stack = symbols["stack_top"] - symbols["stack_bottom"]
        # Allocated and writable sections, except the stack's own.
        taken = sum(section[5] for section in self.sections if section[2] & 3 == 3 and section[3] != symbols["stack_bottom"])
        return taken, stack

    @property
    def symbols(self):
        found = {}
        for section in self.sections:
            if section[1] != 2:
                continue
            texts = self.sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 16):
                name, value, _, _, _, place = struct.unpack_from("<IIIBBH", self.bytes, at)
                end = self.bytes.index(0, texts + name)
                # 0: undefined symbol.
                if place != 0:
                    found[self.bytes[texts + name:end].decode()] = value
        return found
