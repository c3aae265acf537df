internal import Glibc

/// What went wrong with a camera and what to do, from what the capture program said about it.
enum CameraProblem {
    /// A part of what is said, what that means, and what to do.
    private static let rows: [(part: String, means: String)] = [
        ("Device or resource busy", "another program has it: end that, or choose another camera (dockface cameras)"),
        ("No such file or directory", "it is not there: plug it in, or choose another one (dockface cameras)"),
        ("No such device", "it was unplugged: plug it in again"),
        ("Permission denied", "this user may not open it: sudo usermod -aG video $USER, then log in again"),
        ("Invalid data found", "it is no film that can be read"),
        ("Connection refused", "nobody answers at that address: is the camera on, and the port right?"),
        ("Connection timed out", "nobody answers at that address: is the camera on?"),
        ("Name or service not known", "there is no host of that name"),
        ("401 Unauthorized", "name and password are wrong: write rtsp://NAME:PASSWORD@HOST/PATH"),
        ("404 Not Found", "it has nothing at that path"),
        (
            "Not a video capture device",
            "it is no camera: some cameras have several devices, take another one (dockface cameras)"
        ),
        ("Inappropriate ioctl", "it is no camera (see: dockface cameras)"),
    ]

    /// What a line of the capture program means; nil: nothing that is known.
    static func words(_ line: String?, of name: String) -> String? {
        guard let line else { return nil }
        guard let row = rows.first(where: { line.contains($0.part) }) else { return "\(name): \(line)" }
        return "\(name): \(row.means)"
    }

    /// The program that captures is missing.
    static let noProgram = "ffmpeg is not installed: scripts/setup --camera, or sudo apt-get install ffmpeg"

    /// Why a device cannot be opened, before anybody tries; nil: it may work.
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
