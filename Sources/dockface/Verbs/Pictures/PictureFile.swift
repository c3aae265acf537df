import CPosix
import DockTypes
import Geometry
import Glibc
import PlainText
import Processes

/// The format of a picture's file. ffmpeg encodes it, the program that also decodes the camera.
enum PictureFile: String {
    case png, jpg

    /// Reads the format from the ending of a name. The result is nil if it is unknown.
    init?(_ path: String) {
        let ending = path.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        self.init(rawValue: ending == "jpeg" ? "jpg" : ending)
    }

    /// How long ffmpeg may take, in seconds.
    private static let patience: Seconds = 20

    /// Returns the contents of the file.
    /// - Throws: `configuration` if ffmpeg is missing, `cannotOpen` if it fails.
    func encoded(_ canvas: PictureCanvas) throws(DockError) -> [UInt8] {
        let codec = self == .png ? ["-c:v", "png"] : ["-c:v", "mjpeg", "-q:v", "2"]
        let words =
            [
                "ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size",
                "\(canvas.width)x\(canvas.height)", "-i", "pipe:0", "-frames:v", "1",
            ] + codec + ["-f", "image2pipe", "pipe:1"]
        var input = ChildPipe(), output = ChildPipe(), errors = ChildPipe()
        let ends: [Int32: Int32?] = [
            0: input.open(toChild: true), 1: output.open(toChild: false), 2: errors.open(toChild: false),
        ]
        defer {
            input.close()
            output.close()
            errors.close()
        }
        let child: ChildProcess
        do throws(ChildProcess.Failure) {
            defer { for case let end? in ends.values { close(end) } }
            child = try ChildProcess(words, pipes: ends)
        } catch {
            throw DockError(
                .configuration, error.number == ENOENT ? "ffmpeg is missing" : error.description,
                hint: "install it: sudo apt install ffmpeg")
        }
        defer {
            child.end()
            child.close()
        }
        signal(SIGPIPE, SIG_IGN)
        var file: [UInt8] = [], complaint: [UInt8] = [], sent = 0
        let deadline = cposix_monotonic_now() + Self.patience
        while output.descriptor >= 0, cposix_monotonic_now() < deadline {
            var waits = [
                pollfd(fd: input.descriptor, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waits, 3, 1000)
            if waits[0].revents != 0 {
                sent += canvas.pixels.withUnsafeBytes { input.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
                if sent == canvas.pixels.count { input.close() }
            }
            if waits[1].revents != 0 { _ = output.read { file += $0 } }
            if waits[2].revents != 0 { _ = errors.read { complaint += $0.prefix(400) } }
        }
        guard output.descriptor < 0, !file.isEmpty else {
            throw DockError(
                .cannotOpen,
                "ffmpeg made no picture: \(complaint.isEmpty ? "no answer" : ForeignText.line(bytes: complaint))",
                hint: "try the other format, .png or .jpg")
        }
        return file
    }
}
