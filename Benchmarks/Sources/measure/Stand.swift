import CMeasure
import Glibc

/// The measuring loop. The harness feeds lines to the program, holds the other end of its port, and passes bytes
/// between the program and the dock. It uses one thread, one `poll` without a timeout, and no allocation during the
/// measurement.
struct Stand {
    /// The result of one run.
    struct Result {
        /// Time from just before the `write` of a line to just after the `read` that returned the set-point,
        /// microseconds.
        var latencies: [Double] = []
        /// Lines without a set-point before the next line.
        var unanswered = 0
        /// CPU usage, percent of one core.
        var cpu = 0.0
        /// Voluntary context switches of its threads per second.
        var sleeps = 0.0
        /// Resident memory, MB.
        var resident = 0.0
    }

    /// When the lines come.
    var beat = Beat()
    /// The program's port.
    let port: Terminal
    /// The dock behind the port; -1: none.
    var dock: Int32 = -1
    /// The program's screen. Its output is read and discarded.
    var screen: Terminal?

    /// Runs `warmUp` turns, one line each, that do not count, and `turns` that do.
    func run(_ child: Child, feeds: Bool, warmUp: Int, turns: Int) throws(Failure) -> Result {
        var lines = FaceLines(), watch = FrameWatch(), result = Result()
        result.latencies.reserveCapacity(turns)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        let waits = UnsafeMutablePointer<pollfd>.allocate(capacity: 4)
        let timer = measure_timer_create()
        defer {
            buffer.deallocate()
            waits.deallocate()
            close(timer)
        }
        for (index, descriptor) in [timer, port.master, dock, screen?.master ?? -1].enumerated() {
            waits[index] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        if feeds { _ = FaceLines.hello.withCString { write(child.input, $0, strlen($0)) } }
        var beat = beat, turn = 0, due = measure_now() + beat.period, asked: Int64 = 0
        var before = try Usage(of: child.process)
        measure_timer_arm(timer, due)
        while true {
            guard poll(waits, 4, -1) > 0 else { continue }
            if waits[1].revents != 0 {
                let bytes = Self.take(port.master, buffer)
                if asked != 0, watch.sees(bytes) {
                    let answered = measure_now()
                    if turn > warmUp { result.latencies.append(Double(answered - asked) / 1000) }
                    asked = 0
                } else if asked == 0 {
                    _ = watch.sees(bytes)
                }
                if dock >= 0 { write(dock, bytes.baseAddress, bytes.count) }
            }
            if waits[2].revents != 0 {
                let bytes = Self.take(dock, buffer)
                write(port.master, bytes.baseAddress, bytes.count)
            }
            if waits[3].revents != 0, let screen { _ = Self.take(screen.master, buffer) }
            guard waits[0].revents != 0 else { continue }
            _ = Self.take(timer, buffer)
            if turn > warmUp, asked != 0 { result.unanswered += 1 }
            if turn == warmUp + turns { break }
            if turn == warmUp { before = try Usage(of: child.process) }
            turn += 1
            due += beat.period
            measure_timer_arm(timer, due + beat.lateness(of: turn))
            guard feeds else { continue }
            let line = lines.next(now: measure_now())
            asked = measure_now()
            let count = write(child.input, line.baseAddress, line.count)
            guard count == line.count else { throw .system("write of a line") }
        }
        let after = try Usage(of: child.process)
        let time = Double(after.time - before.time)
        result.cpu = 100 * Double(after.cpu - before.cpu) / time
        result.sleeps = Double(after.sleeps - before.sleeps) / time * 1e9
        result.resident = after.resident
        return result
    }

    /// Reads the available bytes.
    private static func take(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        return UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
    }
}
