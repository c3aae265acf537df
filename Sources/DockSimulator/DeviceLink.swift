internal import Glibc

/// A stable name for a pseudo-terminal: a symbolic link that the simulator creates and removes.
struct DeviceLink: Sendable {
    let path: String

    /// Points the link at a device in one atomic step.
    ///
    /// An old link of a simulator (into /dev/pts, or dangling) is replaced. Anything else stays untouched and is an
    /// error.
    func point(to device: String) throws(SimulatorError) {
        if isThere && !isOurs { throw .linkIsTaken(path: path) }
        let new = "\(path).\(getpid())"
        unlink(new)
        guard symlink(device, new) == 0 else { throw .linkFailed(path: path, reason: errno) }
        guard rename(new, path) == 0 else {
            let reason = errno
            unlink(new)
            throw .linkFailed(path: path, reason: reason)
        }
    }

    /// Removes the link if it still points at the device.
    func remove(ifPointingTo device: String) {
        if target == device { unlink(path) }
    }

    private var isThere: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private var isOurs: Bool {
        guard let target else { return false }
        return target.hasPrefix("/dev/pts/") || access(path, F_OK) != 0
    }

    /// The target of the link; nil if it is not a link.
    private var target: String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
        }
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
