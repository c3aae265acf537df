import Foundation

/// A sender as the source app is one: it connects, and writes text.
final class Sender {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    init?(_ port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(port).bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            Foundation.close(descriptor)
            return nil
        }
    }

    deinit { close() }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// A command with the pose of a hand half a metre away, seen by these degrees to the right and up.
    static func command(_ name: String, _ pan: Double, _ tilt: Double = 0) -> String {
        let pan = pan * .pi / 180, tilt = tilt * .pi / 180
        let place = [cos(tilt) * sin(pan), cos(tilt) * cos(pan), sin(tilt)].map { "\(Float(0.5 * $0))" }
        return "<\(name)> \(place.joined(separator: " ")) 1.0 0.0 0.0 0.0"
    }

    /// Sends a hand that moves from one direction to another at 30 commands a second.
    func sweep(_ from: Double, _ to: Double, steps: Int) async {
        for step in 0...steps {
            write(Self.command(step == 0 ? "Start" : "Track", from + (to - from) * Double(step) / Double(steps)))
            try? await Task.sleep(for: .milliseconds(33))
        }
    }
}
