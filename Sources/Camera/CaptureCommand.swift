/// The command line of ffmpeg, the one program that opens a camera and decodes it. What another program writes reaches it
/// through a pipe.
///
/// It writes raw frames to its standard output, and a line with each frame's time to descriptor 3. The frames are
/// decoded once and go two ways: as pixels, and wrapped as packets of a few bytes. The `framecrc` format numbers these
/// packets, adds their times, and writes the frame size to its header.
struct CaptureCommand: Sendable, Equatable {
    /// The requested properties. The camera chooses those that are nil.
    struct Request: Sendable, Equatable {
        /// The requested size of a device's frames, in pixels.
        var size: (width: Int, height: Int)? = (640, 480)
        /// The requested frame rate of a device, in frames per second.
        var framesPerSecond = 30
        /// Wider frames are scaled down to this width.
        var maximumWidth = 640
        /// Degrees by which a frame is rotated clockwise to be upright, and whether left and right are swapped before
        /// that.
        var rotate = 0, isMirrored = false
        /// Whether a file is played at its own speed; otherwise as fast as it is read.
        var isPaced = true
        /// Whether the frames are also written in the camera's own size.
        var isFull = false
        /// The time of a file at which to begin, in seconds.
        var begin = 0.0

        static func == (a: Request, b: Request) -> Bool {
            a.size?.width == b.size?.width && a.size?.height == b.size?.height && a.framesPerSecond == b.framesPerSecond
                && a.maximumWidth == b.maximumWidth && a.isPaced == b.isPaced && a.rotate == b.rotate
                && a.isMirrored == b.isMirrored && a.isFull == b.isFull && a.begin == b.begin
        }
    }

    /// The child's descriptors: for the times, and for the frames in the camera's own size with their times.
    static let times: Int32 = 3, full: Int32 = 4, fullTimes: Int32 = 5

    /// The filters that rotate a frame clockwise, by degrees.
    private static let turns = [90: ["transpose=clock"], 180: ["hflip", "vflip"], 270: ["transpose=cclock"]]

    /// The shell script that connects a program to ffmpeg, whose command line follows the program's. The program keeps
    /// none of the descriptors for frames and times, and reads nothing.
    private static let pipeline = #"sh -c "$1" </dev/null 3>&- 4>&- 5>&- | { shift; exec "$@"; }"#

    let words: [String]

    init(_ source: CameraSource, _ request: Request) {
        var words = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-copyts"]
        switch source {
        case .device(let path):
            words += ["-fflags", "nobuffer", "-f", "v4l2", "-framerate", "\(request.framesPerSecond)"]
            if let size = request.size { words += ["-video_size", "\(size.width)x\(size.height)"] }
            words += ["-i", path]
        case .file(let path, let loops):
            if request.isPaced { words += ["-re"] }
            if loops {
                words += ["-stream_loop", "-1"]
            } else if request.begin > 0 {
                words += ["-ss", "\(request.begin)"]
            }
            // The path is always a file, whatever it looks like.
            words += ["-i", "file:" + path]
        case .network(let address):
            words += ["-fflags", "nobuffer", "-flags", "low_delay"]
            // Without an answer for five seconds the camera counts as gone; in microseconds.
            words +=
                address.hasPrefix("rtsp")
                ? ["-rtsp_transport", "tcp", "-timeout", "5000000"] : ["-rw_timeout", "5000000"]
            words += ["-i", address]
        case .program:
            // The smallest probe: ffmpeg would wait for a mebibyte of MJPEG before it knows that it is MJPEG. Half a second
            // is enough for a stream that does not begin with its parameters.
            words += ["-fflags", "nobuffer", "-flags", "low_delay", "-probesize", "32", "-analyzeduration", "500000"]
            words += ["-i", "pipe:0"]
        case .test:
            if request.isPaced { words += ["-re"] }
            let size = request.size ?? (640, 480)
            words += [
                "-f", "lavfi", "-i", "testsrc2=size=\(size.width)x\(size.height):rate=\(request.framesPerSecond)",
            ]
        }
        let upright = (request.isMirrored ? ["hflip"] : []) + (Self.turns[request.rotate] ?? [])
        // Scaled down first, so that the other filters have less to do.
        let small =
            ["scale=w='min(iw,\(request.maximumWidth))':h=-2:flags=area"] + upright
            + ["format=rgb24", "split=2[pixels][times]"]
        var graph = small.joined(separator: ",")
        if request.isFull {
            let full = upright + ["format=yuv420p", "split=2[full][fulltimes]"]
            graph = "split=2[a][b];[a]\(graph);[b]" + full.joined(separator: ",")
        }
        words += ["-filter_complex", "[0:v:0]" + graph]
        words += Self.times("[times]", to: Self.times)
        if request.isFull { words += Self.times("[fulltimes]", to: Self.fullTimes) }
        words += Self.pixels("[pixels]", to: 1)
        if request.isFull { words += Self.pixels("[full]", to: Self.full) }
        if case .program(let command) = source {
            words = ["/bin/sh", "-c", Self.pipeline, "dockface-camera", command] + words
        }
        self.words = words
    }

    private static func times(_ name: String, to descriptor: Int32) -> [String] {
        [
            "-map", name, "-c:v", "wrapped_avframe", "-enc_time_base", "-1", "-fps_mode", "passthrough",
            "-flush_packets", "1", "-f", "framecrc", "pipe:\(descriptor)",
        ]
    }

    private static func pixels(_ name: String, to descriptor: Int32) -> [String] {
        ["-map", name, "-c:v", "rawvideo", "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:\(descriptor)"]
    }
}
