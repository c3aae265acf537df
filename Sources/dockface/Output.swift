import CPosix
import Geometry
import Glibc
import PlainText
import Synchronization

// The output of the verbs: numbers in columns, whole lines, and tests of the kind of a descriptor.

/// Formats a number with this many decimals, and with `+` if requested; "?" if it is not finite or too large.
func fixed(_ value: Double, _ decimals: Int, isSigned: Bool = false) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let scale = pow(10, Double(decimals)), whole = Int((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : isSigned ? "+" : ""
    guard decimals > 0 else { return sign + String(whole) }
    let fraction = String(whole % Int(scale))
    return sign + "\(whole / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

extension String {
    /// Returns the text, padded with spaces on the right to at least this width.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    /// Returns the text, padded with spaces on the left to at least this width.
    func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// Returns whether a descriptor is a terminal.
func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Returns whether a descriptor is /dev/null.
func isNull(_ descriptor: Int32) -> Bool {
    var status = stat(), null = stat()
    guard fstat(descriptor, &status) == 0, stat("/dev/null", &null) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == null.st_rdev
}

/// Returns the size of the terminal on standard output, or nil if standard output is not a terminal.
func terminalSize() -> (columns: Int, rows: Int)? {
    var columns: Int32 = 0, rows: Int32 = 0, width: Int32 = 0, height: Int32 = 0
    guard cposix_window_size(1, &columns, &rows, &width, &height) == 0, columns > 0, rows > 1 else { return nil }
    return (Int(columns), Int(rows))
}

/// Prints for people or programs. All verbs print with this function. It escapes everything that a terminal would
/// interpret, except line ends.
func print(_ text: String, terminator: String = "\n") {
    Swift.print(ForeignText.guarded(text), terminator: terminator)
}

/// Prints at once to any descriptor. Returns false if the reader is gone.
@discardableResult
func printLine(_ text: String, to descriptor: Int32 = 1) -> Bool {
    writeAll(Array((ForeignText.guarded(text) + "\n").utf8), to: descriptor)
}

/// Writes all bytes. Returns false, with `errno` set, if that fails.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
            if descriptor == 1 { StandardOutput.failed(errno) }
            return false
        }
        sent += count
    }
    return true
}

/// The result of everything that was printed. A verb whose answer did not arrive must not end with status 0.
enum StandardOutput {
    /// `errno` of the first failed write; 0 if there was none.
    private static let failure = Atomic<Int32>(0)

    /// Records a failed write. A reader that has seen enough is not a failure.
    fileprivate static func failed(_ number: Int32) {
        guard number != EPIPE else { return }
        _ = failure.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }

    /// Writes the buffered output. Returns the reason if not everything could be written since the start.
    static func finish() -> String? {
        if fflush(nil) != 0 { failed(errno) }
        let number = failure.load(ordering: .relaxed)
        return number == 0 ? nil : String(cString: strerror(number))
    }
}
