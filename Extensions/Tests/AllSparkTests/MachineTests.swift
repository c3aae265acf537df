import ControlProtocol
import Testing

@testable import AllSpark

/// The conversation, event by event, in virtual time.
@Suite struct MachineTests {
    // MARK: connection

    @Test func `a connection begins with our name, and shows what it is`() {
        let machine = newMachine(isEncrypted: true)
        var actions = machine.handle(.start, at: at(0))
        #expect(actions.isConnecting && actions.states == [.connecting] && actions.sent.isEmpty)
        actions = machine.handle(.opened(PeerFacts(isEncrypted: true, certificate: "AB:CD")), at: at(0.1))
        #expect(actions.states == [.secure] && actions.sent.map { $0["clientName"] } == [.string("lab (Device-123)")])
        #expect(actions.audits.map(\.what) == [.connected] && actions.audits[0].certificate == "AB:CD")
        actions = machine.handle(.stop, at: at(1))
        #expect(actions.states == [.off] && actions.reasons.count == 1 && machine.deadline == nil)
        #expect(machine.handle(.ended(code: 1000, reason: "bye"), at: at(1)).isEmpty)
    }

    @Test func `the states have colours and words`() {
        #expect(LinkState.disconnected("x").colour == .red && LinkState.connecting.colour == .orange)
        #expect(LinkState.connected.colour == .green && LinkState.secure.colour == .green)
        #expect(LinkState.secure.hasLock && !LinkState.connected.hasLock)
        #expect(LinkState.disconnected("refused").text("lab") == "not connected to lab: refused")
    }

