import AllSpark
import Files
import VideoRecorder
import VideoUpload

/// What the server may do that the owner has chosen with `dockface record join`. Without such a server it means nothing.
struct ServerSettings: Sendable, Equatable {
    /// Whether it may fetch the recordings that it requests.
    var requests = true
    /// Whether it hears of each file. A server with its usual settings then fetches all of them.
    var announce = false
    /// Whether it may start a recording, of at most five minutes.
    var remoteStart = false
    /// The name under which it knows this machine; three digits follow.
    var device = "dockface"
    /// The form of file names; older servers want `seconds`.
    var names = UploadName.Style.milliseconds

    /// The keys of `record.toml`.
    static let rows: [FileRow<RecordSettings>] = [
        FileRow("requests", .flag, get: { .flag($0.server.requests) }) { $0.server.requests = $1.flag },
        FileRow("announce", .flag, get: { .flag($0.server.announce) }) { $0.server.announce = $1.flag },
        FileRow("remote_start", .flag, get: { .flag($0.server.remoteStart) }) { $0.server.remoteStart = $1.flag },
        FileRow("device", .text, get: { .text($0.server.device) }) { $0.server.device = $1.text },
        FileRow(
            "names", .oneOf(UploadName.Style.allCases.map(\.rawValue)), get: { .text($0.server.names.rawValue) }
        ) { $0.server.names = UploadName.Style(rawValue: $1.text) ?? .milliseconds },
    ]

    /// What the owner allows, for a recorder with these settings.
    func terms(_ recorder: RecorderSettings) -> OwnerTerms {
        var terms = OwnerTerms()
        (terms.chunkLength, terms.budget) = (recorder.length, recorder.limits.budget)
        (terms.answersRequests, terms.announcesChunks) = (requests, announce)
        terms.allowsRecording = remoteStart
        (terms.keepsSound, terms.keepsPoses) = (recorder.sound != nil, recorder.keepsPoses)
        return terms
    }

    /// How files are named on the server.
    var naming: UploadName { UploadName(names, device: DeviceName(device, number: MachineNumber.own)) }

    /// What the server may do, in words.
    var words: String {
        var words = [requests ? "it may fetch what it requests" : "it may not request anything"]
        if announce { words.append("it hears of each recording") }
        if remoteStart { words.append("it may start recordings") }
        return words.joined(separator: ", ")
    }
}
