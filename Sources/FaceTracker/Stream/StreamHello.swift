/// The clock of a stream's `t`.
public enum StreamClock: String, Sendable, Equatable {
    /// CLOCK_MONOTONIC of this host.
    case monotonic
    /// Seconds since 1970.
    case unix
    /// A clock that starts at any value and runs in real time.
    case media
    /// The clock of another machine, mapped by ping and pong.
    case remote
    /// No clock: the exposure is taken as one camera latency before the arrival.
    case none
}

/// A pinhole camera's parameters, in pixels of the frame that the hello declares.
public struct CameraIntrinsics: Sendable, Equatable {
    /// The horizontal focal length, pixels, > 0.
    public var fx: Double
    /// The vertical focal length, pixels, > 0.
    public var fy: Double
    /// The optical axis, in pixels from the left.
    public var cx: Double
    /// The optical axis, in pixels from the top.
    public var cy: Double

    /// Creates intrinsics from four numbers in pixels.
    public init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }
}

/// The declarations of a stream about itself in its first line. Values that it does not declare are nil.
public struct StreamHello: Sendable, Equatable {
    /// The unit of a rectangle's numbers.
    public enum Units: String, Sendable, Equatable {
        /// Frame widths and heights, 0...1.
        case normalised
        /// Pixels of `image`, or of a frame's own `size`.
        case pixels = "px"
    }

    /// The origin of a rectangle's y.
    public enum Origin: String, Sendable, Equatable {
        /// The top; y grows downward.
        case topLeft = "top-left"
        /// The bottom; y grows upward, as in Apple's Vision.
        case bottomLeft = "bottom-left"
    }

    /// The meaning of a rectangle's four numbers.
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
    /// The size of the frame that the detector processed.
    public var image: PictureSize?
    /// The frame rate that the detector intends to send.
    public var framesPerSecond: Double?
    /// Whether the detector's frame was mirrored.
    public var mirrored: Bool?
    /// Degrees (0, 90, 180, 270) by which the detector's frame must be rotated clockwise to be upright.
    public var rotate: Int?
    /// The unit of the numbers; the default is normalised.
    public var units: Units?
    /// The origin of y; the default is top-left.
    public var origin: Origin?
    /// The meaning of the four numbers; the default is corner and size.
    public var format: Format?
    /// The camera's parameters, which take precedence over the profile's field of view.
    public var intrinsics: CameraIntrinsics?
    /// Names of the landmarks, in their order.
    public var landmarks: [String] = []

    /// Creates a hello that declares only version 1.
    public init() {}
}
