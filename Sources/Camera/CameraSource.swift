internal import PlainText

/// Where pictures come from, as `--camera` names it.
public enum CameraSource: Sendable, Equatable {
    /// A V4L2 device: `/dev/video0`, or a name below /dev/v4l.
    case device(path: String)
    /// `file:PATH[,loop=once|again]`: a film, played at its own pace.
    case file(path: String, loops: Bool)
    /// `rtsp://...`, `rtsps://...`, `http://...`, `https://...`: a camera in the network.
    case network(address: String)
    /// `test`: a moving test pattern, without anybody in it.
    case test

    /// Why a text names no camera, and what to write instead.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened and what to do.
        public let description: String
    }

    /// Reads the text of `--camera`. Throws `Failure` for what it does not know.
    public init(_ text: String) throws(Failure) {
        if text == "test" {
            self = .test
        } else if text.hasPrefix("file:") {
            self = try Self.file(text)
        } else if ["rtsp:", "rtsps:", "http:", "https:"].contains(where: { text.hasPrefix($0) }) {
            // `rtsp:camera/stream` is as good as `rtsp://camera/stream`.
            let parts = text.split(separator: ":", maxSplits: 1)
            let rest = parts.count == 2 ? parts[1].drop { $0 == "/" } : ""
            guard !rest.isEmpty else {
                throw Failure(description: "\(Self.withoutSecrets(text)): no address; write \(parts[0])://HOST/PATH")
            }
            self = .network(address: "\(parts[0])://\(rest)")
        } else if text.hasPrefix("/") {
            self = .device(path: text)
        } else if text.hasPrefix("video"), text.count > 5, text.dropFirst(5).allSatisfy(\.isNumber) {
            self = .device(path: "/dev/\(text)")
        } else if !text.isEmpty, text.allSatisfy(\.isNumber) {
            self = .device(path: "/dev/video\(text)")
        } else {
            throw Failure(
                description:
                    "\(Self.withoutSecrets(text)): no such camera; use /dev/video0 (see: dockface cameras), file:PATH, rtsp://HOST/PATH, http://HOST/PATH or test"
            )
        }
    }

    private static func file(_ text: String) throws(Failure) -> CameraSource {
        var path = String(text.dropFirst(5)), loops = false
        // A comma may be part of a name; only what looks like an option is one.
        if let comma = path.lastIndex(of: ","), path[comma...].hasPrefix(",loop=") {
            switch path[comma...].dropFirst(6) {
            case "once": loops = false
            case "again": loops = true
            default: throw Failure(description: "\(text): loop is once or again")
            }
            path = String(path[..<comma])
        }
        guard !path.isEmpty else { throw Failure(description: "\(text): no path; write file:PATH") }
        return .file(path: path, loops: loops)
    }

    /// Longer lines of the capture program are cut off (`ChildLog`), bytes.
    private static let longestLine = 400

    /// Its name, for status and log; without what is secret in an address.
    public var name: String {
        switch self {
        case .device(let path): return ForeignText.line(path)
        case .file(let path, _): return ForeignText.line("file:" + path)
        case .network(let address):
            return ForeignText.line(Self.withoutSecrets(address.replacing(" ", with: "%20")))
        case .test: return "test"
        }
    }

    /// A line that somebody else wrote about this camera, for a log: neither its address nor another one with what is secret in it.
    func withoutSecrets(in line: String) -> String {
        guard case .network(let address) = self else { return Self.withoutSecrets(line) }
        // First as a whole: where it holds a blank, nobody could tell its end.
        return Self.withoutSecrets(line.replacing(address, with: name))
    }

    /// A text without what is secret in the addresses in it: names and passwords, which stand between :// and @, and what comes
    /// after a question mark, where cheap cameras want their password.
    public static func withoutSecrets(_ text: String) -> String {
        var kept: [UInt8] = [], rest = Array(text.utf8)[...]
        while let first = rest.first {
            guard rest.starts(with: Array("://".utf8)) else {
                kept.append(first)
                rest.removeFirst()
                continue
            }
            kept += rest.prefix(3)
            rest = rest.dropFirst(3)
            // A password may hold any letter but a blank; what comes after the host's slash is none.
            let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
            // A line that was cut off may have lost the @ that would tell where a password ends.
            let isCut = word.endIndex == rest.endIndex && text.utf8.count >= Self.longestLine
            let at = word.lastIndex(of: 0x40)
            if at != nil || isCut { kept += Array("...".utf8) }
            if isCut, at == nil { break }
            let query = word[(at ?? word.startIndex)...].firstIndex(of: 0x3F)
            kept += rest[(at ?? rest.startIndex)..<(query ?? word.endIndex)]
            if query != nil { kept += Array("?...".utf8) }
            rest = rest[word.endIndex...]
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
