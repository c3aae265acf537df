import Glibc

/// A failed measurement.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// A failure with this description.
    init(_ description: String) { self.description = description }

    /// A system call that failed, with its reason.
    static func system(_ call: String) -> Failure { Failure("\(call): \(String(cString: strerror(errno)))") }
}
