import ControlProtocol

@testable import AllSpark

/// What must hold in every story, judged from outside: from the actions, and from what the server has.
struct StoryOracle {
    private(set) var accusations: [String] = []
    private let terms: OwnerTerms
    private let isEncrypted: Bool
    private var isWriting = false
    private var isOpen = false
    private var linkIsEncrypted = false
    /// The last ones, in time: of an attempt that failed or a connection that ended.
    private var endedAt: Double?
    private var open: Set<FileNeed> = []
    private(set) var givenUp: Set<Int> = []
    private(set) var uploaded: Set<Int> = []

    init(_ terms: OwnerTerms, isEncrypted: Bool) { (self.terms, self.isEncrypted) = (terms, isEncrypted) }

    mutating func accuse(_ text: String, if condition: Bool = true) { if condition { accusations.append(text) } }

    /// What the world tells the machine.
    mutating func happens(_ event: AllSparkMachine.Event, at now: Double) {
        switch event {
        case .opened(let facts): (isOpen, linkIsEncrypted, isWriting) = (true, facts.isEncrypted, false)
        case .ended, .refused: (isOpen, isWriting, endedAt) = (false, false, now)
        case .written: isWriting = false
        case .prepared(let need, _): open.insert(need)
        default: break
        }
    }

    /// What the machine does. `server`: what the server has at this time.
    mutating func does(_ action: AllSparkMachine.Action, _ server: StoryServer, naming: UploadName, at now: Double) {
        switch action {
        case .send(let bytes):
            sends()
            let type = JSONValue(json: bytes)?["type"]?.string
            accuse("an announcement that the owner does not allow", if: type == "chunkSaved" && !terms.announcesChunks)
        case .sendFile(let need, _):
            sends()
            accuse("a file that is not open", if: !open.contains(need))
        case .connect:
            if let endedAt { accuse("an attempt after \(now - endedAt) s", if: now - endedAt < 5 - 1e-6) }
        case .uploaded(let number):
            uploaded.insert(number)
            let name = naming.name(of: .video(.mp4), for: chunk(Double(number) / 1000 - noon))
            accuse("chunk \(number) counts as uploaded without the server's word", if: !server.confirmed.contains(name))
        case .release(let need): open.remove(need)
        case .configure(let config):
            accuse("a configuration that widens", if: ConfigTests.widens(config, terms))
        case .log(let text, _):
            if text.contains("is not uploaded"), let number = text.split(separator: " ").compactMap({ Int($0) }).first {
                givenUp.insert(number)
            }
        case .disconnect, .find, .prepare, .startRecording, .show, .audit: break
        }
    }

    private mutating func sends() {
        accuse("two messages at once", if: isWriting)
        accuse("a message without a connection", if: !isOpen)
        accuse("a message without encryption", if: isEncrypted && !linkIsEncrypted)
        isWriting = true
    }

    /// At the end of a story in which all went well at last.
    mutating func end(_ machine: AllSparkMachine, wanted: Set<Int>) {
        accuse("work is left: \(machine.waitingChunks) chunks", if: !machine.isIdle)
        accuse("files remain open: \(open)", if: machine.isIdle && !open.isEmpty)
        let lost = wanted.subtracting(uploaded).subtracting(givenUp)
        accuse("chunks were neither uploaded nor given up: \(lost.sorted())", if: !lost.isEmpty)
    }
}
