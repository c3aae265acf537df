internal import CPosix
internal import DockControl
internal import DockTypes
internal import Glibc

/// Checks that enough descriptors are left before the start.
///
/// This program checks every descriptor that it opens itself, but libraries also open some. A run receives its signals
/// through descriptors of libdispatch, which continues without them if there are none. A run that TERM could not end
/// must not start.
public enum DescriptorReserve {
    /// The number of descriptors of a run with a face, a simulated dock, a scene and a few clients. The control socket
    /// keeps some in reserve.
    public static let run = 47
    /// The number of descriptors of a session alone. The program around it has already opened its own.
    static let session = 35

    /// Checks that this many descriptors are free.
    /// - Throws: `DockError.cannotOpen` if they are not.
    public static func check(_ count: Int = Self.run) throws(DockError) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = cposix_wake_create()
            guard descriptor >= 0 else {
                throw DockError(
                    .cannotOpen, "only \(opened.count) descriptors are left, and \(count) are needed",
                    hint: "raise `ulimit -n`, to 256 for example")
            }
            opened.append(descriptor)
        }
    }
}
