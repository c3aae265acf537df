public import DockTypes
internal import Glibc

/// Why a depth camera delivers no pictures.
public enum DepthCameraTrouble: Error, Sendable, Equatable {
    /// There is no such device.
    case missing
    /// This user may not open it.
    case permission
    /// Another program uses it.
    case busy
    /// It is no video device.
    case noVideo
    /// It is a video device that delivers no pictures, such as the one for a camera's metadata.
    case noPictures
    /// Its pictures are no depth. The formats that it has.
    case noDepth([VideoFormat])
    /// It lays out its pictures in a way that none can have.
    case layout
    /// Its connection has no room for its pictures beside those of other devices.
    case bandwidth
    /// It was unplugged while it delivered.
    case unplugged
    /// It delivers nothing any more.
    case silent
    /// The system's number of another error.
    case system(Int32)

    /// The reason why a device cannot be opened or set, from errno.
    public static func opening(_ number: Int32) -> DepthCameraTrouble {
        switch number {
        case ENOENT, ENODEV, ENXIO: .missing
        case EACCES, EPERM: .permission
        case EBUSY: .busy
        // A folder, or a device of another kind.
        case ENOTTY, EISDIR, ENOTDIR: .noVideo
        case ENOSPC: .bandwidth
        default: .system(number)
        }
    }

    /// The reason why a device that has delivered pictures does so no more, from errno.
    public static func streaming(_ number: Int32) -> DepthCameraTrouble {
        switch number {
        case ENODEV, ENXIO, ENOENT: .unplugged
        case EBUSY: .busy
        default: .system(number)
        }
    }

    /// Checks that a device has depth.
    /// - Throws: `noDepth`.
    public static func check(_ formats: [VideoFormat]) throws(DepthCameraTrouble) {
        guard formats.contains(.depth) else { throw .noDepth(formats) }
    }

    /// The error for a person: what is wrong with the device at a path, and what to do.
    public func error(_ path: String) -> DockError {
        let (code, what, hint) = words
        return DockError(code, "\(path) \(what)", hint: hint)
    }

    private var words: (code: DockError.Code, what: String, hint: String) {
        let other = "`dockface cameras` lists the cameras with their formats"
        return switch self {
        case .missing: (.cannotOpen, "is not there", "plug the camera in, or name another one: \(other)")
        case .permission:
            (.permission, "may not be opened by this user", "sudo usermod -aG video $USER, then log in again")
        case .busy: (.portBusy, "is in use by another program", "end that program, or name another camera")
        case .noVideo: (.cannotOpen, "is not a camera", "name a video device: \(other)")
        case .noPictures:
            (.cannotOpen, "delivers no pictures: some cameras have several devices", "name another one: \(other)")
        case .noDepth(let formats):
            (
                .notSupported,
                formats.isEmpty
                    ? "has no depth (Z16), and names no format at all"
                    : "has no depth (Z16), only \(formats.map(\.description).joined(separator: ", "))",
                "name the depth device of the camera: \(other)"
            )
        case .layout:
            (.notSupported, "has depth of a size or a layout that is not supported", "name another camera: \(other)")
        case .bandwidth:
            (
                .cannotOpen, "has no room on its USB connection beside other devices",
                "plug it into another port, best a USB 3 one"
            )
        case .unplugged: (.notConnected, "was unplugged", "plug it in again")
        case .silent: (.notConnected, "delivers no pictures any more", "unplug it, and plug it in again")
        case .system(let number):
            (.cannotOpen, "cannot be used: \(String(cString: strerror(number)))", "name another camera: \(other)")
        }
    }
}
