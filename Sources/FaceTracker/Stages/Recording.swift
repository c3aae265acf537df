public import Geometry
import Glibc

/// A recorded detection stream: all of its frames, with times as recorded.
public struct Recording: Sendable {
    /// The reason why a recording cannot be used.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// What happened, where, and what to do.
        public let description: String
    }

    /// The stream's hello.
    public private(set) var hello: StreamHello?
    /// The frames in order. Exposures count from the start of the recording and always increase.
    public private(set) var frames: [DetectionFrame] = []
    /// The lines that could not be used.
    public private(set) var problems: [DecoderProblem] = []

    /// Decodes a stream's bytes. Lines that are not frames are skipped.
    public init(_ bytes: UnsafeRawBufferPointer, options: DecoderOptions = DecoderOptions()) {
        var options = options
        options.isLive = false
        options.acceptsCommands = false
        var decoder = DetectionDecoder(options: options)
        var rest = bytes[...]
        while !rest.isEmpty {
            decoder.feed(UnsafeRawBufferPointer(rebasing: rest.prefix(65_536)))
            rest = rest.dropFirst(65_536)
            drain(&decoder)
        }
        decoder.finish()
        drain(&decoder)
    }

    /// The size limit of a recording, in bytes.
    private static let largest = 256 << 20

    /// Reads a file of JSON Lines. Throws `Failure` if it cannot be read, is larger than 256 MiB or holds no frame.
    public init(path: String, options: DecoderOptions = DecoderOptions()) throws(Failure) {
        // Non-blocking, because opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno))); give a file with detections")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(description: "\(path) is not a regular file; give a file with detections")
        }
        // The size is checked before the file is read, and again while it is read, because the file may grow.
        let tooLarge = Failure(
            description: "\(path) is larger than \(Self.largest >> 20) MiB; give a shorter recording")
        guard status.st_size <= Self.largest else { throw tooLarge }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(description: "\(path): \(String(cString: strerror(errno))); give a file with detections")
            }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= Self.largest else { throw tooLarge }
        }
        self = bytes.withUnsafeBytes { Recording($0, options: options) }
        guard !frames.isEmpty else {
            let reason = problems.first.map { " (line \($0.line): \($0.text))" } ?? ""
            throw Failure(description: "\(path): it contains no frame of detections\(reason)")
        }
    }

    /// The time from the first frame to the last, in seconds.
    public var duration: Seconds { (frames.last?.exposure ?? 0) - (frames.first?.exposure ?? 0) }

    /// The mean time between frames, in seconds; 0.1 if there is only one frame.
    public var period: Seconds {
        frames.count > 1 && duration > 0 ? duration / Double(frames.count - 1) : 0.1
    }

    private mutating func drain(_ decoder: inout DetectionDecoder) {
        while let event = decoder.next(arrival: 0, realtime: 0) {
            switch event {
            case .frame:
                var frame = decoder.frame
                if let last = frames.last, frame.exposure <= last.exposure { frame.exposure = last.exposure + period }
                frame.arrival = frame.exposure
                frames.append(frame)
            case .hello(let hello): self.hello = self.hello ?? hello
            case .problem(let problem): problems.append(problem)
            default: break
            }
        }
    }
}
