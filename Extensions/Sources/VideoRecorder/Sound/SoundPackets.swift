internal import Geometry
internal import PlainText

/// Why a program that captures sound must be started again.
struct SoundFault: Error, Equatable {
    /// What is wrong, in words.
    let words: String

    /// Stamps do not say whether they are from before or after, and a device's own filter follows a clock only slowly.
    static let clockSet = SoundFault(words: "the clock was set, or the machine slept")
    /// Stamps are far from now.
    static let noTime = SoundFault(words: "its times are not those of the clock")
}

/// Joins what a program that captures sound writes: samples on one pipe, and on another a line for each packet with its
/// time and its size (ffmpeg's `framecrc` format). Pure.
struct SoundPackets: Sendable, Equatable {
    /// Samples with the time of the first one.
    struct Packet: Sendable, Equatable {
        /// The program's own time of the first sample, in seconds.
        var stamp: Seconds
        /// The samples, one channel.
        var samples: [Int16]
    }

    /// The size and the time of a packet whose samples may not be there yet.
    private struct Head: Sendable, Equatable {
        var stamp: Seconds
        var bytes: Int
    }

    /// The longest line; the most packets and bytes that may wait for the other pipe (two seconds of sound).
    private static let longest = 256, mostHeads = 400, mostBytes = 2 * 2 * SoundSource.rate

    /// Seconds per step of the times, or nil before the header.
    private var step: Seconds?
    private var heads: [Head] = []
    private var bytes: [UInt8] = []
    private var line: [UInt8] = []

    /// Takes bytes of the lines.
    mutating func feed(lines: UnsafeRawBufferPointer) throws(SoundFault) {
        for byte in lines {
            guard byte == 0x0A else {
                guard line.count < Self.longest else { throw failure }
                line.append(byte)
                continue
            }
            try readLine()
            line.removeAll(keepingCapacity: true)
        }
    }

    /// Takes bytes of the samples.
    mutating func feed(samples: UnsafeRawBufferPointer) throws(SoundFault) {
        guard bytes.count + samples.count <= Self.mostBytes else {
            throw SoundFault(words: "its samples have no times")
        }
        bytes.append(contentsOf: samples)
    }

    /// Takes the next packet, or returns nil if it is not complete.
    mutating func next() -> Packet? {
        guard let head = heads.first, head.bytes <= bytes.count else { return nil }
        let samples = (0..<(head.bytes / 2)).map {
            Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
        }
        heads.removeFirst()
        bytes.removeFirst(head.bytes)
        return Packet(stamp: head.stamp, samples: samples)
    }

    private var failure: SoundFault {
        SoundFault(words: "its times cannot be read: " + ForeignText.line(bytes: line, longest: 80))
    }

    private mutating func readLine() throws(SoundFault) {
        let text = String(decoding: line, as: UTF8.self)
        guard !text.hasPrefix("#") else { return try readHeader(text) }
        // The track, the decoding time, the presentation time, the number of samples, the number of bytes, a checksum.
        let fields = text.split(separator: ",").map { $0.filter { $0 != " " } }
        guard fields.count >= 5, let step, let time = Int64(fields[1]), let size = Int(fields[4]), size > 0,
            size.isMultiple(of: 2), size <= Self.mostBytes, heads.count < Self.mostHeads
        else { throw failure }
        heads.append(Head(stamp: Double(time) * step, bytes: size))
    }

    private mutating func readHeader(_ text: String) throws(SoundFault) {
        if text.hasPrefix("#tb 0: ") {
            let parts = text.dropFirst(7).split(separator: "/").compactMap { Int($0) }
            guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { throw failure }
            step = Double(parts[0]) / Double(parts[1])
        } else if text.hasPrefix("#sample_rate 0: ") {
            guard text.dropFirst(16) == "\(SoundSource.rate)" else { throw failure }
        }
    }
}
