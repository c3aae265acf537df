import CPosix
import ControlProtocol
import DockTypes
import Glibc
import PictureShare
import Synchronization
import Testing

@testable import Companion
@testable import DockClient

/// Descriptors as part of an answer.
@Suite struct ControlPictureTests {
    private static func opening(_ width: Int) throws -> PictureOpening {
        let layout = try #require(ShareLayout(format: .rgb24, width: width, height: 2, slots: 3))
        let writer = try PictureWriter(layout), bell = try #require(PictureBell())
        return PictureOpening(memory: dup(writer.descriptor), bell: bell.readEnd, layout: layout)
    }

    private static func backend() -> FakeBackend {
        FakeBackend(answer: { call in
            switch call {
            case .openPictures(let request):
                guard let width = request.maximumWidth else {
                    return .pictures(.failure(DockError(.notSupported, "no camera", hint: "add one")))
                }
                return (try? opening(width)).map { .pictures(.success($0)) }
            case .closePictures: return .done
            default: return .answer(.success(Outcome("done")))
            }
        })
    }

    @Test func `the descriptors come with their answer`() throws {
        let served = try TestServer(Self.backend()), client = try ControlClient(path: served.path)
        for width in [3, 7, 5] {
            // Answers without descriptors in between.
            _ = try client.call("status")
            let pictures = try client.openPictures(maximumWidth: width)
            #expect(pictures.reader.layout.width == width)
        }
        #expect(throws: DockError.self) { try client.openPictures() }
        #expect(try client.call("closePictures") == .object([:]))
        #expect(served.backend.seen.calls.contains(.openPictures(PictureRequest(maximumWidth: 3, format: nil))))
    }

    @Test func `an outbox sends each pair of descriptors with the first byte of its answer`() throws {
        var outbox = Outbox()
        let first = try Self.opening(1), second = try Self.opening(2)
        outbox.answer(Array("hello".utf8))
        outbox.answer(Array("one".utf8), with: [first])
        outbox.answer(Array("two".utf8), with: [second])
        #expect(Array(outbox.piece.bytes) == Array("hello\n".utf8) && outbox.piece.opening == nil)
        outbox.didSend(3)
        #expect(Array(outbox.piece.bytes) == Array("lo\n".utf8))
        outbox.didSend(3)
        #expect(Array(outbox.piece.bytes) == Array("one\n".utf8) && outbox.piece.opening == first)
        outbox.didSend(1)
        #expect(Array(outbox.piece.bytes) == Array("ne\n".utf8) && outbox.piece.opening == nil, "not twice")
        outbox.didSend(3)
        #expect(outbox.piece.opening == second)
        outbox.didSend(4)
        #expect(outbox.count == 0)
    }

    @Test func `if the system does not pass descriptors on, the client gets an error, and then the other answers`()
        throws
    {
        var outbox = Outbox()
        let first = try Self.opening(1), second = try Self.opening(2)
        outbox.answer(Array("hello".utf8))
        outbox.answer(Array("one".utf8), with: [first], refusal: Array("none".utf8))
        outbox.answer(Array("two".utf8), with: [second], refusal: Array("no".utf8))
        let isEarly = outbox.refuseOpening()
        #expect(!isEarly, "the next byte has no descriptors")
        outbox.didSend(6)
        let isRefused = outbox.refuseOpening()
        #expect(isRefused && Array(outbox.piece.bytes) == Array("none\n".utf8) && outbox.piece.opening == nil)
        outbox.didSend(5)
        #expect(Array(outbox.piece.bytes) == Array("two\n".utf8) && outbox.piece.opening == second)
        outbox.didSend(4)
        #expect(outbox.count == 0)
    }

    @Test func `an answer without its pictures is an error with the same id`() throws {
        let request = ControlRequest(id: Array("7".utf8), .success(.openPictures(PictureRequest())))
        let part = RequestQueue.Part(request: request, reply: .pictures(.success(try Self.opening(3))), isLocal: false)
        let line = RequestQueue.Line(parts: [part], isBatch: false, deadline: 0)
        let bytes = ControlAnswer.line(line.withoutPictures(ControlConnection.stuck), version: "1", now: 0) { _ in
            .success(.null)
        }
        let answer = try #require(bytes.flatMap { JSONValue(json: $0) })
        #expect(answer["id"]?.integer == 7 && answer["error"]?["data"]?["name"]?.string == "busy")
    }

    @Test func `what a client does not take is closed`() throws {
        var outbox = Outbox()
        weak var kept: PictureOpening?
        do {
            let opening = try Self.opening(1)
            kept = opening
            outbox.answer(Array("one".utf8), with: [opening])
        }
        #expect(kept != nil)
        outbox.discard()
        #expect(kept == nil)
    }

    /// Unsent descriptors are the daemon's.
    @Test func `a client gets no second opening before it has read the first`() throws {
        let served = try TestServer(Self.backend()), client = try TestClient(served.path)
        let call = #"{"jsonrpc":"2.0","id":1,"method":"openPictures","params":{"maximumWidth":9}}"#
        client.send("[\(call),\(call)]")
        var bytes = [UInt8](repeating: 0, count: 4096), found: [Int32] = [], text: [UInt8] = []
        while text.last != 0x0A {
            var wait = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wait, 1, 5000)
            var descriptors = [Int32](repeating: -1, count: 4), count: Int32 = 4
            let size = cposix_receive_with(client.descriptor, &bytes, bytes.count, &descriptors, &count)
            try #require(size > 0)
            text += bytes[..<size]
            found += descriptors.prefix(Int(count))
        }
        let answers = JSONValue(json: text)?.array ?? []
        #expect(found.count == 2 && answers.count == 2)
        #expect(answers.last?["error"]?["data"]?["name"]?.string == "busy")
        for descriptor in found { close(descriptor) }
    }

    @Test func `standard input gets no pictures`() throws {
        let said = Mutex("")
        let line = ControlLineSession(client: -1, version: "1", backend: Self.backend()) { text in
            said.withLock { $0 += text }
        }
        line.handle(#"{"jsonrpc":"2.0","id":1,"method":"openPictures"}"#.utf8)
        let text = said.withLock { $0 }
        #expect(text.contains("notSupported") && text.contains("use the socket"))
    }
}
