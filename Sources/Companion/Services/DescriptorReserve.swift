internal import CPosix
public import DockControl
internal import Glibc

/// Whether enough descriptors are left before anything begins.
///
/// What this program opens itself it checks, but not all that is opened is its own: the signals of a run come by descriptors
/// of libdispatch, which goes on without them where there are none. A run that TERM does not end must not begin.
public enum DescriptorReserve {
    /// What a run opens, with a face, a simulated dock, a scene and a few clients; the control socket keeps some in reserve.
    public static let run = 47
    /// What a session opens: what stands around it has its own already.
    static let session = 35

    /// Makes sure that so many are free.
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
