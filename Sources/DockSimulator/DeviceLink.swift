internal import Glibc

/// A stable name for a pseudo-terminal: a symbolic link that the simulator makes and takes away again.
struct DeviceLink: Sendable {
    let path: String

    /// Points the link at a device, at once and never half.
    ///
    /// An old link of a simulator (into /dev/pts, or to nowhere) is replaced; anything else is left alone and refused.
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

    /// Takes the link away if it still points at the device.
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

    /// Where the link points, nil if it is no link.
    private var target: String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
        }
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
