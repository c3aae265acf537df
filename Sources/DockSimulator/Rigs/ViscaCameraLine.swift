internal import Geometry

/// The serial line of a simulated camera: it reads one packet after another, and its output takes time.
struct ViscaCameraLine: Sendable {
    /// Duration of a byte (ten bits at 9600 baud), seconds.
    static let byteTime: Seconds = 10.0 / 9600

    private var heard: [UInt8] = []
    private var words: [(at: Seconds, bytes: [UInt8])] = []
    /// Times from which it reads again, and from which its line is free, seconds.
    private var readFrom: Seconds = 0, freeFrom: Seconds = 0

    /// Time at which the next packet has passed the line, seconds.
    var next: Seconds { words.first?.at ?? .infinity }

    /// The supply was interrupted: bytes on the line are lost.
    mutating func reboot(at time: Seconds) { (heard, words, readFrom, freeFrom) = ([], [], time, time) }

    /// Receives a byte; returns the packet that it completes, and when the camera has read it.
    mutating func receive(_ byte: UInt8, at time: Seconds) -> (packet: [UInt8], readAt: Seconds)? {
        heard.append(byte)
        guard byte == 0xFF else {
            // Longer than any packet: the bytes are discarded.
            if heard.count > 16 { heard = [] }
            return nil
        }
        defer { heard = [] }
        readFrom = max(readFrom, time) + Double(heard.count) * Self.byteTime
        return (heard, readFrom)
    }

    /// Sends bytes when the line is free, but not before `moment`.
    mutating func say(_ bytes: [UInt8], after moment: Seconds) {
        freeFrom = max(freeFrom, moment) + Double(bytes.count) * Self.byteTime
        words.append((freeFrom, bytes))
    }

    /// Returns the packets that have passed the line by `time`; each is returned once.
    mutating func drain(until time: Seconds) -> [UInt8] {
        var output: [UInt8] = []
        while let first = words.first, first.at <= time {
            output += first.bytes
            words.removeFirst()
        }
        return output
    }
}
