/// Finds the instances of a service, as a pure value: it says when to ask what, and keeps what was answered.
public struct ServiceBrowser: Sendable {
    /// When questions are asked after the start, in seconds; from then on, one per `period`.
    public static let first = [0.0, 1, 3, 9]
    /// The time between two later questions, in seconds.
    public static let period = 60.0
    /// How many rounds of questions an instance may leave without an answer.
    public static let patience = 2
    /// The maximum number of instances. Others are ignored.
    public static let most = 64

    private struct Instance: Sendable, Equatable {
        var host: MulticastName?, port = 0
        var details: [[UInt8]] = []
        var addresses: Set<MulticastRecord.Content> = []
        /// Rounds without an answer.
        var missed = 0
        /// How often its host or its address was asked for since the last round. Otherwise an answer without them would
        /// be asked about without end.
        var asked = 0
    }

    private let service: MulticastName
    private let start: Double
    private var round = 0
    private var instances: [MulticastName: Instance] = [:]

    /// Creates a browser that begins now. `now` is in seconds, of any clock.
    public init(_ service: MulticastName, now: Double) { (self.service, start) = (service, now) }

    /// The instances whose address is known, by name.
    public var services: [FoundService] {
        instances.compactMap { name, instance in
            guard let host = instance.host, instance.port > 0, !instance.addresses.isEmpty else { return nil }
            return FoundService(
                name: name, host: host, port: instance.port, addresses: instance.addresses, details: instance.details)
        }.sorted { ($0.name, $0.host, $0.port) < ($1.name, $1.host, $1.port) }
    }

    // MARK: questions

    /// When `due` must be called.
    public var deadline: Double {
        guard round >= Self.first.count else { return start + Self.first[round] }
        return start + (Self.first.last ?? 0) + Self.period * Double(round - Self.first.count + 1)
    }

    /// Returns the question to send to all, or nil if it is too early. Instances that have left too many rounds without
    /// an answer are forgotten.
    public mutating func due(now: Double) -> [UInt8]? {
        guard now >= deadline else { return nil }
        // After a long sleep of the machine one round is enough.
        repeat { round += 1 } while now >= deadline
        for (name, var instance) in instances {
            instance.missed += 1
            instance.asked = 0
            instances[name] = instance.missed > Self.patience ? nil : instance
        }
        return MulticastMessage.question([.init(name: service, kind: .ptr)])
    }

    // MARK: answers

    /// Receives an answer. Returns another question if the answer leaves one open.
    public mutating func receive(_ message: MulticastMessage) -> [UInt8]? {
        guard message.isAnswer else { return nil }
        for record in message.records { receivePointer(record) }
        for record in message.records { receiveInstance(record) }
        let addresses = message.records.filter { $0.lifetime > 0 && $0.isAddress }
        if !addresses.isEmpty { for name in instances.keys { receiveAddresses(of: name, addresses) } }
        return openQuestion()
    }

    private mutating func receivePointer(_ record: MulticastRecord) {
        guard record.name == service, case .pointer(let name) = record.content, name.instance(of: service) != nil else {
            return
        }
        guard record.lifetime > 0 else { return instances[name] = nil }
        guard instances[name] != nil || instances.count < Self.most else { return }
        instances[name, default: Instance()].missed = 0
    }

    private mutating func receiveInstance(_ record: MulticastRecord) {
        guard instances[record.name] != nil else { return }
        switch record.content {
        case .service(let host, let port):
            guard record.lifetime > 0 else { return instances[record.name] = nil }
            if instances[record.name]?.host != host { instances[record.name]?.addresses = [] }
            instances[record.name]?.host = host
            instances[record.name]?.port = port
        case .text(let entries): instances[record.name]?.details = Array(entries.prefix(FoundService.mostDetails))
        case .pointer, .address4, .address6: break
        }
    }

    /// The newest answer counts as a whole, so an address that is gone disappears.
    private mutating func receiveAddresses(of name: MulticastName, _ records: [MulticastRecord]) {
        guard let host = instances[name]?.host else { return }
        let addresses = records.lazy.filter { $0.name == host }.map(\.content)
        if !addresses.isEmpty { instances[name]?.addresses = Set(addresses.prefix(FoundService.mostAddresses)) }
    }

    /// What is still missing, twice per round at most: the host, and then its address.
    private mutating func openQuestion() -> [UInt8]? {
        var questions: Set<MulticastMessage.Question> = []
        for (name, instance) in instances where instance.asked < 2 {
            if let host = instance.host {
                guard instance.addresses.isEmpty else { continue }
                questions.formUnion([.init(name: host, kind: .a), .init(name: host, kind: .aaaa)])
            } else {
                questions.formUnion([.init(name: name, kind: .srv), .init(name: name, kind: .txt)])
            }
            instances[name]?.asked += 1
        }
        guard !questions.isEmpty else { return nil }
        // Names of 255 bytes at most: 5 questions fit into one packet of 1472 bytes.
        return MulticastMessage.question(Array(questions.sorted { $0.name.text < $1.name.text }.prefix(5)))
    }
}

extension MulticastRecord {
    /// Whether it is an address.
    var isAddress: Bool {
        switch content {
        case .address4, .address6: true
        case .pointer, .service, .text: false
        }
    }
}
