internal import Geometry
internal import Glibc

/// The magnification of the camera's lens: the newest wanted one is sent when the line is free.
struct ViscaZoom: Sendable, Equatable {
    /// Magnification range of the camera; nil: the profile does not state it.
    let range: ClosedRange<Double>?
    /// Magnification that is wanted and has not been sent yet.
    private var wanted: Double?
    /// The one that was sent last.
    private var sent: Double?

    init(profile: RigProfile) { range = profile.options["zoom_max"].flatMap { $0 > 1 ? 1...$0 : nil } }

    mutating func want(_ magnification: Double) { wanted = range.map { magnification.clamped(to: $0) } }

    /// The place of the lens to send now, 0...0x4000; nil: it is there. Between no magnification and the profile's maximum, the
    /// lens is assumed to zoom by equal factors; both ends are exact.
    mutating func next() -> Int? {
        guard let magnification = wanted else { return nil }
        (wanted, sent) = (nil, magnification)
        return Int((0x4000 * log(magnification) / log(range?.upperBound ?? 2)).rounded())
    }

    /// The magnification that was sent last was refused: it is wanted again, unless a newer one is already.
    mutating func refused() { wanted = wanted ?? sent }
}
