import CPosix
import Geometry
import Glibc
import Testing

@testable import PictureShare

@Suite struct PictureShareTests {
    private static func share(_ width: Int = 64, _ height: Int = 48, slots: Int = 4) throws -> PictureWriter {
        try PictureWriter(try #require(ShareLayout(format: .rgb24, width: width, height: height, slots: slots)))
    }

    /// Publishes a picture whose pixels all have one value.
    @discardableResult
    private static func publish(_ writer: PictureWriter, _ number: Int, keeps: Bool = false) throws
        -> PictureWriter.Slot
    {
        let slot = try #require(writer.take())
        for index in writer.pixels(of: slot).indices {
            writer.pixels(of: slot)[index] = UInt8(truncatingIfNeeded: number)
        }
        let pose = PicturePose(pose: PanTilt(pan: Double(number), tilt: -1), rate: PanTilt(pan: 0.5, tilt: 0.25))
        writer.publish(
            slot,
            PictureFacts(
                sequence: number + 100, exposure: Double(number), arrival: Double(number) + 0.04,
                isEstimated: number % 2 == 1, pose: number % 3 == 0 ? nil : pose))
        if !keeps { writer.release(slot) }
        return slot
    }

    @Test func `a reader sees what the writer wrote`() throws {
        let writer = try Self.share(), reader = try PictureReader(writer.descriptor)
        #expect(reader.layout == writer.layout && reader.newest() == nil && !reader.hasEnded)
        for number in 1...9 {
            try Self.publish(writer, number)
            let picture = try #require(reader.newest(after: number - 1))
            #expect(picture.number == number && picture.facts.sequence == number + 100)
            #expect(picture.facts.exposure == Double(number) && picture.facts.arrival == Double(number) + 0.04)
            #expect(picture.facts.isEstimated == (number % 2 == 1))
            #expect(picture.facts.pose?.pose.pan == (number % 3 == 0 ? nil : Double(number)))
            #expect(reader.copy(picture) == Array(repeating: UInt8(number), count: 64 * 48 * 3))
            #expect(reader.newest(after: number) == nil)
        }
        writer.end()
        #expect(reader.hasEnded)
    }

    @Test func `a reader that wants every picture gets them in order`() throws {
        let writer = try Self.share(slots: 6), reader = try PictureReader(writer.descriptor)
        for number in 1...5 { try Self.publish(writer, number) }
        var seen: [Int] = []
        while let picture = reader.next(after: seen.last ?? 0) { seen.append(picture.number) }
        #expect(seen == [1, 2, 3, 4, 5])
    }

    @Test func `a picture that was overwritten is not believed`() throws {
        let writer = try Self.share(slots: 3), reader = try PictureReader(writer.descriptor)
        try Self.publish(writer, 1)
        let old = try #require(reader.newest())
        try Self.publish(writer, 2)
        #expect(reader.isIntact(old))
        let kept = reader.read(old) { pixels in
            for number in 3...4 { _ = try? Self.publish(writer, number) }
            return pixels[0]
        }
        #expect(kept == nil && !reader.isIntact(old))
    }

    @Test func `a picture that the daemon still uses is not overwritten, and the newest never is`() throws {
        let writer = try Self.share(slots: 4), reader = try PictureReader(writer.descriptor)
        let held = try Self.publish(writer, 1, keeps: true), picture = try #require(reader.newest())
        for number in 2...20 { try Self.publish(writer, number) }
        #expect(reader.isIntact(picture))
        let others = [writer.take(), writer.take()].compactMap { $0 }
        #expect(others.count == 2 && writer.take() == nil, "one is held, and one is the newest")
        #expect(reader.newest()?.number == 20)
        writer.release(held)
        #expect(writer.take() == held)
        #expect(!reader.isIntact(picture))
    }

    /// What a reader may try with its descriptor, in its own process.
    @Test func `a reader cannot write, grow or shrink a share`() throws {
        let writer = try Self.share(), descriptor = dup(writer.descriptor)
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, Int32(SEEK_END)))
        var byte: UInt8 = 1
        #expect(pwrite(descriptor, &byte, 1, 0) == -1 && errno == EPERM)
        #expect(ftruncate(descriptor, 0) == -1 && errno == EPERM)
        #expect(ftruncate(descriptor, off_t(size + 1)) == -1 && errno == EPERM)
        #expect(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED && errno == EPERM)
        let place = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
        defer { munmap(place, size) }
        #expect(mprotect(place, size, PROT_READ | PROT_WRITE) == -1 && errno == EACCES)
        #expect(madvise(place, size, 9) == -1, "MADV_REMOVE would punch a hole")
    }

    @Test func `other memory is rejected`() throws {
        // Another file can shrink while it is read.
        var name = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        let plain = mkstemp(&name)
        defer { close(plain) }
        unlink(name)
        ftruncate(plain, 8192)
        #expect(throws: ShareFailure.self) { try PictureReader(plain) }
        var place: UnsafeMutableRawPointer?
        let sealed = cposix_share_create("other", 8192, &place)
        defer { close(sealed) }
        #expect(throws: ShareFailure.self) { try PictureReader(sealed) }
        #expect(throws: ShareFailure.self) { try PictureReader(-1) }
        // The first page promises more than there is.
        let writer = try Self.share()
        place?.copyMemory(
            from: mmap(nil, 4096, PROT_READ, MAP_SHARED, writer.descriptor, 0), byteCount: 4096)
        #expect(throws: ShareFailure.self) { try PictureReader(sealed) }
    }

    @Test func `a bell is readable once for any number of pictures, and notices that its reader is gone`() throws {
        signal(SIGPIPE, SIG_IGN)
        let bell = try #require(PictureBell())
        for _ in 0..<100_000 { #expect(bell.ring()) }
        var number: UInt64 = 0
        #expect(read(bell.readEnd, &number, 8) == 8 && number == 1)
        #expect(read(bell.readEnd, &number, 8) == -1 && errno == EAGAIN)
        #expect(bell.ring() && read(bell.readEnd, &number, 8) == 8)
        // A reader that changes the file's flags only affects its own end.
        _ = cposix_set_nonblocking(bell.readEnd, false)
        #expect(bell.ring() && bell.ring())
        close(bell.readEnd)
        #expect(!bell.ring())
    }

    @Test(arguments: [(640, 480), (641, 481), (1, 1), (1920, 1080)])
    func `the sizes of the formats`(width: Int, height: Int) throws {
        #expect(PictureFormat.rgb24.byteCount(width: width, height: height) == 3 * width * height)
        let colour = ((width + 1) / 2) * ((height + 1) / 2)
        #expect(PictureFormat.yuv420p.byteCount(width: width, height: height) == width * height + 2 * colour)
        let layout = try #require(ShareLayout(format: .yuv420p, width: width, height: height))
        #expect(layout.stride % 4096 == 0 && layout.stride >= layout.byteCount + 4096)
    }
}
