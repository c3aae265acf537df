import DockTestKit
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct SoundSourceTests {
    @Test(arguments: ["default", "hw:1,0", "plughw:CARD=C920,DEV=0", "pulse"])
    func `a device is opened with one channel at 48 kHz`(name: String) throws {
        let source = try #require(SoundSource(device: name)), words = source.capture("ffmpeg")
        let place = try #require(words.firstIndex(of: "-i"))
        #expect(source.name == name && words[place + 1] == name)
        #expect(words[(place - 6)..<place] == ["-f", "alsa", "-ac", "1", "-ar", "48000"])
        #expect(words.firstIndex(of: "-copyts").map { $0 < place } == true)
    }

    @Test(arguments: ["", "off", "-i", "two words", "tab\tname", "größer", String(repeating: "a", count: 101)])
    func `what cannot be a device is refused`(name: String) { #expect(SoundSource(device: name) == nil) }
}

@Suite struct SoundPacketsTests {
    /// The lines of ffmpeg 5.1.
    private static let header = """
        #software: Lavf59.27.100
        #tb 0: 1/48000
        #media_type 0: audio
        #codec_id 0: pcm_s16le
        #sample_rate 0: 48000
        #channel_layout_name 0: mono

        """
    private static let lines =
        header + "0, 86160240048000, 86160240048000, 2, 4, 0x1\n0, 86160240048002, 7, 1, 2, 0x2\n"

    private func feed(_ packets: inout SoundPackets, _ lines: String) throws {
        try Array(lines.utf8).withUnsafeBytes { try packets.feed(lines: $0) }
    }

    private func feed(_ packets: inout SoundPackets, samples: [UInt8]) throws {
        try samples.withUnsafeBytes { try packets.feed(samples: $0) }
    }

    @Test(arguments: [1, 7, 1000]) func `a packet is complete when its line and its samples are there`(step: Int) throws
    {
        var packets = SoundPackets(), found: [SoundPackets.Packet] = []
        var text = Self.lines[...]
        while !text.isEmpty {
            try feed(&packets, String(text.prefix(step)))
            text = text.dropFirst(step)
        }
        for byte: UInt8 in [0x34, 0x12, 0xFF, 0xFF, 0x00, 0x80] {
            #expect(packets.next() == nil)
            try feed(&packets, samples: [byte])
            if let packet = packets.next() { found.append(packet) }
        }
        #expect(found.map(\.samples) == [[0x1234, -1], [-32768]])
        #expect(found.first?.stamp == 1_795_005_001 && packets.next() == nil)
    }

    @Test(arguments: ["0, 1, 1, 1, 2\n", "#tb 0: 1/0\n", "#sample_rate 0: 44100\n", String(repeating: "x", count: 300)])
    func `a line that is not as expected is a fault`(line: String) {
        var packets = SoundPackets()
        #expect(throws: SoundFault.self) { try feed(&packets, line) }
    }

    @Test(arguments: [
        "0, a, 1, 1, 2, 0\n", "0, 1, 1, 1, -2, 0\n", "0, 1, 1, 1, 3, 0\n", "0, 1, 1, 1, 99999999, 0\n", "0\n",
    ])
    func `numbers out of range are a fault`(line: String) throws {
        var packets = SoundPackets()
        try feed(&packets, Self.header)
        #expect(throws: SoundFault.self) { try feed(&packets, line) }
    }

    @Test func `samples without lines, and lines without samples, are bounded`() throws {
        var packets = SoundPackets()
        try feed(&packets, samples: [UInt8](repeating: 0, count: 192_000))
        #expect(throws: SoundFault.self) { try feed(&packets, samples: [0]) }
        var others = SoundPackets()
        try feed(&others, Self.header)
        for _ in 0..<400 { try feed(&others, "0, 1, 1, 1, 2, 0\n") }
        #expect(throws: SoundFault.self) { try feed(&others, "0, 1, 1, 1, 2, 0\n") }
    }

    @Test func `any bytes are read or refused`() {
        var dice = Dice(7)
        for _ in 0..<3000 {
            var packets = SoundPackets(), bytes = Array(Self.lines.utf8)
            for _ in 0..<Int.random(in: 0...4, using: &dice) {
                bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            try? bytes.withUnsafeBytes { try packets.feed(lines: $0) }
            try? feed(&packets, samples: [UInt8](repeating: 1, count: 100))
            while let packet = packets.next() { #expect(packet.samples.count <= 50) }
        }
    }
}

@Suite struct SoundClockTests {
    private static let unix = 1_795_000_000.0

    /// Passes packets of 25 ms for some seconds. Returns the largest error against the true time in the second half.
    /// - Parameters:
    ///   - drift: how much faster than stated the crystal is.
    ///   - jitter: of the stamps, in seconds.
    private func error(seconds: Double, drift: Double = 0, jitter: Double = 0) throws -> Double {
        var clock = SoundClock(), dice = Dice(3), worst = 0.0
        let length = 0.025 / (1 + drift), count = Int(seconds / length)
        for index in 0..<count {
            let time = 100 + Double(index) * length, now = time + 0.03
            try clock.read(ClockReading(wall: Self.unix + now, monotonic: now, boot: now))
            let off = jitter > 0 ? Double.random(in: -jitter...jitter, using: &dice) : 0
            let found = try clock.time(of: Self.unix + time + off, samples: 1200)
            if index > count / 2 { worst = max(worst, abs(found - time)) }
        }
        return worst
    }

    @Test func `stamps become times of the other clock`() throws { #expect(try error(seconds: 10) < 0.000_01) }

    @Test(arguments: [-500e-6, -200e-6, 200e-6, 500e-6])
    func `a crystal that is not exact costs less than a millisecond`(drift: Double) throws {
        #expect(try error(seconds: 600, drift: drift) < 0.001)
    }

    @Test func `jitter of 10 ms is smoothed to less than 3 ms`() throws {
        #expect(try error(seconds: 60, jitter: 0.01) < 0.003)
    }

    private func reading(_ now: Double, wall: Double = 0) -> ClockReading {
        ClockReading(wall: Self.unix + now + wall, monotonic: now, boot: now)
    }

    @Test func `one late stamp is no gap, and two are one`() throws {
        var clock = SoundClock()
        try clock.read(reading(100))
        let times = try [0, 0.125, 0.05, 0.375, 0.4].map { try clock.time(of: Self.unix + 100 + $0, samples: 1200) }
        let expected = [100, 100.025, 100.05, 100.075, 100.4]
        #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.0001 }, "\(times)")
    }

    @Test(arguments: [-3600.0, -0.05, 0.05, 3600]) func `a clock that is set is a fault, at the second reading`(
        step: Double
    ) throws {
        var clock = SoundClock()
        try clock.read(reading(100))
        try clock.read(reading(100.025, wall: step))
        #expect(throws: SoundFault.clockSet) { try clock.read(reading(100.05, wall: step)) }
    }

    @Test func `one reading that is torn changes nothing, and a slow correction is followed`() throws {
        var clock = SoundClock()
        for index in 0..<4000 {
            let now = 100 + 0.025 * Double(index), slew = 0.0005 * (now - 100)
            try clock.read(reading(now, wall: index == 50 ? 0.5 : slew))
            let found = try clock.time(of: Self.unix + now - 0.03 + slew, samples: 1200)
            #expect(abs(found - (now - 0.03)) < 0.003, "\(found - now)")
        }
    }

    @Test(arguments: [-6.0, 1.5, 1e9, .nan, .infinity]) func `an impossible stamp is a fault`(off: Double) throws {
        var clock = SoundClock()
        #expect(throws: SoundFault.noTime) { try clock.time(of: Self.unix, samples: 1) }
        try clock.read(reading(100))
        #expect(throws: SoundFault.noTime) { try clock.time(of: Self.unix + 100 + off, samples: 1200) }
    }
}

@Suite struct SoundRingTests {
    private func samples(_ range: Range<Int>, in ring: SoundRing) -> [Int] {
        let bytes = ring.bytes(range)
        return range.indices.map { place in
            let at = 2 * (place - range.lowerBound)
            return Int(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8))
        }
    }

    private func packet(_ value: Int16, _ count: Int = 1200) -> [Int16] { [Int16](repeating: value, count: count) }

    @Test func `samples are found by their time, and what is missing is silent`() {
        var ring = SoundRing()
        #expect(ring.end == nil && ring.bytes(5..<7) == [0, 0, 0, 0])
        ring.put([1, -2, 3], at: 10)
        ring.put([4, 5], at: 10 + 3 / 48_000)
        #expect(ring.end == 480_005 && samples(479_999..<480_006, in: ring) == [0, 1, -2, 3, 4, 5, 0])
        ring.clear()
        #expect(ring.end == nil)
    }

    @Test func `a small error is kept, and a larger one costs a sample in each packet`() {
        var ring = SoundRing()
        ring.put(packet(1), at: 0)
        ring.put(packet(2), at: 0.0255)
        #expect(ring.end == 2400)
        ring.put(packet(3), at: 0.053)
        #expect(ring.end == 3601)
        ring.put(packet(4), at: 0.073)
        #expect(ring.end == 4800)
    }

    @Test func `a gap is silent, and what was there already is left out`() {
        var ring = SoundRing()
        ring.put(packet(1), at: 0)
        ring.put(packet(2), at: 0.5)
        #expect(
            ring.end == 25_200 && samples(23_999..<24_001, in: ring) == [0, 2]
                && samples(1199..<1201, in: ring) == [1, 0])
        ring.put(packet(3, 4800), at: 0.45)
        #expect(ring.end == 26_400 && samples(25_199..<25_201, in: ring) == [2, 3])
        ring.put(packet(4), at: 0.2)
        #expect(ring.end == 26_400)
    }

    @Test func `it keeps five seconds, and begins again after a longer gap`() {
        var ring = SoundRing()
        for index in 0..<400 { ring.put(packet(Int16(index)), at: 0.025 * Double(index)) }
        #expect(samples(480_000 - SoundRing.most..<480_000, in: ring).allSatisfy { $0 >= 200 })
        #expect(samples(100_000..<100_010, in: ring).allSatisfy { $0 == 0 })
        ring.put(packet(9), at: 1000)
        #expect(ring.end == 48_001_200 && samples(479_000..<479_001, in: ring) == [0])
        for time in [-1, .nan, .infinity, 1e300] { ring.put(packet(1), at: time) }
    }

    @Test(arguments: [-500e-6, 500e-6]) func `a crystal that is not exact stays beside the pictures`(drift: Double) {
        var ring = SoundRing(), time = 100.0
        // Ten minutes; the last packet is where it belongs.
        for _ in 0..<24_000 {
            ring.put(packet(1), at: time)
            time += 0.025 / (1 + drift)
        }
        #expect(abs((ring.end ?? 0) - SoundRing.index(time)) <= SoundRing.slack + 2)
    }
}

extension SoundTrack {
    /// Takes sound that must be there.
    fileprivate mutating func block(until time: Double, isEnd: Bool = false, from ring: SoundRing) throws -> Block {
        let block = take(until: time, isEnd: isEnd, from: ring)
        return try #require(block)
    }
}

@Suite struct SoundTrackTests {
    private func ring(to end: Double) -> SoundRing {
        var ring = SoundRing()
        ring.put([Int16](repeating: 7, count: SoundRing.index(end) - SoundRing.index(99)), at: 99)
        return ring
    }

    @Test func `it begins with the first frame, and ends with the chunk, to the sample`() throws {
        var track = SoundTrack(from: 100)
        let ring = ring(to: 103), first = try track.block(until: 100.5, from: ring)
        #expect(first.time == 0 && first.bytes.count == 48_000)
        #expect(track.take(until: 100.51, from: ring) == nil, "less than 20 ms waits")
        let second = try track.block(until: 100.6, from: ring)
        #expect(abs(second.time - 0.5) < 1e-9 && second.bytes.count == 2 * 4800)
        let last = try track.block(until: 100.61, isEnd: true, from: ring)
        #expect(last.bytes.count == 2 * 480 && track.take(until: 100.61, isEnd: true, from: ring) == nil)
        #expect((first.bytes + last.bytes).enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? 7 : 0) })
    }

    @Test func `it waits for sound for a second, and is silent then`() throws {
        var track = SoundTrack(from: 100)
        let ring = ring(to: 100.25)
        let first = try track.block(until: 100.9, from: ring)
        #expect(first.bytes.count == 2 * 12_000)
        #expect(track.take(until: 101.2, from: ring) == nil)
        let second = try track.block(until: 101.5, from: ring)
        #expect(second.bytes.count == 2 * 12_000 && second.bytes.allSatisfy { $0 == 0 })
        // What arrives too late is left out.
        let third = try track.block(until: 101.5, from: self.ring(to: 101.4))
        #expect(abs(third.time - 0.5) < 1e-9 && third.bytes.first == 7)
    }

    @Test func `at the end, what is missing is silent, in blocks of a second`() {
        var track = SoundTrack(from: 100), blocks: [SoundTrack.Block] = []
        while let block = track.take(until: 102.5, isEnd: true, from: SoundRing()) { blocks.append(block) }
        #expect(blocks.map(\.time) == [0, 1, 2] && blocks.map(\.bytes.count) == [96_000, 96_000, 48_000])
    }

    @Test func `an end before the beginning has no sound`() {
        var track = SoundTrack(from: 100)
        #expect(track.take(until: 99, isEnd: true, from: ring(to: 103)) == nil)
        #expect(track.take(until: 99, from: ring(to: 103)) == nil)
    }
}
