internal import PlainText

/// The source of frames, as `--camera` names it.
public enum CameraSource: Sendable, Equatable {
    /// A V4L2 device: `/dev/video0`, or a name below /dev/v4l.
    case device(path: String)
    /// `file:PATH[,loop=once|again]`: a video file, played at its own speed.
    case file(path: String, loops: Bool)
    /// `rtsp://...`, `rtsps://...`, `http://...`, `https://...`: a network camera.
    case network(address: String)
    /// `exec:COMMAND`: a program, started by the shell, that writes video to its standard output in a form that ffmpeg
    /// recognises.
    case program(command: String)
    /// `test`: a moving test pattern, without people.
    case test

    /// Why a text names no camera, and what to write instead.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened and what to do.
        public let description: String
    }

    /// Parses the text of `--camera`. Throws `Failure` if it is not valid.
    public init(_ text: String) throws(Failure) {
        if text == "test" {
            self = .test
        } else if text.hasPrefix("file:") {
            self = try Self.file(text)
        } else if ["rtsp:", "rtsps:", "http:", "https:"].contains(where: { text.hasPrefix($0) }) {
            // `rtsp:camera/stream` is accepted like `rtsp://camera/stream`.
            let parts = text.split(separator: ":", maxSplits: 1)
            let rest = parts.count == 2 ? parts[1].drop { $0 == "/" } : ""
            guard !rest.isEmpty else {
                throw Failure(description: "\(Self.withoutSecrets(text)): no address; write \(parts[0])://HOST/PATH")
            }
            self = .network(address: "\(parts[0])://\(rest)")
        } else if text.hasPrefix("exec:") {
            let command = text.dropFirst(5).drop { $0 == " " }
            guard !command.isEmpty else {
                throw Failure(description: "\(text): no command; write exec:COMMAND")
            }
            self = .program(command: String(command))
        } else if text.hasPrefix("phone:") {
            let words = try Self.phoneWords(text) ?? []
            self = .program(command: (["dockface", "depth"] + words).joined(separator: " "))
        } else if text.hasPrefix("/") {
            self = .device(path: text)
        } else if text.hasPrefix("video"), text.count > 5, text.dropFirst(5).allSatisfy(\.isNumber) {
            self = .device(path: "/dev/\(text)")
        } else if !text.isEmpty, text.allSatisfy(\.isNumber) {
            self = .device(path: "/dev/video\(text)")
        } else {
            throw Failure(
                description:
                    "\(Self.withoutSecrets(text)): unknown camera; use /dev/video0 (see: dockface cameras), file:PATH, rtsp://HOST/PATH, http://HOST/PATH, phone:PORT, exec:COMMAND or test"
            )
        }
    }

    /// Returns the words after `dockface depth` for `phone:PORT` or `phone:ADDRESS:PORT`, the short form of a program that
    /// receives the pictures of a phone. The result is nil for any other camera.
    public static func phoneWords(_ text: String) throws(Failure) -> [String]? {
        guard text.hasPrefix("phone:") else { return nil }
        let place = text.dropFirst(6)
        // The words go through a shell.
        let isPlain = place.utf8.allSatisfy { byte in
            Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
                || ".:-[]".utf8.contains(byte)
        }
        let port = place.split(separator: ":", omittingEmptySubsequences: false).last.flatMap { Int($0) }
        guard isPlain, let port, (1...65_535).contains(port), !place.hasPrefix(":"), !place.hasPrefix("-") else {
            throw Failure(description: "\(text): no port; write phone:5000, or phone:ADDRESS:5000")
        }
        return ["camera"] + (place.contains(":") ? ["--listen", "'\(place)'"] : ["--port", String(place)])
    }

    private static func file(_ text: String) throws(Failure) -> CameraSource {
        var path = String(text.dropFirst(5)), loops = false
        // A comma may be part of a name; only a `,loop=` starts an option.
        if let comma = path.lastIndex(of: ","), path[comma...].hasPrefix(",loop=") {
            switch path[comma...].dropFirst(6) {
            case "once": loops = false
            case "again": loops = true
            default: throw Failure(description: "\(text): loop must be once or again")
            }
            path = String(path[..<comma])
        }
        guard !path.isEmpty else { throw Failure(description: "\(text): no path; write file:PATH") }
        return .file(path: path, loops: loops)
    }

    /// The capture program's lines are cut at this length (`ChildLog`), in bytes.
    private static let longestLine = 400

    /// The name for status and log; secrets in an address are removed.
    public var name: String {
        switch self {
        case .device(let path): return ForeignText.line(path)
        case .file(let path, _): return ForeignText.line("file:" + path)
        case .network(let address):
            return ForeignText.line(Self.withoutSecrets(address.replacing(" ", with: "%20")))
        case .program(let command): return ForeignText.line(Self.withoutSecrets("exec:" + command))
        case .test: return "test"
        }
    }

    /// Removes secrets, in this camera's address and in others, from a line of the capture program, for a log.
    func withoutSecrets(in line: String) -> String {
        guard case .network(let address) = self else { return Self.withoutSecrets(line) }
        // The whole address first: if it contains a blank, its end could not be found later.
        return Self.withoutSecrets(line.replacing(address, with: name))
    }

    /// Removes the secrets of all addresses in a text: names and passwords, between :// and @, and the query after a
    /// question mark, where cheap cameras expect their password.
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
            // A password may contain any character except a blank, so the last @ before a blank ends it.
            let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
            // A truncated line may have lost the @ at the end of a password.
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
