import ControlProtocol
import DockTestKit
import DockTypes
import Geometry
import Glibc
import Networking
import Testing
import VideoRecorder

@testable import AllSpark
@testable import NetworkTestKit
@testable import VideoUpload

/// What is remembered of a server, and what is written down of its conversations.
@Suite struct FileTests {
    private let place = TemporaryFolder()
    private var folder: ChunkFolder { get throws { try ChunkFolder.open(place.path, makes: true) } }

    // MARK: the server

    @Test func `a server is remembered with its certificate, and forgotten`() throws {
        let pin = TransportTrust.pinned(try TestCertificates.shared.get().selfSigned.certificate)
        let file = ServerFile(try folder)
        #expect(try file.read() == nil && file.version == nil)
        for (address, trust) in [("lab.local:9000", pin), ("wss://10.0.0.2/box", .system), ("ws://[::1]:81", .off)] {
            let before = file.version
            let server = try ChosenServer(
                name: "lab", address: ServerAddress(address, defaultPort: 8080), trust: trust, service: "Lab desk",
                numericHost: "10.0.0.9")
            try file.write(server)
            let read = try #require(try file.read())
            #expect(read.url == server.url && read.trust == server.trust && read.service == "Lab desk")
            #expect(read.address.port == server.address.port && read.numericHost == "10.0.0.9")
            #expect(file.version != nil && file.version != before)
            #expect(try read.plan(at: ServerPlace(host: "10.0.0.7", port: 99)).numericHost == "10.0.0.7")
        }
        #expect(place.mode(of: "server.json") == 0o600)
        try file.remove()
        try file.remove()
        #expect(try file.read() == nil && file.version == nil)
    }

    @Test(arguments: [
        "", "{", "[]", #"{"name":"a"}"#, #"{"name":"a","address":"ws://h","tls":"system"}"#,
        #"{"name":"a","address":"h:1","tls":"perhaps"}"#, #"{"name":"a","address":"h:1","tls":"pinned"}"#,
        #"{"name":"a","address":"h:1","tls":"pinned","certificate":"00"}"#,
        #"{"name":"a","address":"h:1","tls":"pinned","certificate":"0"}"#,
        #"{"name":"a","address":"h:1","tls":"pinned","certificate":"zz"}"#,
        #"{"name":"","address":"h:1","tls":"off"}"#, #"{"name":"a","address":"h h","tls":"off"}"#,
    ])
    func `a damaged description is never half believed`(text: String) throws {
        place.write(text, to: "server.json")
        let file = ServerFile(try folder)
        #expect(throws: DockError.self) { try file.read() }
    }

    // MARK: the audit

    private static func record(_ number: Int) -> AuditRecord {
        AuditRecord(
            what: .sent, time: 1_795_788_303, server: "lab", address: "lab:8080", certificate: nil,
            file: "chunk_\(number).mp4", bytes: number, range: nil, result: "stored\u{1B}[2J")
    }

