internal import CPosix
internal import Geometry
internal import Glibc

/// How the values of a camera's own zoom correspond to magnifications.
///
/// UVC states a zoom as a focal length ("Zoom (Absolute) Control" of USB Video Class), so a value
/// divided by the lowest one is the magnification. A camera whose lowest value is 0 states no focal length.
struct ZoomLaw: Sendable, Equatable {
    let low: Int, high: Int, step: Int

    /// Creates a law. The result is nil if the values do not tell the magnification.
    init?(low: Int, high: Int, step: Int) {
        guard low > 0, high > low, Double(high) / Double(low) <= FrameOptics.possible.upperBound else { return nil }
        (self.low, self.high, self.step) = (low, high, max(1, step))
    }

    /// The highest magnification.
    var longest: Double { Double(high) / Double(low) }

    /// Returns the nearest value to a magnification.
    func value(of magnification: Double) -> Int {
        let exact = (magnification.clamped(to: 1...longest) - 1) * Double(low) / Double(step)
        return min(high, low + Int(exact.rounded()) * step)
    }

    /// Returns the magnification of a value, >= 1.
    func magnification(at value: Int) -> Double { Double(min(max(value, low), high)) / Double(low) }
}

/// A camera's own zoom.
protocol ZoomControl: AnyObject {
    var law: ZoomLaw { get }
    /// Returns the present value, or nil if the camera does not answer.
    func read() -> Int?
    /// Returns whether the camera has accepted the value.
    func write(_ value: Int) -> Bool
}

/// The zoom of a V4L2 device, while another program reads its pictures.
final class DeviceZoom: ZoomControl {
    private let descriptor: Int32
    let law: ZoomLaw

    /// Opens the control. The result is nil if the device has none, or one whose magnification is unknown.
    init?(_ path: String) {
        let descriptor = cposix_camera_open(path)
        guard descriptor >= 0 else { return nil }
        var range = cposix_camera_zoom()
        guard cposix_camera_zoom_range(descriptor, &range) == 0,
            let law = ZoomLaw(low: Int(range.low), high: Int(range.high), step: Int(range.step))
        else {
            close(descriptor)
            return nil
        }
        (self.descriptor, self.law) = (descriptor, law)
        // What cannot be read is of no use: frames would wait for the end of its motion.
        guard read() != nil else { return nil }
    }

    deinit { close(descriptor) }

    func read() -> Int? {
        var value: Int32 = 0
        return cposix_camera_zoom_read(descriptor, &value) == 0 ? Int(value) : nil
    }

    func write(_ value: Int) -> Bool { cposix_camera_zoom_write(descriptor, Int32(value)) == 0 }
}

/// Magnifies a camera's pictures: by its own zoom as far as that goes, and by cutting out the middle for the rest.
struct ZoomDrive {
    /// The wanted magnification.
    private(set) var wanted = 1.0
    /// The magnification by the camera's own lens, as last read.
    private(set) var lens = 1.0
    private var control: (any ZoomControl)?
    /// When the lens is read next, CLOCK_MONOTONIC.
    private var due: Seconds = -.infinity
    private var moves = Movement()
    /// Whether the lens has refused its last value. Then the cut-out makes up for it, until the lens accepts it.
    private var isRefused = false
    /// Until when frames may still show an earlier magnification of the lens, CLOCK_MONOTONIC.
    private var unsettledUntil: Seconds = -.infinity

    /// How long frames that were taken before the lens came to rest may still arrive, in seconds.
    static let frameDelay: Seconds = 0.15
    /// How often the lens is read while it moves, and at rest, in seconds. Another program may move it.
    static let movingPeriod: Seconds = 0.03, restPeriod: Seconds = 1

    /// The magnification that the lens cannot reach, >= 1.
    var crop: Double { max(1, wanted / (isRefused ? lens : control?.law.longest ?? 1)) }

    /// The magnification of the pictures.
    var total: Double { min(lens * crop, FrameOptics.possible.upperBound) }

    /// Whether frames that arrive now may show another magnification than `total`, because the lens moves.
    func isUnsettled(now: Seconds) -> Bool { moves.isUnderWay || now < unsettledUntil }

    /// Uses another camera's zoom, or none, and moves it there.
    mutating func use(_ control: (any ZoomControl)?) {
        (self.control, lens, due, moves, isRefused) = (control, 1, -.infinity, Movement(), false)
        move()
    }

    /// Adopts another magnification.
    mutating func magnify(_ wanted: Double) {
        guard wanted != self.wanted else { return }
        self.wanted = wanted
        move()
    }

    /// Reads the lens if that is due.
    mutating func look(now: Seconds) {
        guard let control, now >= due else { return }
        if isRefused { move() }
        moves.waits(now: now)
        guard let value = control.read() else {
            due = now + (moves.isUnderWay ? Self.movingPeriod : Self.restPeriod)
            return
        }
        moves.saw(value)
        let before = lens
        lens = control.law.magnification(at: value)
        if lens != before || moves.isUnderWay { unsettledUntil = now + Self.frameDelay }
        due = now + (moves.isUnderWay ? Self.movingPeriod : Self.restPeriod)
    }

    private mutating func move() {
        guard let control else { return }
        let value = control.law.value(of: wanted)
        isRefused = !control.write(value)
        if !isRefused { moves.begin(toward: value) }
        due = -.infinity
    }
}

/// Whether a lens is on its way: until it arrives, or stands still for several reads.
private struct Movement {
    private var target: Int?
    private var last: Int?
    private var still = 0
    /// When the first look at it was, CLOCK_MONOTONIC.
    private var since: Seconds?

    /// The longest time that a lens gets, in seconds. One that trembles or cannot be read would hold frames back
    /// without end.
    private static let longest: Seconds = 5
    /// The number of equal reads after which a lens that has not arrived counts as resting.
    private static let patience = 20

    var isUnderWay: Bool { target != nil }

    mutating func begin(toward value: Int) { (target, last, still, since) = (value, nil, 0, nil) }

    /// Gives up waiting for a lens that takes too long.
    mutating func waits(now: Seconds) {
        since = since ?? now
        if now - (since ?? now) > Self.longest { target = nil }
    }

    mutating func saw(_ value: Int) {
        still = value == last ? still + 1 : 0
        last = value
        if value == target || still >= Self.patience { target = nil }
    }
}
