internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Geometry

/// The right to move the head, and the motion that was begun with it.
struct GestureGrip {
    private let dock: Dock
    private var lease: DockLease?
    /// The number of the motion that was begun last, or nil if there is none.
    private(set) var motion: Int?

    init(_ dock: Dock) { self.dock = dock }

    /// Takes the right to move the head. The mode would end a stop that has come meanwhile.
    mutating func engage(isStopped: () -> Bool = { false }) async throws(DockError) {
        if lease == nil { lease = try await dock.control() }
        guard !isStopped() else { return }
        try await dock.setTrackingMode(.manual)
    }

    /// Turns the head with a velocity, in rad/s, which soon ends by itself. Without the right, nothing moves.
    mutating func turn(_ velocity: PanTilt) async throws(DockError) {
        guard let lease else { return }
        try lease.beat()
        guard velocity != .zero else { return await wait() }
        motion = try await dock.setAngularVelocity(velocity, for: HeadServo.expiry).id
    }

    /// Ends the motion, and keeps the right.
    mutating func wait() async {
        guard let motion else { return }
        self.motion = nil
        // It may have ended already.
        _ = try? await dock.cancelMotion(motion)
    }

    /// Turns the head to a pose. Without the right, nothing moves.
    mutating func aim(_ pose: PanTilt) async throws(DockError) {
        guard let lease else { return }
        try lease.beat()
        motion = try await dock.setOrientation(pose).id
    }

    /// Ends the motion, and gives the right back.
    mutating func release() async {
        guard let lease else { return }
        // The mode is not set: that would end the stop of a palm, which binds other programs.
        await wait()
        lease.release()
        self.lease = nil
    }

    /// Plays an animation, unless a stop has come meanwhile. It ends by itself.
    mutating func animate(_ name: String, isStopped: () -> Bool = { false }) async throws(DockError) {
        let own = try await dock.control()
        defer { own.release() }
        guard !isStopped() else { return }
        try await dock.animate(name)
    }
}
