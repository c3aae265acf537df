import ExtensionKit
import Networking

/// Sends packets to several receivers. Each has its own connection, and a place for one packet that waits: a newer one
/// replaces it, so that a slow receiver loses pictures, and the others do not notice.
struct PairSender: Sendable {
    /// The time between two attempts, as the app has it, in seconds.
    static let pause = 3.0
    /// A receiver that takes nothing for this time, in seconds, is given up.
    static let patience = 10.0

    private let lanes: [Lane]
    private let log: ExtensionLog

    private struct Lane: Sendable {
        let plan: TransportPlan
        let packets: AsyncStream<[UInt8]>
        let put: AsyncStream<[UInt8]>.Continuation
    }

    /// - Parameter plans: the receivers, 1 at least.
    init(_ plans: [TransportPlan], log: ExtensionLog) {
        lanes = plans.map { plan in
            let (packets, put) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingNewest(1))
            return Lane(plan: plan, packets: packets, put: put)
        }
        self.log = log
    }

    /// Sends the packets that `make` passes on, until `make` ends, or the task is cancelled.
    func run(
        _ make: @escaping @Sendable (_ put: @escaping @Sendable ([UInt8]) -> Void) async throws -> Void
    ) async throws {
        let lanes = lanes
        try await withThrowingTaskGroup { group in
            for lane in lanes { group.addTask { await self.run(lane) } }
            group.addTask { try await make { packet in for lane in lanes { lane.put.yield(packet) } } }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Sends the pairs in turn, until the task is cancelled. There must be one at least.
    func run(_ pairs: [PackedPair], rate: Double) async throws {
        try await run { put in await Self.pace(pairs, rate, put) }
    }

    /// Makes each packet once, for all receivers.
    private static func pace(
        _ pairs: [PackedPair], _ rate: Double, _ put: @escaping @Sendable ([UInt8]) -> Void
    ) async {
        let clock = ContinuousClock(), start = clock.now
        var sequence = 0
        while !Task.isCancelled {
            put(pairs[sequence % pairs.count].packet(sequence: sequence, time: SystemTime.monotonic))
            sequence += 1
            guard (try? await clock.sleep(until: start + .seconds(Double(sequence) / rate))) != nil else { return }
        }
    }

    private func run(_ lane: Lane) async {
        let place = lane.plan.address.text
        var packets = lane.packets.makeAsyncIterator(), said = ""
        while !Task.isCancelled {
            do {
                let sender = try await ByteSender.connect(lane.plan)
                log.note("sends to \(place)")
                said = ""
                defer { sender.close() }
                // What waited during the attempt is old.
                _ = await packets.next()
                while let packet = await packets.next() { try await Self.send(packet, sender) }
            } catch {
                let text = (error as? TransportFailure)?.description ?? "\(error)"
                if !Task.isCancelled, text != said { log.warning("\(text); trying again every 3 s") }
                said = text
            }
            try? await Task.sleep(for: .seconds(Self.pause))
        }
    }

    private static func send(_ packet: [UInt8], _ sender: ByteSender) async throws {
        let alarm = Task {
            guard (try? await Task.sleep(for: .seconds(patience))) != nil else { return }
            sender.close()
        }
        defer { alarm.cancel() }
        try await sender.send(packet)
    }
}
