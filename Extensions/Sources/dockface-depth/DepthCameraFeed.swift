import DepthStream
import Dispatch
import ExtensionKit
import Geometry
import Glibc
import Synchronization

/// Reads a depth camera on a thread of its own, and opens it again every few seconds after it was lost.
final class DepthCameraFeed: Sendable {
    /// What has happened.
    enum News: Sendable {
        /// It is open, and its pictures have this shape.
        case opened(DepthShape)
        /// It has delivered a picture.
        case picture(TakenDepth)
        /// It delivers again after trouble.
        case back
        /// It delivers no pictures. The same reason is reported once.
        case lost(DepthCameraTrouble)
    }

    /// Opens the camera.
    typealias Opening = @Sendable () throws(DepthCameraTrouble) -> any DepthSource

    private let open: Opening
    // Waiting for a picture blocks, which a task must not.
    private let queue = DispatchQueue(label: "depth")
    private let isEnding = Mutex(false)

    /// How long one wait takes at most, in seconds.
    private static let wait: Seconds = 0.2

    init(_ open: @escaping Opening) { self.open = open }

    /// Reads until the task is cancelled. `use` is called on the thread.
    func run(_ use: @escaping @Sendable (News) -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                queue.async {
                    self.read(use)
                    done.resume()
                }
            }
        } onCancel: {
            isEnding.withLock { $0 = true }
        }
    }

    private func read(_ use: (News) -> Void) {
        var watch = DepthCameraWatch(), camera: (any DepthSource)?
        while !isEnding.withLock({ $0 }) {
            let now = SystemTime.monotonic
            do throws(DepthCameraTrouble) {
                if let camera {
                    if let taken = try camera.next(within: Self.wait) {
                        if watch.delivered(now: SystemTime.monotonic) { use(.back) }
                        use(.picture(taken))
                    } else if watch.isSilent(now: SystemTime.monotonic) {
                        throw DepthCameraTrouble.silent
                    }
                } else if let opensAt = watch.opensAt, now >= opensAt {
                    let opened = try open()
                    watch.opened(now: now)
                    use(.opened(opened.shape))
                    camera = opened
                } else {
                    _ = poll(nil, 0, Int32(Self.wait * 1000))
                }
            } catch {
                camera = nil
                if watch.failed(error, now: SystemTime.monotonic) { use(.lost(error)) }
            }
        }
    }
}
