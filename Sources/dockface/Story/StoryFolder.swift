import Files
import Glibc

/// A folder for the socket and the files of one demo, which only this user can enter.
struct StoryFolder: Sendable {
    /// Its path.
    let path: String

    /// What a demo leaves there, in the order in which it can be removed. Anything else stays: a list of names cannot
    /// reach a file outside.
    private static let contents = [
        "dockface/find/things.json", "dockface/find/searches.lock", "dockface/find", "dockface", "control",
        "control.lock",
    ]

    /// Creates the folder below TMPDIR, or below /tmp; nil if that is not possible.
    init?() {
        let parent = ProcessEnvironment.value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array((parent + "/dockface-demo-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes it, with what the demo has left there.
    func remove() {
        for name in Self.contents { Glibc.remove(path + "/" + name) }
        rmdir(path)
    }
}
