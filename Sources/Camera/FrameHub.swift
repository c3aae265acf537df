internal import CPosix
internal import Glibc
internal import Synchronization

/// Passes the frames of one camera to all taps without a copy. A slow tap loses frames. The camera and the other taps
/// never wait for it, unless it has asked for every frame.
public final class FrameHub: Sendable {
    private struct State {
        var taps: [FrameTap] = []
        var isOver = false
    }

    private let state = Mutex(State())
    /// Signalled when a tap that takes every frame has room again.
    let room: Int32

    /// Creates a hub without frames.
    public init() { room = cposix_wake_create() }

    deinit { if room >= 0 { close(room) } }

    /// Adds a tap, which receives the frames from now on.
    public func tap(_ policy: FrameTap.Policy) -> FrameTap {
        let tap = FrameTap(policy, room: room)
        let isOver = state.withLock { state in
            state.taps.append(tap)
            return state.isOver
        }
        if isOver { tap.finish() }
        return tap
    }

    /// Removes a tap.
    public func remove(_ tap: FrameTap) {
        state.withLock { $0.taps.removeAll { $0 === tap } }
        if room >= 0 { cposix_wake_ring(room) }
    }

    /// Whether all taps that take every frame have room for one.
    var hasRoom: Bool { state.withLock { $0.taps }.allSatisfy(\.hasRoom) }

    /// Passes a new frame to all taps.
    public func publish(_ frame: CameraFrame) { for tap in state.withLock({ $0.taps }) { tap.put(frame) } }

    /// Ends the stream of frames.
    public func finish() {
        let taps = state.withLock { state in
            state.isOver = true
            return state.taps
        }
        for tap in taps { tap.finish() }
    }
}

/// One receiver of a camera's frames.
public final class FrameTap: Sendable {
    /// What happens to frames that are not taken at once.
    public enum Policy: Sendable, Equatable {
        /// Only the newest frame is kept: for steering.
        case newest
        /// This many frames are kept, and the oldest is dropped: for recording.
        case bounded(Int)
        /// No frame is lost: the camera waits. Only for files, because a real camera cannot wait.
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
    /// Becomes readable when there is a frame or when the stream has ended.
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

    /// Returns the oldest frame that is kept, or nil if there is none.
    public func take() -> CameraFrame? {
        let frame = state.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
        if frame != nil, case .every = policy, room >= 0 { cposix_wake_ring(room) }
        return frame
    }

    /// Frames that were lost because they were not taken in time.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Whether the stream has ended and all frames are taken.
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