    @Test func `audit lines outlast a torn one, and hold no controls`() throws {
        let audit = AuditFile(try folder)
        try audit.append(Self.record(1))
        place.write((place.text(of: "audit.jsonl") ?? "") + #"{"what":"se"# + "\n", to: "audit.jsonl")
        try audit.append(Self.record(2))
        let lines = try audit.lines()
        #expect(lines.compactMap { $0["bytes"]?.integer } == [1, 2])
        #expect(place.text(of: "audit.jsonl")?.contains("\u{1B}") == false && place.mode(of: "audit.jsonl") == 0o600)
    }

    @Test func `a full audit file becomes the old one, and both are read`() throws {
        let audit = AuditFile(try folder)
        try audit.append(Self.record(1))
        let line = place.text(of: "audit.jsonl") ?? ""
        place.write(String(repeating: line, count: AuditFile.most / line.utf8.count + 1), to: "audit.jsonl")
        try audit.append(Self.record(2))
        #expect(place.text(of: "audit.jsonl") == nil)
        try audit.append(Self.record(3))
        let numbers = try audit.lines().compactMap { $0["bytes"]?.integer }
        #expect(numbers.suffix(3) == [1, 2, 3] && place.text(of: "audit.jsonl")?.contains("chunk_3") == true)
    }

    @Test func `a link in the place of the audit file is refused`() throws {
        let audit = AuditFile(try folder)
        #expect(symlink("/dev/null", place.path + "/audit.jsonl") == 0)
        #expect(throws: DockError.self) { try audit.append(Self.record(1)) }
    }

    // MARK: chunks

    @Test func `times that no chunk can have become the nearest ones`() throws {
        let all = ChunkStore.dates(try #require(TimeRange(start: -1e300, end: 1e300)))
        #expect(all == .all)
        let some = ChunkStore.dates(try #require(TimeRange(start: 1.0004, end: 1.0006)))
        #expect(some == DateRange(from: 1000, to: 1001))
    }

    @Test func `a chunk that was deleted meanwhile is named as that`() throws {
        let store = ChunkStore(try folder)
        let error = #expect(throws: DockError.self) { try store.open(FileNeed(chunk: 1, role: .video(.mp4))) }
        #expect(error?.message == "it was deleted meanwhile")
    }

    @Test func `times are lines without an end behind the last one`() {
        #expect(ChunkStore.timestamps([5, 40]) == Array("0 : 5\n1 : 40".utf8) && ChunkStore.timestamps([]).isEmpty)
    }

    @Test func `poses are an array in the form of the server's own app`() throws {
        let poses = [FramePose(frame: 3, date: 1_795_551_979_555, pose: PanTilt(pan: -0.25, tilt: 0.0625))]
        let text = String(decoding: ChunkStore.poses(poses), as: UTF8.self)
        let members = try #require(JSONValue(json: text.utf8)?.array?.first?.object)
        #expect(members["frame"]?.number == 3 && members["timestampMs"]?.number == 1_795_551_979_555)
        #expect(members["source"]?.string == "dock" && members["pan"]?.number == -0.25)
        #expect(members["tilt"]?.number == 0.0625 && ChunkStore.poses([]) == Array("[]".utf8))
        #expect(text.contains("1795551979555"), "no exponent")
    }

    // MARK: an owner who waits

    @Test func `an upload ends at once if there is no server, and after a minute if it has gone`() {
        var patience = UploadPatience()
        #expect(patience.note(.connecting) == nil)
        #expect(patience.note(.disconnected("no route")) == .neverThere("no route"))
        patience = UploadPatience()
        #expect(patience.note(.connecting) == nil && patience.note(.secure) == nil)
        for round in 0..<3 {
            for _ in 0..<12 {
                #expect(patience.note(.disconnected("round \(round)")) == nil && patience.note(.connecting) == nil)
                // A server that only accepts connections is no help.
                #expect(patience.note(.connected) == nil)
            }
            if round < 2 { patience.confirmed() }
        }
        #expect(patience.note(.disconnected("gone")) == nil && patience.note(.connecting) == .lost("gone"))
        #expect(patience.note(.off) == nil)
    }

    // MARK: the machine

    @Test func `a machine keeps its number`() {
        #expect(MachineNumber.of("a") == MachineNumber.of("a") && MachineNumber.of("a") != MachineNumber.of("b"))
        #expect((0..<2000).allSatisfy { (100...999).contains(MachineNumber.of("machine \($0)")) })
        #expect(MachineNumber.own == MachineNumber.own)
    }

    @Test(
        arguments: [
            ("DEVTYPE=wlan\nINTERFACE=wlan0\n", nil, false, "1\n", Medium.wifi),
            ("INTERFACE=wlp2s0\n", "iwlwifi", true, "1\n", .wifi),
            ("DEVTYPE=wwan\n", "qmi_wwan", false, "1\n", .cellular),
            ("INTERFACE=usb0\n", "rndis_host", false, "1\n", .usb),
            ("INTERFACE=eth0\n", "r8169", false, "1\n", .ethernet),
            ("INTERFACE=enx0\n", "r8152", false, "1\n", .ethernet), ("INTERFACE=lo\n", nil, false, "772\n", nil),
            ("DEVTYPE=bridge\n", nil, false, "1\n", nil),
        ] as [(String, String?, Bool, String, Medium?)])
    func `an interface is what the kernel says`(
        facts: String, driver: String?, isWireless: Bool, kind: String, medium: Medium?
    ) {
        #expect(LinkMedium.medium(facts: facts, driver: driver, isWireless: isWireless, kind: kind) == medium)
    }

    @Test func `the loopback interface is found by its address, and is no medium`() {
        #expect(LinkMedium.of("127.0.0.1") == nil && LinkMedium.of("203.0.113.9") == nil)
    }
}
