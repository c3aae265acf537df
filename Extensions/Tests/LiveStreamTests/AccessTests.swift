import Testing

@testable import LiveStream

@Suite struct AccessTests {
    private static func access(_ fields: String...) -> RTSPAccess {
        var access = RTSPAccess(user: "Mufasa", password: "Circle Of Life")
        _ = access.receive(fields)
        return access
    }

    @Test func `the answer to a digest is that of RFC 2617`() {
        let access = Self.access(
            #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", "#
                + #"opaque="5ccc069c403ebaf9f0171e9517f40e41""#)
        let answer = access.authorization(method: "GET", uri: "/dir/index.html", clientNonce: "0a4f113b")
        #expect(answer?.contains(#"response="6629fae49393a05397450978507c4ef1""#) == true, "\(answer ?? "")")
        #expect(answer?.contains(#"opaque="5ccc069c403ebaf9f0171e9517f40e41""#) == true)
    }

    @Test func `the answer with SHA-256 is that of RFC 7616`() {
        var access = RTSPAccess(user: "Mufasa", password: "Circle of Life")
        _ = access.receive([
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, "#
                + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        ])
        let answer = access.authorization(
            method: "GET", uri: "/dir/index.html", clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(
            answer?.contains("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1") == true,
            "\(answer ?? "")")
    }

    @Test func `the password itself leaves only if the server knows no digest`() {
        let digest = #"Digest realm="a", nonce="b""#
        #expect(
            Self.access("Basic realm=a").authorization(method: "A", uri: "b") == "Basic TXVmYXNhOkNpcmNsZSBPZiBMaWZl")
        #expect(Self.access("Basic realm=a", digest).authorization(method: "A", uri: "b")?.hasPrefix("Digest") == true)
        #expect(Self.access("Negotiate", "Digest realm=a").authorization(method: "A", uri: "b") == nil)
        var access = Self.access(digest)
        let isRepeated = access.receive([digest]), isNew = access.receive([#"Digest realm="a", nonce="c""#])
        #expect(!isRepeated && isNew)
    }

    @Test func `requests get the address of the server, and the password after it was asked for`() throws {
        var dialogue = RTSPDialogue(
            local: "rtsp://127.0.0.1:1/x", remote: "rtsp://host:8554/dock", access: .init(user: "u", password: "p"))
        let request = "ANNOUNCE rtsp://127.0.0.1:1/x RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 3\r\n\r\nv=0"
        let first = try dialogue.fromClient(Array(request.utf8.prefix(30)))
        #expect(first.isEmpty)
        let sent = String(decoding: try dialogue.fromClient(Array(request.utf8.dropFirst(30))), as: UTF8.self)
        #expect(
            sent == "ANNOUNCE rtsp://host:8554/dock RTSP/1.0\r\nCSeq: 2\r\nContent-Length: 3\r\n\r\nv=0")
        let refusal = "RTSP/1.0 401 Unauthorized\r\nCSeq: 2\r\nWWW-Authenticate: Basic realm=\"a\"\r\n\r\n"
        let answer = try dialogue.fromServer(Array(refusal.utf8))
        #expect(answer.client.isEmpty)
        #expect(String(decoding: answer.server, as: UTF8.self).contains("\r\nAuthorization: Basic dTpw\r\n\r\nv=0"))
        // The client learns of a wrong password.
        let second = try dialogue.fromServer(Array(refusal.utf8))
        #expect(String(decoding: second.client, as: UTF8.self) == refusal && second.server.isEmpty)
        // The next request has it at once, and packets pass as they are.
        let setup = "SETUP rtsp://127.0.0.1:1/x/streamid=0 RTSP/1.0\r\nCSeq: 3\r\n\r\n",
            packet: [UInt8] = [36, 0, 0, 2, 13, 10]
        let both = try dialogue.fromClient(Array(setup.utf8) + packet)
        let text = String(decoding: both, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "SETUP rtsp://host:8554/dock/streamid=0 RTSP/1.0\r\nCSeq: 3\r\nAuthorization: Basic dTpw\r\n"))
        #expect(both.suffix(6) == packet[...])
    }

    @Test func `another program is refused, and damaged bytes end it`() {
        func flaw(_ text: String) -> RTSPDialogue.Flaw? {
            var dialogue = RTSPDialogue(
                local: "rtsp://127.0.0.1:1/x", remote: "rtsp://host/dock", access: .init(user: "u", password: "p"))
            do throws(RTSPDialogue.Flaw) {
                _ = try dialogue.fromClient(Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(flaw("OPTIONS rtsp://127.0.0.1:1/y RTSP/1.0\r\n\r\n") == .stranger)
        #expect(flaw("OPTIONS rtsp://127.0.0.1:1/xy RTSP/1.0\r\n\r\n") == .stranger)
        #expect(flaw("OPTIONS rtsp://127.0.0.1:1/x RTSP/1.0\r\nContent-Length: 99999999\r\n\r\n") == .message)
        #expect(flaw("OPTIONS\r\n\r\n") == .message && flaw(String(repeating: "a", count: 20_000)) == .message)
        #expect(flaw("OPTIONS rtsp://127.0.0.1:1/x RTSP/1.0\r\n\r\n") == nil)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            var bytes = Array("SETUP rtsp://127.0.0.1:1/x RTSP/1.0\r\nContent-Length: 4\r\n\r\nabcd$\0\0\u{2}ab".utf8)
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var reader = RTSPReader()
            _ = try? reader.feed(bytes)
        }
    }
}
