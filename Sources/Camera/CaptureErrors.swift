internal import Geometry
internal import Processes

/// The standard error of a camera's program: lines for the log, and what the program waits for.
struct CaptureErrors {
    private var pipe = ChildPipe()
    private var log = ChildLog()
    private var waiting = CaptureWaiting()
    /// The time of the last `show`. Anything that was not yet due then must still wake the thread, even if it is due by
    /// now.
    private var shownAt: Seconds = -.infinity

    /// Whether no pictures are expected, because the program waits.
    var isWaiting: Bool { waiting.isWaiting }
    /// What the program waits for, as in `CaptureWaiting`.
    var waitsFor: String? { waiting.text }
    /// The last line of the program that does not say that it waits, or nil if there was none.
    var last: String? { log.last }

    /// Opens the pipe for the next program. Returns the program's end, as `ChildPipe` does.
    mutating func open() -> Int32? {
        log.begin()
        return pipe.open(toChild: false)
    }

    /// The descriptor to poll, or -1 if the program has written more than it may.
    var descriptor: Int32 { log.opens(after: shownAt) == nil ? pipe.descriptor : -1 }

    /// When `show` must be called, or nil. `hasProgram`: a program runs, and its output must be read.
    func deadline(hasProgram: Bool) -> Seconds? {
        [log.deadline, waiting.deadline, hasProgram ? log.opens(after: shownAt) : nil].compactMap { $0 }.min()
    }

    /// Reads what the program has written. `canWait`: it can say that it waits.
    mutating func read(canWait: Bool, now: Seconds) {
        let room = log.room(now: now)
        guard room > 0 else { return }
        _ = pipe.read(room) { Self.feed($0, &log, &waiting, canWait: canWait, now: now) }
    }

    /// Reads the rest of a program that has ended. Its last line becomes the reported problem, so it is not also logged.
    mutating func drain(canWait: Bool, now: Seconds) {
        pipe.drain { Self.feed($0, &log, &waiting, canWait: canWait, now: now) }
        // The last line may lack its end.
        [UInt8(ascii: "\n")].withUnsafeBytes { feed($0, canWait: canWait, now: now) }
        _ = log.lines(now: now, isEnd: true)
    }

    /// Processes bytes of the program.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, canWait: Bool, now: Seconds) {
        Self.feed(bytes, &log, &waiting, canWait: canWait, now: now)
    }

    /// Static, because the pipe is in use while its bytes are processed.
    private static func feed(
        _ bytes: UnsafeRawBufferPointer, _ log: inout ChildLog, _ waiting: inout CaptureWaiting, canWait: Bool,
        now: Seconds
    ) {
        log.feed(bytes, now: now) { line in !(canWait && waiting.read(line, now: now)) }
    }

    /// Returns the lines that may be logged now.
    mutating func show(now: Seconds) -> [String] {
        shownAt = now
        waiting.show(now: now)
        return log.lines(now: now)
    }

    /// Records a picture: the program waits no longer.
    mutating func endWait() { waiting.end() }

    /// Closes the pipe: the program has ended.
    mutating func close() {
        pipe.close()
        waiting.end()
    }
}
