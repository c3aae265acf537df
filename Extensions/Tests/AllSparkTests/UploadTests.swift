import ControlProtocol
import Testing

@testable import AllSpark

/// Files on their way to the server, event by event, in virtual time.
@Suite struct UploadTests {
    @Test func `a request is searched, and each file is metadata, content and an answer`() {
        let machine = Talks.open()
        var actions = machine.handle(
            text(#"{"command":"uploadTimeRange","startTime":1795788303,"endTime":1795788313}"#), at: at(1))
        #expect(actions.finds.map(\.range) == [range(0, 10)] && actions.audits.map(\.what) == [.requested])
        actions = machine.handle(.found(1, [chunk(0), chunk(5)], isComplete: true), at: at(1))
        #expect(actions.needs == [FileNeed(chunk: chunk(0).number, role: .video(.mp4))])
        let need = actions.needs[0]
        actions = machine.handle(.prepared(need, bytes: 1234), at: at(1))
        #expect(actions.sent.map { $0["filesize"] } == [.number(1234)] && actions.files.isEmpty)
        actions = machine.handle(.written, at: at(1))
        #expect(actions == [.sendFile(need, bytes: 1234)])
        #expect(machine.handle(.written, at: at(2)).isEmpty)
        // The next file waits for the answer.
        actions = machine.handle(text(success), at: at(3))
        #expect(actions.uploaded == [chunk(0).number] && actions.contains(.release(need)))
        #expect(actions.audits.map(\.what) == [.sent] && actions.audits[0].result == "Video uploaded successfully")
    }

    @Test func `companions follow their chunk, and the next chunk follows them`() {
        var terms = OwnerTerms()
        (terms.keepsSound, terms.keepsPoses) = (true, true)
        let machine = Talks.open(terms)
        var actions = Talks.begin(machine, [chunk(0), chunk(10)])
        for _ in 0..<5 {
            actions += machine.handle(text(success), at: at(2))
            actions += Talks.proceed(machine, at: 2)
        }
        let names = actions.sent.compactMap { $0["filename"]?.string }
        #expect(
            names == [
                "chunk_1795788303000.mp4", "audio_1795788303000.wav", "timestamps_1795788303000.txt",
                "pose_1795788303000.json", "chunk_1795788313000.mp4", "audio_1795788313000.wav",
            ])
        #expect(actions.uploaded == [chunk(0).number, chunk(10).number])
    }

    @Test(arguments: [false, true])
    func `the Node server and the old names get no companions`(isNode: Bool) {
        var machine = isNode ? Talks.open(config: nodeConfig) : Talks.open(style: .seconds)
        if isNode {
            // Formats that it names by its owner's settings do not make it the other server.
            let other = newMachine()
            _ = other.handle(.start, at: at(0))
            let health = ServerHealth(Array(#"{"status":"ok","timestamp":"2026-11-27T14:05:03Z"}"#.utf8))
            _ = other.handle(.opened(PeerFacts(isEncrypted: false, health: health)), at: at(0))
            _ = other.handle(.written, at: at(0))
            _ = other.handle(text(pythonConfig), at: at(0))
            machine = other
        }
        _ = Talks.begin(machine, [chunk(0)])
        #expect(machine.handle(text(success), at: at(2)).needs.isEmpty && machine.isIdle)
    }

    @Test func `a success before the file was sent does not count`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)], upTo: .content)
        #expect(machine.handle(text(success), at: at(1)).uploaded.isEmpty)
        _ = machine.handle(.written, at: at(2))
        #expect(machine.handle(text(success), at: at(3)).uploaded == [chunk(0).number])
    }

    @Test func `a success about another message does not count for a file`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)])
        let other = text(#"{"status":"success","message":"Chunk saved info received"}"#)
        #expect(machine.handle(other, at: at(2)).uploaded.isEmpty)
        #expect(machine.handle(text(success), at: at(3)).uploaded == [chunk(0).number])
    }

    @Test func `an answer that was not expected changes nothing`() {
        let machine = Talks.open()
        let actions = machine.handle(text(success), at: at(1))
        #expect(actions.uploaded.isEmpty && actions.logs.count == 1 && machine.handle(text(success), at: at(2)).isEmpty)
    }

    @Test func `an answer that does not come ends the connection, and the file is sent again whole`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)])
        // 30 s, and 1 MB at 100 kB/s.
        #expect(machine.deadline == 1041 && machine.tick(at: at(40.9)).isEmpty)
        var actions = machine.tick(at: at(41))
        #expect(actions.reasons == ["no answer in time"] && actions.audits.map(\.what) == [.failed])
        actions = machine.handle(.ended(code: nil, reason: "closed"), at: at(41))
        #expect(machine.deadline == 1046 && machine.waitingChunks == 1)
        _ = machine.tick(at: at(46))
        actions = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(46))
        actions = machine.handle(.written, at: at(46)) + machine.handle(text(pythonConfig), at: at(46))
        #expect(actions.needs == [FileNeed(chunk: chunk(0).number, role: .video(.mp4))])
        actions = Talks.proceed(machine, at: 46)
        #expect(actions.sent.map { $0["type"] } == [.string("upload")] && actions.files.count == 1)
    }

    @Test(arguments: [UploadCourse.Phase.metadata, .content, .answering])
    func `a connection that breaks in the middle puts the file back`(phase: UploadCourse.Phase) {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0), chunk(10)], upTo: phase)
        let actions = machine.handle(.ended(code: nil, reason: "torn"), at: at(2))
        #expect(actions.audits.map(\.what) == [.failed] && actions.uploaded.isEmpty)
        #expect(machine.queue.tasks.map(\.chunk) == [chunk(0), chunk(10)] && machine.course == nil)
        #expect(actions.contains(.release(FileNeed(chunk: chunk(0).number, role: .video(.mp4)))))
    }

    @Test func `a companion that broke off is sent again without its video`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)])
        _ = machine.handle(text(success), at: at(2))
        _ = Talks.proceed(machine, upTo: .content, at: 2)
        _ = machine.handle(.ended(code: nil, reason: "torn"), at: at(3))
        _ = machine.tick(at: at(8))
        var actions = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(8))
        actions += machine.handle(.written, at: at(8)) + machine.handle(text(pythonConfig), at: at(8))
        #expect(actions.needs.map(\.role) == [.timestamps])
    }

    // MARK: refusals

    @Test func `two refusals of one file are one`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0), chunk(10)], upTo: .content)
        // The file could not be opened, and then its content has no metadata.
        #expect(machine.handle(text(failure), at: at(1)).needs.isEmpty)
        _ = machine.handle(.written, at: at(2))
        #expect(machine.deadline == 1005)
        var actions = machine.handle(text(#"{"status":"error","message":"Metadata not received yet"}"#), at: at(2.1))
        #expect(actions.needs.isEmpty && actions.audits.map(\.what) == [.failed])
        // A pause, and the same file again.
        #expect(abs((machine.deadline ?? 0) - 1012.1) < 0.001)
        actions = machine.tick(at: at(12.2))
        #expect(actions.needs.map(\.chunk) == [chunk(0).number])
    }

    @Test func `a server that refuses the metadata does not get the content`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)], upTo: .metadata)
        _ = machine.handle(text(failure), at: at(1))
        #expect(machine.handle(.written, at: at(1)).files.isEmpty)
    }

    @Test func `a file that is refused three times is given up, and the next one follows`() {
        var machine = Talks.open(), now = 1.0, actions = Talks.begin(machine, [chunk(0), chunk(10)])
        for attempt in 1...3 {
            _ = machine.handle(text(failure), at: at(now))
            now += 3
            actions = machine.tick(at: at(now))
            #expect(actions.audits.last?.result?.hasPrefix(attempt < 3 ? "the server refused it" : "given up") == true)
            now += 10
            actions = machine.tick(at: at(now))
            if attempt < 3 { _ = Talks.proceed(machine, at: now) }
        }
        #expect(actions.needs.map(\.chunk) == [chunk(10).number])
    }

    @Test func `a file that is too large is given up at once`() {
        let machine = Talks.open()
        let actions = Talks.begin(machine, [chunk(0), chunk(10)], upTo: .content)
        #expect(actions.files.count == 1)
        #expect(machine.handle(.ended(code: 1009, reason: "too large"), at: at(2)).logs.count == 2)
        #expect(machine.queue.tasks.map(\.chunk) == [chunk(10)])
        let other = Talks.open()
        let found = other.handle(.upload(range(0, 10)), at: at(1)).finds.first?.number ?? 0
        let need = other.handle(.found(found, [chunk(0)], isComplete: true), at: at(1)).needs[0]
        #expect(other.handle(.prepared(need, bytes: 314_572_800), at: at(1)).sent.isEmpty && other.isIdle)
    }

    @Test func `a file that ends ten connections is given up`() {
        var machine = Talks.open(), now = 1.0
        _ = Talks.begin(machine, [chunk(0)], upTo: .content)
        for attempt in 1...10 {
            _ = machine.handle(.ended(code: nil, reason: "torn"), at: at(now))
            #expect(machine.isIdle == (attempt == 10))
            now += 5
            _ = machine.tick(at: at(now))
            _ = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(now))
            _ = machine.handle(.written, at: at(now))
            _ = machine.handle(text(pythonConfig), at: at(now))
            _ = Talks.proceed(machine, upTo: .content, at: now)
        }
    }

    @Test func `a file that is gone is left out`() {
        let machine = Talks.open()
        let search = machine.handle(.upload(range(0, 20)), at: at(1)).finds[0].number
        let need = machine.handle(.found(search, [chunk(0), chunk(10)], isComplete: true), at: at(1)).needs[0]
        let actions = machine.handle(.unavailable(need, reason: "it was deleted"), at: at(1))
        #expect(actions.needs.map(\.chunk) == [chunk(10).number] && actions.logs.count == 1)
    }

    @Test func `a second answer about the file in use does not close it`() {
        let machine = Talks.open()
        _ = Talks.begin(machine, [chunk(0)], upTo: .content)
        let need = FileNeed(chunk: chunk(0).number, role: .video(.mp4))
        #expect(machine.handle(.prepared(need, bytes: 7), at: at(1)).isEmpty && machine.course?.bytes == 1_000_000)
    }

    @Test func `a file that is prepared too late is closed again`() {
        let machine = Talks.open()
        let need = Talks.begin(machine, [chunk(0)], upTo: .preparing).needs.first ?? FileNeed(chunk: 0, role: .poses)
        _ = machine.handle(.ended(code: nil, reason: "torn"), at: at(1))
        #expect(machine.handle(.prepared(need, bytes: 5), at: at(2)) == [.release(need)])
    }
}
