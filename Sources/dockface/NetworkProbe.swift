import Companion
import CPosix
import DockControl
import DockTypes
import Geometry
import Glibc
import Synchronization

/// Tests whether servers accept connections. It opens one connection to each, sends no byte, and closes it at once.
enum NetworkProbe {
    /// The time to wait for a server's answer, in seconds. A user who looks for a fault does not wait longer.
    static let patience: Seconds = 1.5

    /// Tests all servers at the same time, each in a separate thread, because a name lookup cannot be interrupted.
    static func answers(of rigs: [AdoptedRig]) -> [String: NetworkAnswer] {
        let attempts = rigs.map { Attempt($0) }, end = cposix_monotonic_now() + patience
        for attempt in attempts { attempt.start() }
        while attempts.contains(where: { $0.answer == nil }), cposix_monotonic_now() < end { poll(nil, 0, 5) }
        var answers: [String: NetworkAnswer] = [:]
        for attempt in attempts {
            answers[attempt.rig.name] = attempt.answer ?? .silent("nothing within \(patience) s")
        }
        return answers
    }

    fileprivate final class Attempt: Sendable {
        let rig: AdoptedRig
        private let found = Mutex<NetworkAnswer?>(nil)

        init(_ rig: AdoptedRig) { self.rig = rig }

        var answer: NetworkAnswer? { found.withLock { $0 } }

        func start() {
            var id = pthread_t()
            let me = Unmanaged.passRetained(self)
            guard pthread_create(&id, nil, networkProbeMain, me.toOpaque()) == 0 else {
                me.release()
                return found.withLock { $0 = .silent("no thread is left for the test") }
            }
            pthread_detach(id)
        }

        func run() {
            let answer: NetworkAnswer
            do throws(DockError) {
                try DockPort(rig.port, serial: RigProfile.dlpDock.serial).open(waits: true).close()
                answer = .answers
            } catch {
                let usual = "\(rig.port) does not answer: "
                answer = .silent(
                    error.message.hasPrefix(usual) ? String(error.message.dropFirst(usual.count)) : error.message)
            }
            found.withLock { $0 = answer }
        }
    }
}

/// The entry point of the new thread, called from C.
private func networkProbeMain(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw { Unmanaged<NetworkProbe.Attempt>.fromOpaque(raw).takeRetainedValue().run() }
    return nil
}
