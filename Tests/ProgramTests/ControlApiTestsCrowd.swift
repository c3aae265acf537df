import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Many listeners, some of which do not read: the dock continues to follow, and the daemon does not grow.
    @Suite(.timeLimit(.minutes(10))) struct Crowd {
        /// A listener that counts bytes instead of parsing them.
        private final class Ear {
            let descriptor: Int32
            private(set) var bytes: [UInt8] = []
            private var buffer = [UInt8](repeating: 0, count: 1 << 16)

            init(_ daemon: ControlledDaemon) throws {
                descriptor = try ControlPeer.connect(daemon.socket)
                let line =
                    #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["motion","tracking","face"]}}"#
                    + "\n"
                _ = line.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            }

            deinit { close(descriptor) }

            func hear() {
                while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
                    bytes += buffer[..<count]
                }
            }

            /// How often a text arrived.
            func count(_ text: String) -> Int {
                var text = Array(text.utf8.map { CChar(bitPattern: $0) }) + [0]
                // A C string, so that a debug build searches at full speed.
                return (bytes + [0]).withUnsafeBytes { all in
                    var count = 0
                    var rest = all.baseAddress?.assumingMemoryBound(to: CChar.self)
                    while let start = rest, let found = strstr(start, &text) {
                        count += 1
                        rest = UnsafePointer(found + 1)
                    }
                    return count
                }
            }
        }

        private static let right = #"{"faces":[{"rect":[0.80,0.40,0.10,0.20]}]}"#
        private static let left = #"{"faces":[{"rect":[0.30,0.40,0.10,0.20]}]}"#

        @Test func `two hundred listeners get all events while the dock follows a face`() throws {
            // The recorded lines do not react to a turning head: a camera on it would rightly be accused.
            let own = try #require(TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")))
            let beside = try TemporaryFile(
                own.replacing(#"mount = "head""#, with: #"mount = "fixed""#), ".toml")
            let daemon = try ControlledDaemon(["--detector", "stdin", "--profile", beside.path], mode: "system")
            let dock = daemon.dock
            let peer = try daemon.peer()
            try daemon.daemon.turn()
            let memory = daemon.program.memory
            let ears = try (0..<200).map { _ in try Ear(daemon) }
            let frames = try peer.result("status")["detector"]["frames"].int ?? 0
            let start = monotonicNow()
            let begin = daemon.daemon.pose.pan
            #expect(
                daemon.daemon.feed(Self.right) {
                    for ear in ears { ear.hear() }; return daemon.daemon.pose.pan > begin + .degrees(8)
                })
            #expect(
                daemon.daemon.feed(Self.left) {
                    for ear in ears { ear.hear() }; return dock.rate.pan < .degrees(-5)
                })
            try peer.result("setExpression", #"{"name":"happy"}"#)
            #expect(
                daemon.daemon.feed(Self.left) {
                    for ear in ears { ear.hear() }; return monotonicNow() > start + 2.5
                })
            #expect(
                daemon.daemon.feed(Self.left) {
                    for ear in ears { ear.hear() }
                    return ears.allSatisfy { $0.count(#""expression":"happy""#) > 0 }
                })
            let seconds = monotonicNow() - start
            let growth = daemon.program.memory - memory
            #expect(growth < 20 << 20, "\(growth >> 10) KiB more")
            // Pose at least ten times a second, subjects five times, on a machine that has more to do.
            let poses = ears.map { $0.count(#""topic":"motion""#) },
                subjects = ears.map { $0.count(#""topic":"tracking""#) }
            #expect(Double(poses.min() ?? 0) > 5 * seconds, "\(poses.min() ?? 0) poses in \(seconds) s")
            #expect(Double(subjects.min() ?? 0) > 3 * seconds, "\(subjects.min() ?? 0) states in \(seconds) s")
            #expect(Double(try peer.result("status")["detector"]["frames"].int ?? 0) - Double(frames) > 10 * seconds)
            let status = try peer.call("status")
            #expect(status.took < 0.2 && status.result["counters"]["faults"].int == 0, "\(status.took) s")
            for line in ears[0].bytes.split(separator: 0x0A).prefix(40) {
                Said.line(Array(line), JSON(line: line), request: nil, method: nil)
            }
        }

        @Test func `a client that never reads costs no memory, and gets the newest state once it does`() throws {
            let daemon = try ControlledDaemon(), slow = try daemon.peer(), peer = try daemon.peer()
            slow.ask("subscribe", #"{"topics":["face","events"]}"#)
            var memory = 0
            for number in 0..<1000 {
                // Both are published: a state, and an event that counts individually.
                try peer.result("setExpression", #"{"next":true}"#)
                try peer.result("setZoom", #"{"factor":\#(number % 2 + 1)}"#)
                // By now the buffer for a reader is full.
                if number == 400 { memory = daemon.program.memory }
            }
            try peer.result("setExpression", #"{"random":true}"#)
            let growth = daemon.program.memory - memory
            #expect(growth < 2 << 20, "\(growth >> 10) KiB more")
            let event = slow.event("face", within: 10) { $0["random"].bool == true }
            #expect(event?["kind"].string == "snapshot", "\(String(describing: event))")
            let lost = slow.wait { slow.events.contains { ($0["lost"].int ?? 0) > 100 } }
            #expect(lost, "the last events wait, and the number of lost ones is reported")
            let sequences = slow.events.filter { $0["topic"].string == "face" }.compactMap { $0["seq"].int }
            #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
            #expect(sequences.count < 900)
            slow.forget()
            try peer.result("setExpression", #"{"random":false}"#)
            let next = slow.event("face") { $0["random"].bool == false }
            #expect(next?["kind"].string == "change", "caught up, it gets every change again")
        }
    }
}
