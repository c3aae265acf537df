internal import Glibc

/// The reason for a camera's failure and what to do, from the output of the capture program.
enum CameraProblem {
    /// A fragment of the output, its meaning, and what to do.
    private static let rows: [(part: String, means: String)] = [
        (
            "Device or resource busy",
            "another program uses it: end that program, or choose another camera (dockface cameras)"
        ),
        ("No such file or directory", "not found: plug it in, or choose another one (dockface cameras)"),
        ("No such device", "it was unplugged: plug it in again"),
        ("Permission denied", "permission denied: sudo usermod -aG video $USER, then log in again"),
        ("Invalid data found", "not a readable video file"),
        ("Connection refused", "no answer from that address: check the camera's power and the port"),
        ("Connection timed out", "no answer from that address: check the camera's power"),
        ("Name or service not known", "unknown host"),
        ("401 Unauthorized", "wrong name or password: use rtsp://NAME:PASSWORD@HOST/PATH"),
        ("404 Not Found", "the camera has no stream at that path"),
        (
            "Not a video capture device",
            "not a camera: some cameras have several devices, use another one (dockface cameras)"
        ),
        ("Inappropriate ioctl", "not a camera (see: dockface cameras)"),
    ]

    /// Returns the meaning of a line of the capture program, or nil if there is no line.
    static func words(_ line: String?, of name: String) -> String? {
        guard let line else { return nil }
        guard let row = rows.first(where: { line.contains($0.part) }) else { return "\(name): \(line)" }
        return "\(name): \(row.means)"
    }

    /// Returns the meaning of the last line after a program wrote nothing that is a video, or nil for other lines. The
    /// program's own lines are in the log.
    static func ofProgram(_ line: String?, of name: String) -> String? {
        guard let line, line.contains("Invalid data found") || line.contains("pipe:0: End of file") else { return nil }
        return "\(name): it wrote no video that ffmpeg recognises: run the command by hand, or see the log"
    }

    /// The capture program is missing.
    static let noProgram = "ffmpeg is not installed: scripts/setup --camera, or sudo apt-get install ffmpeg"

    /// Returns why a device cannot be opened, checked in advance, or nil if it may work.
    static func ofDevice(_ path: String) -> String? {
        guard access(path, R_OK | W_OK) != 0 else { return nil }
        return words(String(cString: strerror(errno)), of: path)
    }
}

extension String {
    fileprivate func contains(_ part: String) -> Bool {
        let text = Array(utf8), part = Array(part.utf8)
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
