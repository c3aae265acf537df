internal import NIOCore

/// Connects to a WebSocket server.
public struct WebSocketClient: Sendable {
    /// Where, and which certificate is accepted.
    public let plan: TransportPlan
    /// The limits.
    public let options: WebSocketOptions
    private let userAgent: String

    /// Creates a client. `userAgent`: how it names itself to the server.
    public init(_ plan: TransportPlan, options: WebSocketOptions = WebSocketOptions(), userAgent: String = "dockface") {
        (self.plan, self.options, self.userAgent) = (plan, options, userAgent)
    }

    /// Connects, runs the body with the connection, and ends it.
    /// - Throws: `TransportFailure` if there is no connection, `CancellationError`, or an error of the body.
    public func withConnection<Result: Sendable>(
        _ body: @Sendable (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let dialer = Dialer(plan: plan, limit: options.handshakeLimit, unsent: options.unsent)
        let record = EndingRecord(plan.address.text), turn = SendTurn()
        let upgrade = WebSocketUpgrade(
            address: plan.address, options: options, record: record, turn: turn, userAgent: userAgent)
        let channel = try await dialer.connect()
        let opened = try await dialer.open(channel) { try upgrade.begin($0, $1) }
        return try await opened.value.executeThenClose { inbound in
            let connection = WebSocketConnection(
                channel, inbound, options, record, turn, certificate: opened.certificate)
            do {
                let result = try await body(connection)
                await connection.close()
                return result
            } catch {
                await connection.close(code: 1001)
                throw error
            }
        }
    }
}
