"""The second stage of an RP2040: 252 bytes of code and a checksum that the chip's ROM checks."""


def checksum(code):
    """CRC-32/MPEG-2, as the RP2040 datasheet (2.8.1.3.1) requires."""
    crc = 0xFFFFFFFF
    for byte in code:
        crc ^= byte << 24
        for _ in range(8):
            crc = crc << 1 ^ 0x04C11DB7 if crc & 0x80000000 else crc << 1
            crc &= 0xFFFFFFFF
    return crc


def source(code):
    """Returns an assembly file that places the code first in flash."""
    if len(code) > 252:
        raise ValueError(f"the second stage has {len(code)} bytes; the limit is 252")
    padded = code.ljust(252, b"\0")
    whole = padded + checksum(padded).to_bytes(4, "little")
    return '.section .boot2, "a"\n.byte ' + ", ".join(map(str, whole)) + "\n"
