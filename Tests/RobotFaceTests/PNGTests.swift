import Foundation
import Testing

@testable import RobotFace

@Suite struct PNGTests {
    /// Uses Python's zlib and checks the sums by hand: a reader independent of the writer.
    private static let reader = """
        import sys, zlib, struct
        data = sys.stdin.buffer.read(); assert data[:8] == bytes([137, 80, 78, 71, 13, 10, 26, 10])
        place, body, size = 8, b"", (0, 0)
        while place < len(data):
            length, kind = struct.unpack(">I4s", data[place:place + 8]); chunk = data[place + 8:place + 8 + length]
            assert struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0] == zlib.crc32(kind + chunk)
            if kind == b"IHDR": size = struct.unpack(">II", chunk[:8]); assert chunk[8:] == bytes([8, 2, 0, 0, 0])
            if kind == b"IDAT": body += chunk
            place += 12 + length
        raw, stride, above, out = zlib.decompress(body), size[0] * 3, bytearray(size[0] * 3), b""
        assert len(raw) == (stride + 1) * size[1]
        for start in range(0, len(raw), stride + 1):
            row = bytearray(raw[start + 1:start + 1 + stride])
            for i in range(stride): row[i] = (row[i] + (above[i] if raw[start] == 2 else row[i - 3] if i > 2 else 0)) & 255
            above = row; out += row
        sys.stdout.buffer.write(out)
        """

    @Test(arguments: [(1, 1), (7, 3), (64, 40), (300, 5)])
    func `an independent reader reads what was written`(width: Int, height: Int) throws {
        var random = RandomSource(seed: 9)
        // Runs of every length, and noise.
        var pixels: [UInt8] = []
        while pixels.count < width * height * 3 {
            let value = UInt8(truncatingIfNeeded: random.next())
            pixels += [UInt8](repeating: value, count: Int(random.next() % 300) + 1)
            pixels += (0..<7).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        pixels = Array(pixels.prefix(width * height * 3))
        #expect(try read(PNGEncoder.encode(pixels, width: width, height: height)) == pixels)
    }

    @Test func `a face becomes a small file, and invalid input none`() throws {
        var raster = FaceRaster(width: 320, height: 192)
        let pixels = raster.draw(FaceState(.normal))
        let file = PNGEncoder.encode(pixels, width: 320, height: 192)
        #expect(file.count < pixels.count / 3)
        #expect(try read(file) == pixels)
        #expect(PNGEncoder.encode([1, 2], width: 1, height: 1).isEmpty)
        #expect(PNGEncoder.encode([], width: 0, height: 0).isEmpty)
    }

    private func read(_ file: [UInt8]) throws -> [UInt8] {
        let python = Process(), input = Pipe(), output = Pipe()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", Self.reader]
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        input.fileHandleForWriting.write(Data(file))
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        return Array(answer)
    }
}
