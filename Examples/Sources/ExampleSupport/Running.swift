internal import Dispatch
internal import Glibc
internal import UnixSignals

/// Runs parts side by side until the first of them is over, the time is, or INT, TERM or HUP comes; then ends the others,
/// by cancellation, and waits for them. The one way out of a program, so that `close()` can stand behind it.
public func runUntilFirstEnds(seconds: Double? = nil, _ parts: (@Sendable () async -> Void)...) async {
    // A reader of our lines who goes away must not take us along before the dock is stopped.
    signal(SIGPIPE, SIG_IGN)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    await withTaskGroup { group in
        group.addTask { for await _ in signals { return } }
        // `--seconds`: what was asked for is time itself.
        if let seconds { group.addTask { try? await Task.sleep(for: .seconds(seconds)) } }
        for part in parts { group.addTask { await part() } }
        await group.next()
        group.cancelAll()
    }
}

/// The lines of a file, or of standard input where it is `-`, as they come. At most 1,024 wait for a slow reader.
public func lines(of path: String) -> AsyncStream<String> {
    if path != "-" {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0, dup2(file, 0) == 0 else {
            fail("\(path): \(String(cString: strerror(errno))); give a file of words, or -", status: 66)
        }
    }
    let (stream, output) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(1024))
    // Reading waits, so it has a thread of its own; it ends with the input, or with the program.
    DispatchQueue(label: "lines").async {
        while let line = readLine() {
            if case .dropped = output.yield(line) { say("error busy: a line was dropped; write them slower") }
        }
        output.finish()
    }
    return stream
}

/// Radians in words: degrees, one decimal.
public func degrees(_ radians: Double) -> String {
    let tenths = (radians * 1800 / .pi).rounded() / 10
    return (tenths < 0 ? "" : "+") + String(tenths == 0 ? 0 : tenths)
}
