internal import Dispatch
internal import Glibc
internal import UnixSignals

/// Runs several parts concurrently until the first of them ends, the time is over, or INT, TERM or HUP arrives. Then
/// cancels the others and waits for them. A program has no other exit path, so `close()` can follow this call.
public func runUntilFirstEnds(seconds: Double? = nil, _ parts: (@Sendable () async -> Void)...) async {
    // If the reader of our output exits, the program must still stop the dock first.
    signal(SIGPIPE, SIG_IGN)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    await withTaskGroup { group in
        group.addTask { for await _ in signals { return } }
        // With `--seconds`, waiting is the purpose.
        if let seconds { group.addTask { try? await Task.sleep(for: .seconds(seconds)) } }
        for part in parts { group.addTask { await part() } }
        await group.next()
        group.cancelAll()
    }
}

/// The lines of a file, or of standard input for `-`, as they arrive. At most 1,024 wait for a slow reader.
public func lines(of path: String) -> AsyncStream<String> {
    if path != "-" {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0, dup2(file, 0) == 0 else {
            fail("\(path): \(String(cString: strerror(errno))); give a file of words, or -", status: 66)
        }
    }
    let (stream, output) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(1024))
    // Reading blocks, so it has its own thread, which ends with the input or with the program.
    DispatchQueue(label: "lines").async {
        while let line = readLine() {
            if case .dropped = output.yield(line) { say("error busy: a line was dropped; write them slower") }
        }
        output.finish()
    }
    return stream
}

/// Formats radians as degrees with one decimal.
public func degrees(_ radians: Double) -> String {
    let tenths = (radians * 1800 / .pi).rounded() / 10
    return (tenths < 0 ? "" : "+") + String(tenths == 0 ? 0 : tenths)
}
