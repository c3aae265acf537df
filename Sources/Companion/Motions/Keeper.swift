internal import DockControl
internal import Dispatch
internal import DockTypes
internal import Processes
internal import Synchronization

/// Writes presets and motions in order, on its own queue, because a disk can be slow and no caller may wait for it,
/// especially not the dock's loop.
final class Keeper: Sendable {
    private let store: MotionStore
    private let queue = DispatchQueue(label: "dockface.keeper")
    /// A separate queue for the dock's state, so that a latch does not wait behind a program's presets.
    private let dockQueue = DispatchQueue(label: "dockface.latch")
    private let waiting = Atomic<Int>(0)
    /// The job for the dock's newest state, if it has not begun.
    private let newest = Locked<(@Sendable () -> Void)?>(nil)

    /// The maximum number of waiting changes.
    static let capacity = 64

    init(store: MotionStore) { self.store = store }

    /// Returns the stored library, and the errors of the files that could not be read.
    func load() -> (library: MotionLibrary, problems: [DockError]) { store.load() }

    /// Makes a change and reports the result: the new library, or the error that prevented the change.
    func keep(_ change: LibraryChange, done: @escaping @Sendable (Result<MotionLibrary, DockError>) -> Void) {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return done(.failure(DockError(.busy, "\(Self.capacity) changes wait for the disk", hint: "retry later")))
        }
        queue.async { [self] in
            do throws(DockError) {
                done(.success(try store.change(change.apply)))
            } catch {
                done(.failure(error))
            }
            waiting.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Runs a job that waits for the disk. Returns false if too many jobs are waiting.
    func run(_ job: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        queue.async { [self] in
            job()
            waiting.wrappingSubtract(1, ordering: .relaxed)
        }
        return true
    }

    /// Runs a job for the dock's state. It is never rejected, so that programs that store many presets cannot prevent a
    /// latch from being stored. If the disk is slower than the dock's changes, only the newest state is written.
    func runNewest(_ job: @escaping @Sendable () -> Void) {
        let isFirst = newest.withLock { waiting in
            defer { waiting = job }
            return waiting == nil
        }
        guard isFirst else { return }
        dockQueue.async { [self] in
            let job = newest.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            job?()
        }
    }

    /// Waits until everything is written.
    func finish() {
        dockQueue.sync {}
        queue.sync {}
    }
}
