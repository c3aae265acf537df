import CDepthCamera
import Codecs
import DepthStream
import ExtensionKit
import Geometry
import Glibc

/// An open camera that delivers depth. It belongs to one thread at a time.
protocol DepthSource {
    /// How it lays out its pictures.
    var shape: DepthShape { get }

    /// Waits for the next picture, at most for a time in seconds. The result is nil if there is none yet, or if it is damaged.
    /// - Throws: `unplugged`, `system`.
    func next(within time: Seconds) throws(DepthCameraTrouble) -> TakenDepth?
}

/// A depth camera of the kernel (V4L2).
final class DepthCamera: DepthSource {
    let shape: DepthShape

    private let descriptor: Int32
    private let buffers: [UnsafeRawBufferPointer]

    /// The number of buffers: one that is read, and three for pictures that arrive meanwhile.
    private static let count: UInt32 = 4
    /// No device has more formats. The bound guards against a driver that never stops naming them.
    private static let mostFormats: UInt32 = 32

    /// Opens the camera at a path, and begins.
    /// - Parameter rate: the pictures a second that it is asked for.
    init(path: String, rate: Double) throws(DepthCameraTrouble) {
        descriptor = try Self.open(path)
        do throws(DepthCameraTrouble) {
            shape = try Self.prepare(descriptor, rate: rate)
            buffers = try Self.begin(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        cdepth_stop(descriptor)
        Self.unmap(buffers)
        // The kernel destroys the buffers with the descriptor.
        close(descriptor)
    }

    func next(within time: Seconds) throws(DepthCameraTrouble) -> TakenDepth? {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Int32((time * 1000).rounded(.up))) > 0 else { return nil }
        var taken = cdepth_picture()
        guard cdepth_take_buffer(descriptor, &taken) == 0 else {
            let number = errno
            // An error is reported without end, so only the lack of a picture is worth another wait.
            if number == EAGAIN, wait.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0 { return nil }
            throw .streaming(number == EAGAIN ? ENODEV : number)
        }
        let arrival = SystemTime.monotonic, index = Int(taken.index)
        let picture =
            taken.is_damaged || !buffers.indices.contains(index)
            ? nil : shape.picture(UnsafeRawBufferPointer(rebasing: buffers[index].prefix(Int(taken.used))))
        guard cdepth_queue_buffer(descriptor, taken.index) == 0 else { throw .streaming(errno) }
        return picture.map { TakenDepth($0, stamp: taken.is_monotonic ? taken.time : nil, arrival: arrival) }
    }

    private static func open(_ path: String) throws(DepthCameraTrouble) -> Int32 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .opening(errno) }
        // Opening a device of another kind can have an effect: a serial port may restart the board behind it.
        guard status.st_mode & S_IFMT == S_IFCHR, major(status.st_rdev) == videoMajor else { throw .noVideo }
        let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .opening(errno) }
        return descriptor
    }

    /// The kernel's number of all video devices (VIDEO_MAJOR).
    private static let videoMajor: UInt64 = 81

    /// The kernel's number of a kind of device, as `major` of sys/sysmacros.h has it.
    private static func major(_ device: dev_t) -> UInt64 {
        let number = UInt64(device)
        return number >> 8 & 0xFFF | number >> 32 & ~0xFFF
    }

    /// Sets the format, and asks for the size and the rate.
    private static func prepare(_ descriptor: Int32, rate: Double) throws(DepthCameraTrouble) -> DepthShape {
        let captures = cdepth_ask_captures(descriptor)
        guard captures >= 0 else { throw .opening(errno) }
        guard captures > 0 else { throw .noPictures }
        try DepthCameraTrouble.check(formats(descriptor))
        var wanted = cdepth_shape(
            format: VideoFormat.depth.code, width: UInt32(DepthShape.usual.width),
            height: UInt32(DepthShape.usual.height), stride: 0)
        guard cdepth_set_shape(descriptor, &wanted) == 0 else { throw .opening(errno) }
        // A device replaces a format that it does not have at this moment.
        guard wanted.format == VideoFormat.depth.code,
            let shape = DepthShape(width: Int(wanted.width), height: Int(wanted.height), stride: Int(wanted.stride))
        else { throw .layout }
        // Not every device lets a program choose.
        _ = cdepth_set_rate(descriptor, UInt32(max(1, rate.rounded())))
        return shape
    }

    private static func formats(_ descriptor: Int32) -> [VideoFormat] {
        var formats: [VideoFormat] = []
        for number in 0..<mostFormats {
            var code: UInt32 = 0
            guard cdepth_ask_format(descriptor, number, &code) == 0 else { break }
            formats.append(VideoFormat(code: code))
        }
        return formats
    }

    /// Maps the buffers, and begins.
    private static func begin(_ descriptor: Int32) throws(DepthCameraTrouble) -> [UnsafeRawBufferPointer] {
        let created = cdepth_request_buffers(descriptor, count)
        guard created > 0 else { throw .opening(created == 0 ? ENOMEM : errno) }
        var buffers: [UnsafeRawBufferPointer] = []
        for index in 0..<UInt32(created) {
            var size = 0
            guard let memory = cdepth_map_buffer(descriptor, index, &size) else { throw failure(errno, buffers) }
            buffers.append(UnsafeRawBufferPointer(start: memory, count: size))
            guard cdepth_queue_buffer(descriptor, index) == 0 else { throw failure(errno, buffers) }
        }
        guard cdepth_start(descriptor) == 0 else { throw failure(errno, buffers) }
        return buffers
    }

    /// Undoes what was mapped. Returns the reason, for the number of an error.
    private static func failure(_ number: Int32, _ buffers: [UnsafeRawBufferPointer]) -> DepthCameraTrouble {
        unmap(buffers)
        return .opening(number)
    }

    private static func unmap(_ buffers: [UnsafeRawBufferPointer]) {
        for buffer in buffers { cdepth_unmap_buffer(buffer.baseAddress, buffer.count) }
    }
}
