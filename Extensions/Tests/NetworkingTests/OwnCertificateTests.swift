import DockTestKit
import DockTypes
import Foundation
import NIOCore
import Testing

@testable import NetworkTestKit
@testable import Networking

/// Certificates that a server makes by itself.
@Suite struct OwnCertificateTests {
    @Test func `a length is written in as few bytes as possible`() {
        func length(_ count: Int) -> [UInt8] {
            Array(DER.value(.octets, [UInt8](repeating: 7, count: count)).dropLast(count))
        }
        #expect(length(0) == [4, 0] && length(127) == [4, 127] && length(128) == [4, 0x81, 128])
        #expect(length(256) == [4, 0x82, 1, 0] && length(65_536) == [4, 0x83, 1, 0, 0])
        #expect(DER.sequence([1], [2, 3]) == [0x30, 3, 1, 2, 3])
    }

    @Test func `every new certificate can be read, vouches for itself, and is valid at any time`() throws {
        var seen: Set<String> = []
        for _ in 0..<50 {
            let own = try OwnCertificate(name: "a room"), certificate = try ServerCertificate(der: own.certificate)
            #expect(certificate.isSelfSigned && certificate.commonName == "a room")
            // 2020, and the end of 9999.
            #expect(certificate.validFrom == 1_577_836_800 && certificate.validUntil == 253_402_300_799)
            seen.insert(certificate.fingerprint)
        }
        #expect(seen.count == 50)
    }

    @Test func `openssl verifies the signature and finds a certificate of a server`() throws {
        let place = TemporaryFolder(), own = try OwnCertificate(name: "a room")
        try Data(own.certificate).write(to: URL(fileURLWithPath: place.path + "/own.der"))
        try own.key.write(toFile: place.path + "/own.key", atomically: true, encoding: .utf8)
        func openssl(_ words: String...) throws -> String { try TestCertificates.openssl(words, in: place.path) }
        _ = try openssl("x509", "-inform", "DER", "-in", "own.der", "-out", "own.pem")
        #expect(try openssl("verify", "-check_ss_sig", "-CAfile", "own.pem", "own.pem").contains("own.pem: OK"))
        let text = try openssl("x509", "-in", "own.pem", "-noout", "-text")
        for words in ["Version: 3", "ecdsa-with-SHA256", "CN = a room", "CA:FALSE", "TLS Web Server Authentication"] {
            #expect(text.replacingOccurrences(of: "CN=", with: "CN = ").contains(words), "\(words): \(text)")
        }
        let key = try openssl("pkey", "-in", "own.key", "-pubout")
        #expect(try openssl("x509", "-in", "own.pem", "-noout", "-pubkey") == key && key.contains("BEGIN PUBLIC KEY"))
    }

    private static func identity(_ certificate: String, _ key: String) throws -> ServerIdentity {
        try ServerIdentity(
            certificates: Array(Data(contentsOf: URL(fileURLWithPath: certificate))),
            key: Array(Data(contentsOf: URL(fileURLWithPath: key))))
    }

    @Test func `a certificate that clients could not accept is named before the server listens`() throws {
        let certificates = try TestCertificates.shared.get()
        func complaint(
            _ certificate: TestCertificates.Identity, key: TestCertificates.Identity? = nil
        ) throws -> String? {
            let identity = try Self.identity(certificate.pem, (key ?? certificate).key)
            do throws(DockError) {
                try identity.check(at: unixTime())
                return nil
            } catch {
                return error.code == .configuration ? error.message : error.description
            }
        }
        #expect(try complaint(certificates.right) == nil)
        #expect(try complaint(certificates.selfSigned) == nil)
        #expect(try complaint(certificates.expired)?.hasPrefix("the certificate expired ") == true)
        #expect(try complaint(certificates.notYetValid)?.contains("becomes valid in ") == true)
        let mixed = try complaint(certificates.right, key: certificates.selfSigned)
        #expect(mixed == "the certificate and the key do not belong together")
    }

    @Test func `a client that speaks plainly to a port with TLS is answered, and never connected`() async throws {
        let certificates = try TestCertificates.shared.get()
        var served = ServerPlan(host: "127.0.0.1", port: 0)
        served.identity = try Self.identity(certificates.selfSigned.pem, certificates.selfSigned.key)
        served.options = quickOptions()
        let server = try await WebSocketServer(
            served, accepts: { _ in true }, page: { _, _ in ServedPage(text: "a page") })
        try await withThrowingTaskGroup { group in
            group.addTask { await server.run { _ in } }
            let refused = await failure {
                try await WebSocketClient(plan(server.port), options: quickOptions()).withConnection { _ in }
            }
            #expect(refused?.kind == .needsTLS && refused?.message == "127.0.0.1:\(server.port) expects TLS (wss://)")
            let page = await failure { _ = try await HTTPFetch(plan(server.port), limit: 30).body(of: "/") }
            #expect(page?.kind == .needsTLS)
            // The same port serves those who encrypt.
            let trust = TransportTrust.pinned(certificates.selfSigned.certificate)
            let body = try await HTTPFetch(plan(server.port, trust: trust), limit: 30).body(of: "/")
            #expect(String(decoding: body, as: UTF8.self) == "a page")
            let other = TransportTrust.pinned(certificates.otherSelfSigned.certificate)
            let wrong = await failure {
                _ = try await HTTPFetch(plan(server.port, trust: other), limit: 30).body(of: "/")
            }
            #expect(wrong?.kind == .changedPin)
            group.cancelAll()
        }
    }

    @Test(arguments: [PlainClients.local, .all]) func `a client on this machine may speak plainly if the plan says so`(
        _ clients: PlainClients
    ) async throws {
        let certificates = try TestCertificates.shared.get()
        var served = ServerPlan(host: "127.0.0.1", port: 0)
        served.identity = try Self.identity(certificates.selfSigned.pem, certificates.selfSigned.key)
        served.options = quickOptions()
        served.plainClients = clients
        let server = try await WebSocketServer(
            served, accepts: { _ in true }, page: { _, _ in ServedPage(text: "a page") })
        try await withThrowingTaskGroup { group in
            group.addTask { await server.run { _ in } }
            for trust in [TransportTrust.off, .pinned(certificates.selfSigned.certificate)] {
                let body = try await HTTPFetch(plan(server.port, trust: trust), limit: 30).body(of: "/")
                #expect(String(decoding: body, as: UTF8.self) == "a page")
            }
            group.cancelAll()
        }
    }

    @Test func `only addresses of this machine are local`() throws {
        for (text, isLocal) in [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
            ("192.168.1.2", false), ("::", false), ("fe80::1", false), ("::ffff:10.0.0.1", false),
        ] {
            let address = try SocketAddress(ipAddress: text, port: 1)
            #expect(PlainClients.local.include(address) == isLocal, "\(text)")
            #expect(!PlainClients.none.include(address) && PlainClients.all.include(address))
        }
        #expect(!PlainClients.local.include(nil))
    }
}
