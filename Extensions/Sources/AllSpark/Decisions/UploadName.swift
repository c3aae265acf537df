/// How a file is named on the server.
public struct UploadName: Sendable, Equatable {
    /// The form of the name.
    public enum Style: String, Sendable, CaseIterable {
        /// `chunk_{milliseconds}.mp4`: app 0.5 and later, and the servers of 2026.
        case milliseconds
        /// `recording_{device}_{camera}_{seconds}.mp4`: app 0.3. An older Python server cannot store the other form.
        case seconds
    }

    /// The form of the name.
    public let style: Style
    /// The device.
    public let device: DeviceName

    /// Names the files of a device.
    public init(_ style: Style, device: DeviceName) { (self.style, self.device) = (style, device) }

    /// Whether the server knows companions by this form of name.
    public var allowsCompanions: Bool { style == .milliseconds }

    /// The name of a chunk's file.
    public func name(of role: FileRole, for chunk: ChunkReference) -> String {
        switch style {
        case .milliseconds: "\(Self.word(role))_\(chunk.number).\(role.suffix)"
        case .seconds:
            "recording_\(device.fileWord)_\(Self.plain(chunk.camera))_\(Self.seconds(chunk.number)).\(role.suffix)"
        }
    }

    private static func word(_ role: FileRole) -> String {
        switch role {
        case .video: "chunk"
        case .sound: "audio"
        case .timestamps: "timestamps"
        case .poses: "pose"
        }
    }

    /// Milliseconds as seconds with three decimals.
    private static func seconds(_ milliseconds: Int) -> String {
        let rest = String(milliseconds.magnitude % 1000)
        let sign = milliseconds < 0 ? "-" : ""
        return "\(sign)\(milliseconds.magnitude / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    /// The server takes the time from what follows the last underscore.
    private static func plain(_ camera: String) -> String {
        let plain = camera.unicodeScalars.prefix(20).filter { $0.isASCII && $0.properties.isAlphabetic }
        return plain.isEmpty ? "front" : String(String.UnicodeScalarView(plain))
    }
}
