import CPosix
import Glibc
import Testing

@testable import PictureShare

@Suite struct DepthShareTests {
    private static func facts(_ number: Int) -> DepthFacts {
        DepthFacts(
            sequence: 100 + number, exposure: Double(number), arrival: Double(number) + 0.03,
            isEstimated: number % 2 == 1, unit: 0.001,
            lens: number % 3 == 0 ? nil : DepthFacts.Lens(fx: 500, fy: 501, cx: 320, cy: Double(number)))
    }

    @Test func `a reader sees the samples and what is known about them`() throws {
        let writer = try DepthWriter(width: 31, height: 17), reader = try DepthReader(writer.descriptor)
        #expect(reader.width == 31 && reader.height == 17 && reader.newest() == nil && !reader.hasEnded)
        for number in 1...20 {
            let samples = (0..<31 * 17).map { UInt16(truncatingIfNeeded: $0 * number) }
            #expect(writer.write(samples, Self.facts(number)))
            let picture = try #require(reader.newest(after: number - 1))
            #expect(picture.number == number && picture.samples == samples && picture.facts == Self.facts(number))
            #expect(reader.newest(after: number) == nil)
        }
        #expect(!writer.write([1, 2, 3], Self.facts(1)), "this is another size")
        #expect(reader.newest()?.number == 20)
        writer.end()
        #expect(reader.hasEnded)
    }

    @Test func `a copy is never half of one picture and half of another`() async throws {
        let writer = try DepthWriter(width: 160, height: 120), count = 160 * 120
        #expect(writer.write([UInt16](repeating: 1, count: count), Self.facts(1)))
        let writing = Task.detached {
            for number in 2...2000 {
                writer.write(
                    [UInt16](repeating: UInt16(truncatingIfNeeded: number), count: count), Self.facts(number))
            }
        }
        let reader = try DepthReader(writer.descriptor)
        var last = 0, seen = 0
        while last < 2000 {
            guard let picture = reader.newest(after: last) else {
                await Task.yield()
                continue
            }
            (last, seen) = (picture.number, seen + 1)
            let value = UInt16(truncatingIfNeeded: picture.number)
            #expect(picture.samples.first == value && picture.samples.last == value)
            #expect(picture.samples.allSatisfy { $0 == value } && picture.facts.sequence == 100 + picture.number)
        }
        await writing.value
        #expect(seen > 0)
    }

    @Test func `a reader cannot write, grow or shrink it, and opens it by the link of another process`() throws {
        let writer = try DepthWriter(width: 64, height: 48)
        writer.write([UInt16](repeating: 7, count: 64 * 48), Self.facts(2))
        let link = "/proc/\(getpid())/fd/\(writer.descriptor)"
        #expect(try DepthReader(path: link).newest()?.samples.first == 7)
        for flags in [O_RDONLY, O_RDWR] {
            let descriptor = open(link, flags | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var byte: UInt8 = 1
            #expect(pwrite(descriptor, &byte, 1, 0) == -1)
            #expect(ftruncate(descriptor, 0) == -1)
            #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED)
        }
    }

    @Test func `other memory, and a promise that is not kept, are rejected`() throws {
        #expect(throws: ShareFailure.self) { try DepthReader(path: "/nonexistent/depth") }
        #expect(throws: ShareFailure.self) { try DepthReader(path: "/dev/null") }
        let layout = try #require(ShareLayout(format: .rgb24, width: 64, height: 48))
        let pictures = try PictureWriter(layout)
        #expect(throws: ShareFailure.self) { try DepthReader(pictures.descriptor) }
        let writer = try DepthWriter(width: 640, height: 480)
        #expect(throws: ShareFailure.self) { try PictureReader(writer.descriptor) }
        // The first page promises more than there is.
        var place: UnsafeMutableRawPointer?
        let small = cposix_share_create("small", 8192, &place)
        defer { close(small) }
        place?.copyMemory(
            from: try #require(mmap(nil, 4096, PROT_READ, MAP_SHARED, writer.descriptor, 0)), byteCount: 4096)
        #expect(throws: ShareFailure.self) { try DepthReader(small) }
        #expect(throws: ShareFailure.self) { try DepthWriter(width: 0, height: 1) }
        #expect(throws: ShareFailure.self) { try DepthWriter(width: 5000, height: 1) }
    }
}
