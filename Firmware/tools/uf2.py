"""UF2, the file format of a Pico's boot loader: blocks of 512 bytes, each with 256 bytes of the image."""

import struct

FAMILIES = {"rp2040": 0xE48BFF56}


def packed(start, image, family):
    blocks = [image[at:at + 256].ljust(256, b"\0") for at in range(0, len(image), 256)]
    out = bytearray()
    for number, block in enumerate(blocks):
        head = struct.pack(
            "<8I", 0x0A324655, 0x9E5D5157, 0x2000, start + 256 * number, 256, number, len(blocks), FAMILIES[family])
        out += (head + block).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30)
    return bytes(out)
