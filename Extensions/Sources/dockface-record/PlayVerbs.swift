import ArgumentParser
import DockTypes
import ExtensionKit
import Glibc
import VideoRecorder

struct SheetVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Make one picture of the recordings in a range of time, to find something quickly.",
        usage: "dockface record sheet <range> --to <file.jpg>",
        discussion: """
            It shows the middle of each recording, in rows, the oldest first; of many it shows \(ContactSheet.most), \
            evenly spread. A range is written as \(RangeWords.forms).
            """)

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    @Option(name: .customLong("to"), help: ArgumentHelp("The picture, which must not exist yet.", valueName: "file"))
    var output: String

    func validate() throws {
        try range.mustBeNamed()
    }

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed() ?? .all
            guard let folder = try place.existing() else { return }
            let names = ContactSheet.choose(
                try FolderSummary(folder).chunks.map(\.record.name).filter { range.contains($0) })
            guard !names.isEmpty else { return RecordPlace.log.note("there are no such recordings") }
            let file = try NewFile(output)
            do throws(DockError) {
                try file.write(ContactSheet(folder).picture(of: names))
            } catch {
                file.discard()
                throw error
            }
            let columns = ContactSheet.columns(of: names.count)
            for row in stride(from: 0, to: names.count, by: columns) {
                let times = names[row..<min(row + columns, names.count)].map { ChunkText.date($0.start) }
                guard TextOutput.put(times.joined(separator: "  ") + "\n") else { return }
            }
        }
    }
}

struct PlayVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Show the recordings in a range of time in a video player (mpv, vlc or ffplay).",
        usage: "dockface record play [<range>]",
        discussion: "Without a range it shows the last one. A range is written as \(RangeWords.forms).")

    @OptionGroup var place: RecordPlace

    @OptionGroup var range: RecordRange

    /// The players, in the order in which they are tried. ffplay shows only one file.
    static let players = ["mpv", "vlc", "ffplay"]
    /// A command line has room for this number of files.
    static let most = 2000

    func run() async throws {
        try await RecordPlace.reporting { () throws(DockError) in
            let range = try range.typed()
            guard let folder = try place.existing() else { return }
            let all = try FolderSummary(folder).chunks.map(\.record.name)
            let names = range.map { range in all.filter { range.contains($0) } } ?? all.suffix(1)
            guard !names.isEmpty else { return RecordPlace.log.note("there are no such recordings") }
            let files = names.prefix(Self.most).map { folder.path(of: $0.file) }
            for player in Self.players {
                if player == "ffplay", files.count > 1 {
                    RecordPlace.log.note("ffplay shows only the first of \(files.count); `export` joins them")
                }
                Self.become([player] + (player == "ffplay" ? Array(files.prefix(1)) : files))
            }
            throw DockError(
                .notSupported, "no video player is installed", hint: "install mpv, or use `dockface record export`")
        }
    }

    /// Replaces this program by another one. Returns only if there is no such program.
    private static func become(_ words: [String]) {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        if let program = arguments[0] { execvp(program, &arguments) }
        for argument in arguments { free(argument) }
    }
}

/// A file that did not exist before. Only its owner can read it.
struct NewFile {
    private let path: String
    private let descriptor: Int32

    /// Creates the file.
    /// - Throws: `invalidParameter` if it exists already; `permission`, `cannotOpen`.
    init(_ path: String) throws(DockError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        self.path = path
        guard descriptor < 0 else { return }
        guard errno != EEXIST else {
            throw DockError(.invalidParameter, "\(path) exists already", hint: "name another file, or move it away")
        }
        throw Self.failure(path)
    }

    /// Writes the whole content, and closes the file.
    func write(_ bytes: [UInt8]) throws(DockError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(count)
        }
        guard close(descriptor) == 0 else { throw Self.failure(path) }
    }

    /// Removes the file again.
    func discard() { unlink(path) }

    private static func failure(_ path: String) -> DockError {
        DockError(
            errno == EACCES ? .permission : .cannotOpen, "cannot write \(path): \(String(cString: strerror(errno)))",
            hint: "name a file in a folder that exists and has room")
    }
}
