internal import CPosix
internal import Geometry
internal import Processes

/// When the log says that other programs see the pictures: when the first one begins, at most once a minute.
final class PictureLight: Sendable {
    private let state = Locked((isOn: false, saidAt: -Double.infinity))

    private static let pause: Seconds = 60

    /// Records whether programs see the pictures. Returns whether to log it.
    func turned(on isOn: Bool, now: Seconds = cposix_monotonic_now()) -> Bool {
        state.withLock { state in
            defer { state.isOn = isOn }
            guard isOn, !state.isOn, now - state.saidAt > Self.pause else { return false }
            state.saidAt = now
            return true
        }
    }
}
