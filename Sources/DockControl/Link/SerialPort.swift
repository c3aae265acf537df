internal import CPosix
internal import CSerialPort
public import DockTypes
internal import Glibc
internal import PlainText

/// A serial port that libserialport found.
public struct PortInfo: Sendable, Equatable {
    /// The device path, such as "/dev/ttyACM0".
    public var path: String
    /// The system's description.
    public var description: String
    /// The USB device behind the port, or nil for a port that is not on USB.
    public var identity: UsbIdentity?

    /// Creates a description from all its parts.
    public init(path: String, description: String, identity: UsbIdentity?) {
        self.path = path
        self.description = description
        self.identity = identity
    }
}

/// A real serial port through libserialport. The library opens and configures it. Reading, writing and waiting use its
/// handle with `poll`, because the library's own reads mistake a hang-up for silence.
public final class SerialPort: ByteLink {
    /// The descriptor for `poll`; -1 once closed.
    public private(set) var descriptor: Int32 = -1
    /// The kernel's path.
    public let name: String
    /// Always true, because hardware is connected to it.
    public let isHardware = true
    private var port: OpaquePointer?
    /// The claim that is held while the port is open: the lock, and the original settings.
    private var claim: Int32 = -1
    private var saved = termios()

    /// Opens a port with 8N1 and without flow control.
    /// - Throws: `DockError`: `notConnected`, `permission`, `portBusy`, `cannotOpen`.
    public init(path: String, serial: RigProfile.Serial) throws(DockError) {
        // libserialport 0.1.1 rejects symbolic links such as /dev/serial/by-id/...
        let resolved = realPath(of: path) ?? path
        name = resolved
        guard access(resolved, F_OK) == 0 else { throw PortFailure.opening(path, errno) }
        guard access(resolved, R_OK | W_OK) == 0 else { throw PortFailure.opening(path, errno) }
        // This precedes the library, which changes settings when it opens a port. A line that another program uses must
        // remain unchanged.
        claim = cposix_claim_terminal(resolved, &saved)
        guard claim >= 0 else { throw PortFailure.opening(path, errno == EWOULDBLOCK ? EBUSY : errno) }
        var found: OpaquePointer?
        guard sp_get_port_by_name(resolved, &found) == SP_OK, let found else {
            giveUp(nil)
            throw PortFailure.opening(path, ENOTTY)
        }
        guard sp_open(found, SP_MODE_READ_WRITE) == SP_OK else {
            let reason = sp_last_error_code()
            giveUp(found)
            throw PortFailure.opening(path, reason)
        }
        port = found
        guard sp_get_port_handle(found, &descriptor) == SP_OK else {
            close()
            throw PortFailure.opening(path, EIO)
        }
        _ = cposix_set_cloexec(descriptor)
        // This excludes programs that ignore the lock, such as ModemManager. Some drivers do not support it.
        _ = cposix_set_exclusive(descriptor, true)
        // Without this, an FTDI chip collects received bytes for 16 ms. Where the driver does not allow it, `doctor` says so.
        _ = cposix_set_low_latency(descriptor)
        guard sp_set_baudrate(found, Int32(serial.baud)) == SP_OK else {
            close()
            throw DockError(
                .configuration, "\(path) does not support \(serial.baud) baud",
                hint: "correct `serial.baud` in the profile")
        }
        sp_set_bits(found, 8)
        sp_set_parity(found, SP_PARITY_NONE)
        sp_set_stopbits(found, 1)
        sp_set_flowcontrol(found, SP_FLOWCONTROL_NONE)
        // Both lines change in one request, because an ESP32 is held in reset while they differ.
        _ = cposix_set_modem_lines(descriptor, serial.dtr)
        // With VMIN = 1, an empty read returns EAGAIN, and a read of 0 means a hang-up.
        _ = cposix_make_raw_keeping_speed(descriptor)
        _ = cposix_set_nonblocking(descriptor, true)
    }

    deinit { close() }

    /// Restores the port's settings, closes and frees it.
    public func close() {
        guard let port else { return }
        if descriptor >= 0 {
            // Closing discards what is still in the queue, which includes the stop. 26 bytes need 2.3 ms at 115,200
            // baud.
            let deadline = cposix_monotonic_now() + 0.05
            while cposix_output_queued(descriptor) > 0, cposix_monotonic_now() < deadline { usleep(500) }
            // A device that accepts no more bytes must not delay closing: the kernel would wait 30 s for it.
            tcflush(descriptor, TCOFLUSH)
            _ = cposix_set_exclusive(descriptor, false)
        }
        sp_close(port)
        giveUp(port)
        self.port = nil
        descriptor = -1
    }

    /// Releases what was taken before the library opened the port: its settings, then the lock.
    private func giveUp(_ port: OpaquePointer?) {
        if let port { sp_free_port(port) }
        guard claim >= 0 else { return }
        tcsetattr(claim, TCSANOW, &saved)
        Glibc.close(claim)
        claim = -1
    }

    /// Returns all serial ports of the machine, in the library's order.
    /// - Throws: `DockError` with code `cannotOpen` if the system cannot list them.
    public static func list() throws(DockError) -> [PortInfo] {
        var ports: UnsafeMutablePointer<OpaquePointer?>?
        guard sp_list_ports(&ports) == SP_OK, let ports else {
            throw DockError(
                .cannotOpen, "cannot list the serial ports",
                hint: "is /sys mounted? In a container, pass the device in and name it with --port")
        }
        defer { sp_free_port_list(ports) }
        var found: [PortInfo] = []
        var index = 0
        while let port = ports[index] {
            index += 1
            guard let path = sp_get_port_name(port) else { continue }
            let name = String(cString: path)
            found.append(
                PortInfo(
                    path: name,
                    description: sp_get_port_description(port).map { ForeignText.name(String(cString: $0)) } ?? "",
                    identity: Udev.identity(ofPort: name)))
        }
        return found
    }
}
