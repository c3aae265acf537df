internal import DockControl
internal import Dispatch
internal import Synchronization

/// Writes presets and motions one after the other, on a queue of its own: a disk can take its time, and whoever asks, the
/// dock's loop among them, has none.
final class Keeper: Sendable {
    private let store: MotionStore
    private let queue = DispatchQueue(label: "dockface.keeper")
    /// For the dock's state: a latch does not wait behind a program's presets.
    private let dockQueue = DispatchQueue(label: "dockface.latch")
    private let waiting = Atomic<Int>(0)
    /// What the dock's newest state wants done, and nobody has begun.
    private let newest = Guarded<(@Sendable () -> Void)?>(nil)

    /// More changes than this do not wait.
    static let capacity = 64

    init(store: MotionStore) { self.store = store }

    /// What is there at the beginning, and what could not be read.
    func load() -> (library: MotionLibrary, problems: [DockError]) { store.load() }

    /// Makes a change, and tells what came of it: the library as it is then, or why it stays as it is.
    func keep(_ change: LibraryChange, done: @escaping @Sendable (Result<MotionLibrary, DockError>) -> Void) {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return done(.failure(DockError(.busy, "\(Self.capacity) changes wait for the disk", hint: "slow down")))
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

    /// Does something that waits for the disk; false: too much waits already.
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

    /// Does something of the dock's state, and is never refused: programs that keep many presets must not hinder a latch from
    /// being kept. Where the disk is slower than the dock changes, only the newest state is written.
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

    /// Waits until all that was asked for is written.
    func finish() {
        dockQueue.sync {}
        queue.sync {}
    }
}