    @Test func `a plain connection in the place of an encrypted one gets nothing`() {
        let machine = newMachine(isEncrypted: true)
        _ = machine.handle(.start, at: at(0))
        let actions = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(0))
        #expect(actions.sent.isEmpty && actions.reasons == ["the connection is not encrypted"])
        #expect(actions.states.first?.colour == .red && actions.audits.isEmpty)
    }

    @Test func `another certificate than the accepted one gets nothing`() {
        let machine = newMachine(isEncrypted: true, pin: "AA")
        _ = machine.handle(.start, at: at(0))
        let actions = machine.handle(.opened(PeerFacts(isEncrypted: true, certificate: "BB")), at: at(0))
        #expect(actions.sent.isEmpty && actions.reasons == ["the certificate is not the accepted one"])
    }

    @Test func `attempts follow after 5, 10, 20, 40 and 60 s, and every 5 s once the server was there`() {
        var machine = newMachine(), now = 0.0, waits: [Double] = []
        #expect(machine.handle(.start, at: at(0)).isConnecting)
        for attempt in 0..<9 {
            if attempt == 6 {
                _ = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(now))
                _ = machine.handle(.ended(code: nil, reason: "torn"), at: at(now))
            } else {
                let actions = machine.handle(.refused("refused"), at: at(now))
                #expect(actions.states.last == .disconnected("refused"))
            }
            let deadline = (machine.deadline ?? 0) - 1000
            waits.append((deadline - now).rounded())
            #expect(!machine.tick(at: at(deadline - 0.01)).isConnecting)
            #expect(machine.tick(at: at(deadline)).isConnecting)
            now = deadline
        }
        #expect(waits == [5, 10, 20, 40, 60, 60, 5, 5, 5])
    }

    // MARK: configuration

    @Test func `a configuration takes effect, and its faults are one line each`() {
        let machine = Talks.open()
        let actions = machine.handle(
            text(#"{"type":"clientConfig","config":{"videoChunkDurationMs":1000,"fps":"fast"}}"#), at: at(1))
        #expect(actions.configs.map(\.chunkLength) == [2])
        #expect(
            actions.logs == [
                "lab: clientConfig: videoChunkDurationMs is limited to what the owner allows",
                "lab: clientConfig: fps is ignored, because it is not a positive number",
            ])
        #expect(machine.handle(text(#"{"type":"clientConfig","config":{"fps":"fast"}}"#), at: at(2)).logs.isEmpty)
    }

    @Test func `a server without a configuration gets uploads after 5 s`() {
        let machine = newMachine()
        _ = machine.handle(.start, at: at(0))
        _ = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(0))
        _ = machine.handle(.written, at: at(0))
        let search = machine.handle(.upload(range(0, 10)), at: at(0)).finds.first?.number ?? 0
        #expect(machine.handle(.found(search, [chunk(0)], isComplete: true), at: at(0)).needs.isEmpty)
        #expect(machine.deadline == 1005)
        #expect(machine.tick(at: at(5)).needs.count == 1)
        #expect(machine.deadline == nil)
    }

    @Test func `nothing is sent over a medium that the server does not want`() {
        let machine = Talks.open(medium: .cellular)
        #expect(Talks.begin(machine, [chunk(0)]).needs.isEmpty && machine.waitingChunks == 1)
        #expect(machine.deadline == nil)
    }

    // MARK: permissions

    @Test func `chunks are announced only to a server that may fetch them all`() {
        var machine = Talks.open()
        #expect(machine.handle(.recorded(chunk(0)), at: at(11)).sent.isEmpty)
        var terms = OwnerTerms()
        terms.announcesChunks = true
        machine = Talks.open(terms)
        let actions = machine.handle(.recorded(chunk(0)), at: at(11))
        #expect(
            actions.sent.map { $0["type"] } == [.string("chunkSaved")] && actions.audits.map(\.what) == [.announced])
    }

    @Test func `announcements wait for a connection, the newest of them`() {
        var terms = OwnerTerms()
        terms.announcesChunks = true
        let machine = newMachine(terms)
        _ = machine.handle(.start, at: at(0))
        for index in 0..<100 { _ = machine.handle(.recorded(chunk(Double(index) * 10)), at: at(0)) }
        #expect(machine.announcements.count == 64 && machine.announcements.last == chunk(990))
        _ = machine.handle(.opened(PeerFacts(isEncrypted: false)), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(text(pythonConfig), at: at(0)).sent.map { $0["startTime"] } == [.number(noon + 360)])
        // One that was not answered is repeated on the next connection.
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.ended(code: nil, reason: "torn"), at: at(1))
        #expect(machine.announcements.first == chunk(360))
    }

    @Test func `no announcement comes between metadata and content`() {
        var terms = OwnerTerms()
        terms.announcesChunks = true
        let machine = Talks.open(terms)
        _ = Talks.begin(machine, [chunk(0)], upTo: .metadata)
        #expect(machine.handle(.recorded(chunk(10)), at: at(1)).isEmpty)
        let actions = machine.handle(.written, at: at(1))
        #expect(actions.sent.isEmpty && actions.files.count == 1)
        // While the answer is awaited, it can go.
        #expect(machine.handle(.written, at: at(2)).sent.map { $0["type"] } == [.string("chunkSaved")])
    }

    @Test func `requests are refused if the owner does not allow them, and shown`() {
        var terms = OwnerTerms()
        terms.answersRequests = false
        let machine = Talks.open(terms)
        let actions = machine.handle(text(#"{"command":"uploadTimeRange","startTime":1,"endTime":2}"#), at: at(1))
        #expect(actions.finds.isEmpty && actions.logs.count == 1)
        #expect(actions.audits.first?.result == "refused, because the owner does not allow requests")
    }

    @Test func `a request to record is refused and shown, or followed with limits`() {
        var machine = Talks.open()
        let request = text(#"{"command":"record","duration":3600000,"autoUpload":true}"#)
        var actions = machine.handle(request, at: at(1))
        #expect(actions.records.isEmpty && actions.logs.count == 1)
        #expect(actions.audits.map(\.what) == [.recordRequested])
        var terms = OwnerTerms()
        terms.allowsRecording = true
        machine = Talks.open(terms)
        actions = machine.handle(request, at: at(1))
        #expect(actions.records == [RecordRequest(duration: 300, wantsUpload: true)])
        // Its chunks follow by themselves, and no others.
        #expect(machine.handle(.recorded(chunk(2)), at: at(12)).needs.map(\.chunk) == [chunk(2).number])
        _ = machine.handle(.recorded(chunk(302)), at: at(312))
        #expect(machine.waitingChunks == 1)
    }

    @Test func `a server that repeats its requests fills neither the log nor the audit file`() {
        var machine = Talks.open(), logs = 0, audits = 0
        for index in 0..<10_000 {
            let actions =
                machine.handle(text(#"{"command":"record"}"#), at: at(1))
                + machine.handle(
                    text(#"{"command":"uploadTimeRange","startTime":\#(index),"endTime":20000}"#), at: at(1))
                + machine.handle(text(#"{"command":"\#(index)"}"#), at: at(1))
            logs += actions.logs.count
            audits += actions.audits.count
        }
        #expect(logs < 200 && audits < 200)
    }

    // MARK: audit

    @Test func `an audit line says what left, when and to whom`() {
        let record = AuditRecord(
            what: .sent, time: noon, server: "lab", address: "10.0.0.2:8080", certificate: "AB:CD",
            file: "chunk_1.mp4", bytes: 12, range: range(0, 10), result: "stored\n{}")
        #expect(
            String(decoding: record.line, as: UTF8.self)
                == #"{"address":"10.0.0.2:8080","bytes":12,"certificate":"AB:CD","file":"chunk_1.mp4","#
                + #""from":"2026-11-27T14:05:03Z","result":"stored\\u{a}{}","server":"lab","#
                + #""time":"2026-11-27T14:05:03Z","to":"2026-11-27T14:05:13Z","what":"sent"}"# + "\n")
    }
}
