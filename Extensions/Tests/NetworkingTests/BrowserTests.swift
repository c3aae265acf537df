import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import NetworkTestKit
@testable import Networking

/// Which servers are known, in virtual time; and the sockets, on 127.0.0.1.
@Suite(.timeLimit(.minutes(10))) struct BrowserTests {
    private static func browser() throws -> ServiceBrowser {
        ServiceBrowser(try #require(MulticastTests.service), now: 100)
    }

    private static func message(_ bytes: [UInt8]) throws -> MulticastMessage { try #require(MulticastMessage(bytes)) }

    @Test func `questions go at 0, 1, 3 and 9 s, and then every minute`() throws {
        var browser = try Self.browser(), times: [Double] = []
        for _ in 0..<7 {
            times.append(browser.deadline - 100)
            let early = browser.due(now: browser.deadline - 0.01), question = browser.due(now: browser.deadline)
            #expect(early == nil && question?.count == 12 + 22 + 4)
        }
        #expect(times == [0, 1, 3, 9, 69, 129, 189])
        // A machine that was asleep asks once.
        let late = browser.due(now: 10_000), again = browser.due(now: 10_000)
        #expect(late != nil && again == nil)
    }

    @Test func `a server is known by its name, and its address is that of its own answer`() throws {
        var browser = try Self.browser()
        let question = browser.receive(try Self.message(MulticastTests.answer()))
        #expect(question == nil)
        let service = try #require(browser.services.first)
        #expect(service.name == "AllSpark on desk" && service.host == "192.168.1.5.local" && service.port == 8080)
        #expect(service.addresses == ["192.168.1.5"] && service.address?.text == "192.168.1.5.local:8080")
        _ = browser.receive(try Self.message(MulticastTests.answer(port: 9090, address: [10, 0, 0, 7])))
        #expect(browser.services.map(\.addresses) == [["10.0.0.7"]] && browser.services.map(\.port) == [9090])
        _ = browser.receive(try Self.message(MulticastTests.answer(instance: "allspark ON desk")))
        #expect(browser.services.count == 1)
        _ = browser.receive(try Self.message(MulticastTests.answer(instance: "another one")))
        #expect(browser.services.count == 2)
    }

    @Test func `two rounds without an answer, or a goodbye, end a server`() throws {
        var browser = try Self.browser(), now = 109.0
        _ = browser.due(now: now)
        _ = browser.receive(try Self.message(MulticastTests.answer()))
        var lifetimes: [Double] = []
        while browser.services.count == 1 {
            now = browser.deadline
            _ = browser.due(now: now)
            lifetimes.append(now - 109)
        }
        #expect(lifetimes == [60, 120, 180])
        _ = browser.receive(try Self.message(MulticastTests.answer()))
        #expect(browser.services.count == 1)
        _ = browser.receive(try Self.message(MulticastTests.answer(lifetime: 0)))
        #expect(browser.services.isEmpty)
    }

    @Test func `an answer without an address is asked about, but not without end`() throws {
        var browser = try Self.browser(), questions: [MulticastMessage] = []
        for _ in 0..<20 {
            if let bytes = browser.receive(try Self.message(MulticastTests.answer(address: nil))) {
                questions.append(try Self.message(bytes))
            }
        }
        #expect(browser.services.isEmpty && questions.count == 2)
        #expect(questions.first?.questions.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.a, .aaaa])
        _ = browser.receive(try Self.message(MulticastTests.answer()))
        #expect(browser.services.count == 1)
    }

    @Test func `a network full of names does not fill the memory`() throws {
        var browser = try Self.browser()
        for index in 0..<1000 {
            _ = browser.receive(try Self.message(MulticastTests.answer(instance: "server \(index)")))
        }
        #expect(browser.services.count == ServiceBrowser.most)
    }

    @Test func `a question and the answer for another service change nothing`() throws {
        var browser = try Self.browser()
        var packet = MulticastTests.Packet(answers: 1)
        packet.record(
            MulticastTests.Packet.name(["_ipp", "_tcp", "local"]), 12,
            MulticastTests.Packet.name(["p", "_ipp", "_tcp", "local"]))
        _ = browser.receive(try Self.message(packet.bytes))
        let question = MulticastMessage.question([.init(name: try #require(MulticastTests.service), kind: .ptr)])
        _ = browser.receive(try Self.message(question))
        #expect(browser.services.isEmpty)
    }

    // MARK: sockets

    @Test func `a server is found through a socket, and foreign ports are not believed`() async throws {
        let responder = try await Responder.start()
        var options = MulticastQuerier.Options()
        (options.group, options.port, options.interfaces, options.listens) = (
            "127.0.0.1", responder.port, ["127.0.0.1"], false
        )
        let querier = MulticastQuerier(try #require(MulticastTests.service), options: options)
        let found = Mutex<[[FoundService]]>([])
        let search = Task { await querier.run { services in found.withLock { $0.append(services) } } }
        while found.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
        search.cancel()
        await search.value
        // The stranger answers first, from another port.
        #expect(found.withLock { $0.first?.map(\.name) } == ["AllSpark on desk"])
        try await responder.end()
    }
}

/// Answers each question with a server, after a stranger has answered with another one.
private struct Responder {
    let channel: any Channel
    let stranger: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }

    static func start() async throws -> Responder {
        let stranger = try await DatagramBootstrap(group: TestServer.group).bind(host: "127.0.0.1", port: 0).get()
        let channel = try await DatagramBootstrap(group: TestServer.group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(stranger))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Responder(channel: channel, stranger: stranger)
    }

    func end() async throws {
        try await channel.close().get()
        try await stranger.close().get()
    }
}

private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let stranger: any Channel

    init(_ stranger: any Channel) { self.stranger = stranger }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let client = unwrapInboundIn(data).remoteAddress
        let wrong = ByteBuffer(bytes: MulticastTests.answer(instance: "a stranger"))
        let right = ByteBuffer(bytes: MulticastTests.answer())
        let channel = context.channel
        stranger.writeAndFlush(AddressedEnvelope(remoteAddress: client, data: wrong)).whenComplete { _ in
            channel.writeAndFlush(AddressedEnvelope(remoteAddress: client, data: right), promise: nil)
        }
    }
}
