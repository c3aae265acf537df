import CPosix
import Geometry
import Glibc
import PlainText

// What verbs write with: numbers in columns, whole lines, and what is at the other end.

/// A number with so many decimals, and with `+` where it is asked for; "?" for what is none.
func fixed(_ value: Double, _ decimals: Int, isSigned: Bool = false) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let scale = pow(10, Double(decimals)), whole = Int((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : isSigned ? "+" : ""
    guard decimals > 0 else { return sign + String(whole) }
    let fraction = String(whole % Int(scale))
    return sign + "\(whole / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

extension String {
    /// With spaces behind it, at least so long.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    /// With spaces in front of it, at least so long.
    func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// Whether a descriptor is a terminal.
func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// Whether a descriptor is /dev/null.
func isNull(_ descriptor: Int32) -> Bool {
    var status = stat(), null = stat()
    guard fstat(descriptor, &status) == 0, stat("/dev/null", &null) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == null.st_rdev
}

/// Size of the terminal on standard output, nil where there is none.
func terminalSize() -> (columns: Int, rows: Int)? {
    var columns: Int32 = 0, rows: Int32 = 0, width: Int32 = 0, height: Int32 = 0
    guard cposix_window_size(1, &columns, &rows, &width, &height) == 0, columns > 0, rows > 1 else { return nil }
    return (Int(columns), Int(rows))
}

/// Prints for people or programs. All verbs print with this one: whatever a terminal would obey, except line ends, is escaped.
func print(_ text: String, terminator: String = "\n") {
    Swift.print(ForeignText.guarded(text), terminator: terminator)
}

/// The same, at once and to any descriptor; false where nobody reads any more.
@discardableResult
func printLine(_ text: String, to descriptor: Int32 = 1) -> Bool {
    writeAll(Array((ForeignText.guarded(text) + "\n").utf8), to: descriptor)
}

/// Writes everything; false, and errno, where that fails.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        sent += count
    }
    return true
}
