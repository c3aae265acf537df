/// The clock that a stream's `t` is told on.
public enum StreamClock: String, Sendable, Equatable {
    /// CLOCK_MONOTONIC of this host.
    case monotonic
    /// Seconds since 1970.
    case unix
    /// Starts anywhere and runs in real time.
    case media
    /// The clock of another machine, mapped by ping and pong.
    case remote
    /// No clock: a frame was taken one camera latency before it arrived.
    case none
}

/// A pinhole camera's numbers, in pixels of the picture that hello declares.
public struct CameraIntrinsics: Sendable, Equatable {
    /// Focal length in picture widths' pixels, > 0.
    public var fx: Double
    /// Focal length in picture heights' pixels, > 0.
    public var fy: Double
    /// The optical axis, pixels from the left.
    public var cx: Double
    /// The optical axis, pixels from the top.
    public var cy: Double

    /// Four numbers in pixels.
    public init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }
}

/// What a stream says about itself in its first line; nil where it is silent.
public struct StreamHello: Sendable, Equatable {
    /// What the numbers of a rectangle count.
    public enum Units: String, Sendable, Equatable {
        /// Picture widths and heights, 0...1.
        case normalised
        /// Pixels of `image`, or of a frame's own `size`.
        case pixels = "px"
    }

    /// Where a rectangle's y begins.
    public enum Origin: String, Sendable, Equatable {
        /// At the top, growing downward.
        case topLeft = "top-left"
        /// At the bottom, growing upward, as Apple's Vision has it.
        case bottomLeft = "bottom-left"
    }

    /// What a rectangle's four numbers are.
    public enum Format: String, Sendable, Equatable {
        /// Corner and size.
        case xywh
        /// Two corners.
        case xyxy
    }

    /// The detector's name.
    public var detector: String?
    /// The clock of `t`.
    public var clock: StreamClock?
    /// The size of the picture as the detector saw it.
    public var image: PictureSize?
    /// Frames per second that the detector means to send.
    public var framesPerSecond: Double?
    /// Whether the detector saw a mirrored picture.
    public var mirrored: Bool?
    /// Degrees (0, 90, 180, 270) by which the detector's picture must be turned clockwise to stand upright.
    public var rotate: Int?
    /// What the numbers count; silent = normalised.
    public var units: Units?
    /// Where y begins; silent = top-left.
    public var origin: Origin?
    /// What the four numbers are; silent = corner and size.
    public var format: Format?
    /// The camera's numbers; they win over the profile's field of view.
    public var intrinsics: CameraIntrinsics?
    /// Names of the landmarks, in their order.
    public var landmarks: [String] = []

    /// A hello that says nothing but version 1.
    public init() {}
}
