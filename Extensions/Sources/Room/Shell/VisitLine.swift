internal import Geometry
internal import Networking
internal import Synchronization

/// What waits to be sent to one client. Answers keep their order and are few; of the reports only the newest waits, so a
/// client that does not read costs no memory.
final class VisitLine: Sendable {
    /// The most answers that wait. A client that lets more wait does not read, and its connection ends.
    static let most = 64

    let connection: WebSocketConnection

    private struct Waiting {
        var answers: [[UInt8]] = []
        var report: [UInt8]?
        var ending: (code: UInt16, reason: String)?
    }

    private let waiting = Mutex(Waiting())
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func send(_ bytes: [UInt8]) {
        let hasRoom = waiting.withLock { waiting in
            guard waiting.answers.count < Self.most else { return false }
            waiting.answers.append(bytes)
            return true
        }
        guard hasRoom else { return close(code: 1008, reason: "too many answers wait") }
        ring.yield()
    }

    func broadcast(_ bytes: [UInt8]) {
        waiting.withLock { $0.report = bytes }
        ring.yield()
    }

    /// How long the answers that wait have before a connection ends, in seconds.
    private static let patience = 1.0

    /// Ends the connection after the answers that wait, or after a second: the client may not read.
    func close(code: UInt16, reason: String) {
        let isNew = waiting.withLock { waiting in
            defer { waiting.ending = waiting.ending ?? (code, reason) }
            return waiting.ending == nil
        }
        ring.yield()
        guard isNew else { return }
        Task {
            try? await Task.sleep(for: .seconds(Self.patience))
            await connection.close(code: code, reason: reason)
        }
    }

    /// No more will be sent.
    func finish() { ring.finish() }

    /// Sends what waits, until the connection ends.
    func run() async {
        for await _ in bell {
            while let bytes = next() {
                do {
                    try await connection.send(text: bytes)
                } catch {
                    return
                }
            }
            if let ending = waiting.withLock({ $0.ending }) {
                return await connection.close(code: ending.code, reason: ending.reason)
            }
        }
    }

    private func next() -> [UInt8]? {
        waiting.withLock { waiting in
            if !waiting.answers.isEmpty { return waiting.answers.removeFirst() }
            defer { waiting.report = nil }
            return waiting.ending == nil ? waiting.report : nil
        }
    }
}
