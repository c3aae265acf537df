internal import Geometry
internal import Glibc

/// The magnification of the camera's lens. The newest requested one is sent when the line is free.
struct ViscaZoom: Sendable, Equatable {
    /// The magnification range of the camera, or nil if the profile does not state it.
    let range: ClosedRange<Double>?
    /// The magnification that is requested and has not been sent yet.
    private var wanted: Double?
    /// The last magnification that was sent.
    private var sent: Double?

    init(profile: RigProfile) { range = profile.options["zoom_max"].flatMap { $0 > 1 ? 1...$0 : nil } }

    mutating func want(_ magnification: Double) { wanted = range.map { magnification.clamped(to: $0) } }

    /// Returns the position of the lens to send now, 0...0x4000, or nil if the lens is already there. Between no
    /// magnification and the profile's maximum, the lens is assumed to zoom by equal factors. Both ends are exact.
    mutating func next() -> Int? {
        guard let magnification = wanted else { return nil }
        (wanted, sent) = (nil, magnification)
        return Int((0x4000 * log(magnification) / log(range?.upperBound ?? 2)).rounded())
    }

    /// Records that the last magnification was refused. It is requested again, unless a newer one already is.
    mutating func refused() { wanted = wanted ?? sent }
}
