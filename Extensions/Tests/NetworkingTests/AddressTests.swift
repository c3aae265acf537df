import DockTestKit
import DockTypes
import Testing

@testable import Networking

/// Addresses as people type them, and plans without contradictions.
@Suite struct AddressTests {
    private static func read(_ text: String) -> ServerAddress? { try? ServerAddress(text, defaultPort: 8080) }

    @Test(
        arguments: [
            ("lab", "lab", 8080, "/", nil), ("LAB.local:9000", "lab.local", 9000, "/", nil),
            ("10.0.0.2", "10.0.0.2", 8080, "/", nil), ("ws://lab", "lab", 80, "/", .plain),
            ("wss://lab", "lab", 443, "/", .secure), ("WSS://lab:1/a/b?c=d", "lab", 1, "/a/b?c=d", .secure),
            ("[::1]:9", "::1", 9, "/", nil), ("::1", "::1", 8080, "/", nil),
            ("[fe80::1%eth0]", "fe80::1%eth0", 8080, "/", nil),
            ("ws://[2001:db8::2]:65535/x", "2001:db8::2", 65_535, "/x", .plain), ("a_b-c.d:7", "a_b-c.d", 7, "/", nil),
        ] as [(String, String, Int, String, ServerAddress.Scheme?)])
    func `an address is read`(
        text: String, host: String, port: Int, path: String, scheme: ServerAddress.Scheme?
    ) throws {
        let address = try ServerAddress(text, defaultPort: 8080)
        #expect(address.host == host && address.port == port && address.path == path && address.scheme == scheme)
    }

    @Test(arguments: [
        "", ":80", "lab:", "lab:0", "lab:65536", "lab:99999999999999999999", "lab:-1", "lab:8a", "http://lab", "://lab",
        "ws://", "ws:///x", "lab name", "l\u{e4}b", "lab\n", "[::1", "[::1]8", "[lab]", "::1::", "1:2:3", "me@lab",
        "me:secret@lab:1", "wss://lab/a b", "wss://lab/#x", "lab/\u{1b}[2J", "[fe80::1%]", "[fe80::1%a/b]", "lab\u{0}",
        String(repeating: "a", count: 300), "ws://" + String(repeating: "a", count: 2000),
    ])
    func `what is no address is refused, with what is right`(text: String) {
        let error = #expect(throws: DockError.self) { try ServerAddress(text, defaultPort: 8080) }
        #expect(error?.code == .configuration && error?.hint.contains("HOST:PORT") == true)
    }

    @Test func `a scope is for this machine only`() throws {
        #expect(Self.read("[fe80::1%eth0]:9")?.hostHeader == "[fe80::1]:9" && Self.read("::1")?.text == "[::1]:8080")
        #expect(Self.read("10.0.0.2")?.isNumeric == true && Self.read("lab")?.isNumeric == false)
        #expect(Self.read("192.168.1.5.local")?.isNumeric == false)
    }

    @Test func `no text breaks the reader`() {
        var dice = Dice(2), known = 0
        let parts = [
            "ws", "wss", "://", ":", "[", "]", "::1", "lab", "9", "%", "/", "@", "\u{0}", "e\u{301}", ".", "65536",
        ]
        for _ in 0..<2000 {
            let count = Int.random(in: 0...7, using: &dice)
            let text = (0..<count).map { _ in parts.randomElement(using: &dice) ?? "" }.joined()
            if let address = Self.read(text) {
                known += 1
                #expect((1...65_535).contains(address.port) && !address.host.isEmpty && address.path.hasPrefix("/"))
            }
        }
        #expect(known > 30)
    }

    @Test func `a plan never contradicts the owner's word about encryption`() throws {
        let plain = try ServerAddress("ws://lab", defaultPort: 1),
            secure = try ServerAddress("wss://lab", defaultPort: 1)
        let open = try ServerAddress("lab", defaultPort: 1)
        #expect(throws: DockError.self) { try TransportPlan(plain, trust: .system) }
        #expect(throws: DockError.self) { try TransportPlan(secure, trust: .off) }
        #expect(try TransportPlan(plain, trust: .off).isEncrypted == false)
        #expect(try TransportPlan(open, trust: .off).isEncrypted == false)
        #expect(
            try TransportPlan(open, trust: .system).isEncrypted && TransportPlan(secure, trust: .system).isEncrypted)
    }
}
