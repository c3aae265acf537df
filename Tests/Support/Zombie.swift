internal import Glibc

/// Whether a process has ended and was not waited for, or is gone.
public func isZombie(_ id: Int32) -> Bool {
    let file = open("/proc/\(id)/stat", O_RDONLY)
    guard file >= 0 else { return true }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = read(file, &text, text.count)
    return String(decoding: text[..<max(count, 0)], as: UTF8.self).contains(") Z")
}
