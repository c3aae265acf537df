/// A half-duplex bus with several servos that may answer at the same time.
enum SharedBus {
    /// The greatest difference between the speeds of the line and of a servo at which it still understands, as a
    /// fraction (ROBOTIS e-Manual, Baud Rate).
    private static let tolerance = 0.03

    /// Returns whether a servo that is set to `own` bits per second understands a host that sends at `line`. A line
    /// without a speed (nil) is understood at any speed.
    static func understands(_ line: Int?, own: Int) -> Bool {
        guard let line else { return true }
        return abs(Double(line - own)) <= tolerance * Double(own)
    }

    /// Returns the bytes that the host receives if these answers overlap.
    ///
    /// Any servo can pull the line low. Each begins one byte after the previous one, because no two servos are equally
    /// fast. Even equal answers therefore damage each other.
    static func overlaid(_ answers: [[UInt8]]) -> [UInt8] {
        guard answers.count > 1 else { return answers.first ?? [] }
        var line: [UInt8] = []
        for (delay, answer) in answers.enumerated() {
            let missing = delay + answer.count - line.count
            if missing > 0 { line += [UInt8](repeating: 0xFF, count: missing) }
            for (index, byte) in answer.enumerated() { line[delay + index] &= byte }
        }
        return line
    }
}
