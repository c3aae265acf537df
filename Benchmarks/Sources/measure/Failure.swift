import Glibc

/// Something could not be measured.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// What it was.
    init(_ description: String) { self.description = description }

    /// A system call that failed, with its reason.
    static func system(_ call: String) -> Failure { Failure("\(call): \(String(cString: strerror(errno)))") }
}
