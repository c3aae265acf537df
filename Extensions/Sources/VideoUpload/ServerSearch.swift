internal import AllSpark
public import Networking
internal import Synchronization

/// Looks for servers on the local network, for a limited time.
public struct ServerSearch: Sendable {
    private let querier: MulticastQuerier?

    /// Prepares a search. `options`: where and how to ask.
    public init(options: MulticastQuerier.Options = .init()) {
        querier = MulticastName(AllSparkServer.service).map { MulticastQuerier($0, options: options) }
    }

    /// Returns the servers that answer within so many seconds, by name. It ends as soon as `isEnough` says so.
    public func servers(
        within seconds: Double, until isEnough: @escaping @Sendable ([FoundService]) -> Bool = { _ in false }
    ) async -> [FoundService] {
        let found = FoundServers()
        await withTaskGroup { group in
            group.addTask {
                // It ends only when it is cancelled.
                await querier?.run { services in found.set(services) }
            }
            group.addTask {
                for await services in found.changes where isEnough(services) { return }
            }
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
        return found.newest.sorted { $0.name < $1.name }
    }

    /// Returns where the server with this name is now, or nil if it does not answer within so many seconds.
    public func place(of name: String, within seconds: Double) async -> ServerPlace? {
        let isIt: @Sendable (FoundService) -> Bool = { $0.name == name && !$0.addresses.isEmpty }
        let services = await servers(within: seconds) { $0.contains(where: isIt) }
        return services.first(where: isIt).flatMap { service in
            service.addresses.first.map { ServerPlace(host: $0, port: service.port) }
        }
    }
}

/// The servers that are known at the moment.
private final class FoundServers: Sendable {
    let changes: AsyncStream<[FoundService]>
    private let put: AsyncStream<[FoundService]>.Continuation
    private let shared = Mutex<[FoundService]>([])

    init() { (changes, put) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var newest: [FoundService] { shared.withLock { $0 } }

    func set(_ services: [FoundService]) {
        shared.withLock { $0 = services }
        put.yield(services)
    }
}

extension ServerSearch {
    /// Returns where a chosen server is now, if it was chosen on the local network and answers there within 2 seconds.
    public static func place(of server: ChosenServer) async -> ServerPlace? {
        guard let name = server.service else { return nil }
        return await ServerSearch().place(of: name, within: 2)
    }
}
