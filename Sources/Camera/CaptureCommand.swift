/// The command line of the one program that opens a camera and decodes it: ffmpeg.
///
/// It gives raw pictures on its standard output, and on descriptor 3 a line for each with its time: the pictures are decoded
/// once and go two ways, as pixels, and wrapped up as a packet of a few bytes that the `framecrc` format numbers, times and
/// heads with the picture's size.
struct CaptureCommand: Sendable, Equatable {
    /// What is wanted of the camera; nil: as it likes.
    struct Wish: Sendable, Equatable {
        /// Size that a device is asked for, pixels.
        var size: (width: Int, height: Int)? = (640, 480)
        /// Pictures a second that a device is asked for.
        var framesPerSecond = 30
        /// Wider pictures are shrunk to this width.
        var maximumWidth = 640
        /// Degrees by which a picture is turned clockwise to stand upright, and whether left and right are exchanged before.
        var rotate = 0, isMirrored = false
        /// A film is played at its own pace, else as fast as it is taken.
        var isPaced = true

        static func == (a: Wish, b: Wish) -> Bool {
            a.size?.width == b.size?.width && a.size?.height == b.size?.height && a.framesPerSecond == b.framesPerSecond
                && a.maximumWidth == b.maximumWidth && a.isPaced == b.isPaced && a.rotate == b.rotate
                && a.isMirrored == b.isMirrored
        }
    }

    /// The descriptor of the child on which the times come.
    static let times: Int32 = 3

    /// Filters that turn a picture clockwise, by degrees.
    private static let turns = [90: ["transpose=clock"], 180: ["hflip", "vflip"], 270: ["transpose=cclock"]]

    let words: [String]

    init(_ source: CameraSource, _ wish: Wish) {
        var words = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-copyts"]
        switch source {
        case .device(let path):
            words += ["-fflags", "nobuffer", "-f", "v4l2", "-framerate", "\(wish.framesPerSecond)"]
            if let size = wish.size { words += ["-video_size", "\(size.width)x\(size.height)"] }
            words += ["-i", path]
        case .file(let path, let loops):
            if wish.isPaced { words += ["-re"] }
            if loops { words += ["-stream_loop", "-1"] }
            // Whatever the path looks like, it is a file.
            words += ["-i", "file:" + path]
        case .network(let address):
            words += ["-fflags", "nobuffer", "-flags", "low_delay"]
            // Without an answer for five seconds it is gone; in microseconds.
            words +=
                address.hasPrefix("rtsp")
                ? ["-rtsp_transport", "tcp", "-timeout", "5000000"] : ["-rw_timeout", "5000000"]
            words += ["-i", address]
        case .test:
            if wish.isPaced { words += ["-re"] }
            let size = wish.size ?? (640, 480)
            words += ["-f", "lavfi", "-i", "testsrc2=size=\(size.width)x\(size.height):rate=\(wish.framesPerSecond)"]
        }
        // Shrunk first: what follows has less to do.
        var filters = ["scale=w='min(iw,\(wish.maximumWidth))':h=-2:flags=area"]
        if wish.isMirrored { filters.append("hflip") }
        filters += Self.turns[wish.rotate] ?? []
        filters += ["format=rgb24", "split=2[pixels][times]"]
        words += ["-filter_complex", "[0:v:0]" + filters.joined(separator: ",")]
        words += ["-map", "[times]", "-c:v", "wrapped_avframe", "-enc_time_base", "-1", "-fps_mode", "passthrough"]
        words += ["-flush_packets", "1", "-f", "framecrc", "pipe:\(Self.times)"]
        words += ["-map", "[pixels]", "-c:v", "rawvideo", "-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1"]
        self.words = words
    }
}
