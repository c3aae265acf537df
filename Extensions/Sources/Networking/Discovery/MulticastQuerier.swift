internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Asks the local network for a service, from a port of its own on each interface. It needs no other program, and does
/// not disturb one.
public struct MulticastQuerier: Sendable {
    /// Where and how to ask. The defaults are those of multicast DNS.
    public struct Options: Sendable {
        /// The address and the port of the question.
        public var group = "224.0.0.251", port = 5353
        /// The IPv4 addresses of the interfaces, or nil for all that can multicast.
        public var interfaces: [String]?
        /// Whether goodbyes are heard, which servers send to all. It shares port 5353 with other programs, and does
        /// without if it cannot.
        public var listens = true

        /// Creates the default options.
        public init() {}
    }

    private let service: MulticastName
    private let options: Options

    /// Prepares a search.
    public init(_ service: MulticastName, options: Options = Options()) {
        (self.service, self.options) = (service, options)
    }

    /// Searches until the task is cancelled. `report` receives all servers that are known, whenever they change; a
    /// report that is overtaken by a newer one is left out.
    public func run(_ report: @escaping @Sendable ([FoundService]) async -> Void) async {
        let (changes, sink) = AsyncStream.makeStream(of: [FoundService].self, bufferingPolicy: .bufferingNewest(1))
        let desk = BrowserDesk(service, sink)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await services in changes { await report(services) }
            }
            if options.listens {
                group.addTask {
                    guard let socket = try? await MulticastSocket.listening(to: options) else { return }
                    await socket.read { _ = await desk.receive($0) }
                }
            }
            await ask(desk, in: &group)
            sink.finish()
            group.cancelAll()
        }
    }

    /// Asks when it is time, on the interfaces that exist then.
    private func ask(_ desk: BrowserDesk, in group: inout DiscardingTaskGroup) async {
        var open: [String: MulticastSocket] = [:]
        while !Task.isCancelled {
            let interfaces = Set(options.interfaces ?? MulticastSocket.interfaces())
            for gone in open.keys where !interfaces.contains(gone) { open.removeValue(forKey: gone)?.close() }
            for interface in interfaces where open[interface]?.isOpen != true {
                guard let socket = try? await MulticastSocket.asking(from: interface, options) else { continue }
                open[interface] = socket
                group.addTask {
                    await socket.read { message in
                        if let question = await desk.receive(message) { socket.send(question) }
                    }
                }
            }
            if let question = await desk.due() {
                for socket in open.values { socket.send(question) }
            }
            try? await Task.sleep(for: .seconds(await desk.delay()))
        }
        for socket in open.values { socket.close() }
    }
}

/// The browser and its clock, shared by all sockets.
private actor BrowserDesk {
    private var browser: ServiceBrowser
    private var known: [FoundService] = []
    private let sink: AsyncStream<[FoundService]>.Continuation

    init(_ service: MulticastName, _ sink: AsyncStream<[FoundService]>.Continuation) {
        browser = ServiceBrowser(service, now: NIODeadline.now().seconds)
        self.sink = sink
    }

    func due() -> [UInt8]? {
        defer { tell() }
        return browser.due(now: NIODeadline.now().seconds)
    }

    func receive(_ message: MulticastMessage) -> [UInt8]? {
        defer { tell() }
        return browser.receive(message)
    }

    /// How long to wait, in seconds.
    func delay() -> Double { max(0.01, browser.deadline - NIODeadline.now().seconds) }

    private func tell() {
        let services = browser.services
        guard services != known else { return }
        known = services
        sink.yield(services)
    }
}
