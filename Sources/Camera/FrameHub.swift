internal import CPosix
internal import Glibc
internal import Synchronization

/// Hands the pictures of one camera to all who want them, without a copy. Whoever is slow loses pictures; the camera and the
/// others never wait for it, unless it asked for every one.
public final class FrameHub: Sendable {
    private struct State {
        var taps: [FrameTap] = []
        var isOver = false
    }

    private let state = Mutex(State())
    /// Rung when somebody who wants every picture has room again.
    let room: Int32

    /// A hub without pictures.
    public init() { room = cposix_wake_create() }

    deinit { if room >= 0 { close(room) } }

    /// Somebody more who wants the pictures from now on.
    public func tap(_ policy: FrameTap.Policy) -> FrameTap {
        let tap = FrameTap(policy, room: room)
        let isOver = state.withLock { state in
            state.taps.append(tap)
            return state.isOver
        }
        if isOver { tap.finish() }
        return tap
    }

    /// Whoever does not want them any more.
    public func remove(_ tap: FrameTap) {
        state.withLock { $0.taps.removeAll { $0 === tap } }
        if room >= 0 { cposix_wake_ring(room) }
    }

    /// Whether all who want every picture have room for one.
    var hasRoom: Bool { state.withLock { $0.taps }.allSatisfy(\.hasRoom) }

    /// A new picture for all.
    public func publish(_ frame: CameraFrame) { for tap in state.withLock({ $0.taps }) { tap.put(frame) } }

    /// There will be no more.
    public func finish() {
        let taps = state.withLock { state in
            state.isOver = true
            return state.taps
        }
        for tap in taps { tap.finish() }
    }
}

/// One who wants the pictures of a camera.
public final class FrameTap: Sendable {
    /// What becomes of pictures that are not taken at once.
    public enum Policy: Sendable, Equatable {
        /// Only the newest is kept: to steer with.
        case newest
        /// So many are kept, and the oldest makes room: to record.
        case bounded(Int)
        /// None is lost: the camera waits. For films only, a real camera cannot wait.
        case every(Int)
    }

    private struct State {
        var frames: [CameraFrame] = []
        var dropped = 0
        var isOver = false
    }

    private let policy: Policy
    private let state = Mutex(State())
    private let room: Int32
    /// Becomes readable when there is a picture, or there will be no more.
    public let descriptor: Int32

    fileprivate init(_ policy: Policy, room: Int32) {
        self.policy = policy
        self.room = room
        descriptor = cposix_wake_create()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private var bound: Int {
        switch policy {
        case .newest: 1
        case .bounded(let count), .every(let count): max(count, 1)
        }
    }

    /// The oldest picture that is kept; nil: there is none.
    public func take() -> CameraFrame? {
        let frame = state.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
        if frame != nil, case .every = policy, room >= 0 { cposix_wake_ring(room) }
        return frame
    }

    /// Pictures that were lost because they were not taken in time.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Whether there is none and there will be no more.
    public var isOver: Bool { state.withLock { $0.isOver && $0.frames.isEmpty } }

    fileprivate var hasRoom: Bool {
        guard case .every = policy else { return true }
        return state.withLock { $0.frames.count < bound }
    }

    fileprivate func put(_ frame: CameraFrame) {
        state.withLock { state in
            if state.frames.count >= bound {
                state.frames.removeFirst()
                state.dropped += 1
            }
            state.frames.append(frame)
        }
        if descriptor >= 0 { cposix_wake_ring(descriptor) }
    }

    fileprivate func finish() {
        state.withLock { $0.isOver = true }
        if descriptor >= 0 { cposix_wake_ring(descriptor) }
    }
}
