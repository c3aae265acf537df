import DockTypes
import Foundation

@testable import Networking

/// DOCKFACE_THOROUGH: also runs what takes long and seldom finds anything new.
let isThorough = ProcessInfo.processInfo.environment["DOCKFACE_THOROUGH"] != nil

/// A file with a pattern that shows where each of its bytes comes from; it is removed at the end. A large one can be
/// without content, because the pattern takes long.
final class PatternFile: Sendable {
    let path: String
    let bytes: [UInt8]

    init(_ count: Int) throws {
        path = NSTemporaryDirectory() + "dockface-test-\(UUID().uuidString)"
        bytes = Array((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) })
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    init(emptyOf count: Int) throws {
        path = NSTemporaryDirectory() + "dockface-test-\(UUID().uuidString)"
        bytes = []
        try Data().write(to: URL(fileURLWithPath: path))
        truncate(path, count)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func source() throws -> FileSource { try FileSource(path: path) }
}

/// The limits for tests: what waits for the end is short. The handshake's limit only ends what hangs: between the
/// connection and the handshake a client's task waits for a thread of the pool, which more than a thousand tests share,
/// and the server's limit runs meanwhile.
func quickOptions() -> WebSocketOptions {
    var options = WebSocketOptions()
    (options.handshakeLimit, options.closeLimit) = (600, 0.3)
    return options
}

/// The failure with which the work ends, or nil if it ends otherwise.
func failure(_ work: () async throws -> Void) async -> TransportFailure? {
    do {
        try await work()
        return nil
    } catch {
        return error as? TransportFailure
    }
}

/// A plan to connect to a local port.
func plan(_ port: Int, host: String = "127.0.0.1", trust: TransportTrust = .off) throws -> TransportPlan {
    let numeric = host == "127.0.0.1" ? nil : "127.0.0.1"
    return try TransportPlan(ServerAddress("\(host):\(port)", defaultPort: 1), trust: trust, numericHost: numeric)
}

func text(_ words: String) -> [UInt8] { Array(words.utf8) }
