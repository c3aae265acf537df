import Glibc

/// Detection lines with three faces: one walks back and forth, two stand still. They are written into a preallocated
/// buffer.
struct FaceLines: ~Copyable {
    /// Age of a frame when its line is written, seconds.
    static let age = 0.045
    /// The first line of a stream.
    static let hello =
        #"{"type":"hello","v":1,"detector":"bench","clock":"monotonic","image":{"w":640,"h":480},"fps":30}"# + "\n"

    private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1024)
    private var count = 0
    private var sequence = 0

    deinit { bytes.deallocate() }

    /// The next line, for a frame taken `age` before `now` (nanoseconds).
    mutating func next(now: Int64) -> UnsafeRawBufferPointer {
        sequence += 1
        count = 0
        let time = Double(now) * 1e-9 - Self.age
        let pan = 0.44 + 0.12 * sin(2 * .pi * 0.4 * time), tilt = 0.30 + 0.04 * sin(2 * .pi * 0.3 * time)
        add(#"{"type":"frame","seq":"#)
        add(sequence)
        add(#","t":"#)
        add(time)
        add(#","faces":["#)
        face(x: pan, y: tilt, width: 0.12, height: 0.21, score: 0.93)
        add(",")
        face(x: 0.08, y: 0.55 + 0.01 * sin(time), width: 0.06, height: 0.1, score: 0.81)
        add(",")
        face(x: 0.85, y: 0.52, width: 0.06 + 0.001 * sin(3 * time), height: 0.11, score: 0.78)
        add("]}\n")
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    private mutating func face(x: Double, y: Double, width: Double, height: Double, score: Double) {
        add(#"{"rect":["#)
        add(x)
        add(",")
        add(y)
        add(",")
        add(width)
        add(",")
        add(height)
        add(#"],"score":"#)
        add(score)
        add("}")
    }

    private mutating func add(_ text: StaticString) {
        text.withUTF8Buffer { source in
            for byte in source {
                bytes[count] = byte
                count += 1
            }
        }
    }

    private mutating func add(_ number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes[count] = 0x30 + UInt8(number / divisor % 10)
            count += 1
            divisor /= 10
        }
    }

    /// Adds a number that is not negative, with six decimals.
    private mutating func add(_ number: Double) {
        let millionths = Int((number * 1e6).rounded())
        add(millionths / 1_000_000)
        add(".")
        var rest = millionths % 1_000_000 * 10
        for _ in 0..<6 {
            bytes[count] = 0x30 + UInt8(rest / 1_000_000)
            count += 1
            rest = rest % 1_000_000 * 10
        }
    }
}
