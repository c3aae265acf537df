import DockWire

/// Bytes to frames and frames to messages, compared with an independent decoder.
enum FrameTarget: Target {
    static let name = "frames"
    static let share = 25
    /// Largest size of a decoder, bytes: it stores one run inline, and counters.
    static let largestDecoder = 96

    static func make(_ random: inout Random) -> [UInt8] {
        let fromHost = random.chance(2)
        return WireSamples.stream(fromHost: fromHost, &random)
    }

    static func check(_ input: [UInt8]) -> String? {
        guard MemoryLayout<FrameDecoder>.size <= largestDecoder else { return "the decoder has grown" }
        var decoder = FrameDecoder()
        var found: [Frame] = []
        for byte in input { if let frame = try? decoder.push(byte) { found.append(frame) } }
        let expected = Reference.decode(input)
        guard found == expected.frames else {
            return "\(found.count) frames instead of \(expected.frames.count), or different ones"
        }
        guard Int(decoder.validFrames) == found.count, Int(decoder.invalidFrames) == expected.invalid else {
            return "counted \(decoder.validFrames) and \(decoder.invalidFrames) instead of \(found.count) and "
                + "\(expected.invalid)"
        }
        for frame in found { if let wrong = roundTrip(frame) { return wrong } }
        return resync(after: decoder)
    }

    /// After a 00 the next frame is found; without one, the frame after it.
    private static func resync(after decoder: FrameDecoder) -> String? {
        let home = EncodedFrame(Frame(type: FrameType.home, sequence: 1)).array
        let save = EncodedFrame(Frame(type: FrameType.save, sequence: 2)).array
        var delimited = decoder, glued = decoder
        var types: [UInt8] = []
        for byte in [0] + home { if let frame = try? delimited.push(byte) { types.append(frame.type) } }
        guard types.last == FrameType.home else { return "no resync after a delimiter" }
        types = []
        for byte in home + save { if let frame = try? glued.push(byte) { types.append(frame.type) } }
        return types.last == FrameType.save ? nil : "no resync within one frame"
    }

    /// A decoded message encodes to the same message.
    private static func roundTrip(_ frame: Frame) -> String? {
        var encoder = FrameEncoder(firstSequence: frame.sequence)
        if let message = try? HostMessage(frame) {
            let again = Reference.decode(encoder.encode(message).array).frames
            guard again.count == 1, let back = try? HostMessage(again[0]), back == message else {
                return "\(message) does not survive encoding"
            }
        }
        if let message = try? DockMessage(frame) {
            let again = Reference.decode(encoder.encode(message).array).frames
            guard again.count == 1, let back = try? DockMessage(again[0]), back == message else {
                return "\(message) does not survive encoding"
            }
        }
        return nil
    }
}

/// A textbook version of the framing: split at the zeros, unstuff block by block, check bit by bit.
private enum Reference {
    static func decode(_ bytes: [UInt8]) -> (frames: [Frame], invalid: Int) {
        var frames: [Frame] = []
        var invalid = 0
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0 {
            let run = bytes[start..<index]
            start = index + 1
            if run.isEmpty { continue }
            if let frame = frame(Array(run)) { frames.append(frame) } else { invalid += 1 }
        }
        // A run without an end counts as soon as it can no longer be a frame.
        if bytes.count - start >= 256 { invalid += 1 }
        return (frames, invalid)
    }

    private static func frame(_ run: [UInt8]) -> Frame? {
        guard run.count <= 61 else { return nil }
        var plain: [UInt8] = []
        var at = 0
        while at < run.count {
            let end = at + Int(run[at])
            guard end <= run.count else { return nil }
            plain += run[(at + 1)..<end]
            if end < run.count { plain.append(0) }
            at = end
        }
        guard plain.count >= 4 else { return nil }
        var crc: UInt16 = 0xFFFF
        for byte in plain.dropLast(2) {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x8408 : crc >> 1 }
        }
        guard plain[plain.count - 2] == UInt8(crc & 0xFF), plain[plain.count - 1] == UInt8(crc >> 8) else { return nil }
        var body = FrameBody()
        for byte in plain[2..<(plain.count - 2)] { body.append(byte) }
        return Frame(type: plain[0], sequence: plain[1], body: body)
    }
}
