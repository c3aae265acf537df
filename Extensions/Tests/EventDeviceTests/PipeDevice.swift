import CEventDevice
import EventDevice
import Gamepad
import Glibc
import Synchronization

/// A pad whose events come through a socket, in the kernel's own form.
final class PipeDevice: PadDevice, @unchecked Sendable {
    // Unchecked: the reader belongs to one thread, and the rest is constant or behind a lock.

    let descriptor: Int32
    let profile: DeviceProfile
    private let other: Int32
    private var reader: EventReader
    private let held = Mutex<(keys: Set<UInt16>, axes: [UInt16: Int32])?>(([], [:]))
    private let isOpen = Mutex(true)

    static let profile = DeviceProfile(
        vendor: 0x1234, product: 0x5678, version: 1, name: "Pipe Pad",
        keys: [0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13D, 0x13E],
        axes: [
            0: AxisRange(low: -32768, high: 32767), 1: AxisRange(low: -32768, high: 32767),
            3: AxisRange(low: -32768, high: 32767), 4: AxisRange(low: -32768, high: 32767),
            0x10: AxisRange(low: -1, high: 1), 0x11: AxisRange(low: -1, high: 1),
        ])
    static let deadMan: UInt16 = 0x136, east: UInt16 = 0x131, south: UInt16 = 0x130

    init(_ profile: DeviceProfile = PipeDevice.profile) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
        (descriptor, other) = (ends[0], ends[1])
        self.profile = profile
        reader = EventReader(descriptor)
    }

    deinit {
        close(descriptor)
        unplug()
    }

    func read() -> EventReader.Reading { reader.read() }

    func snapshot() -> (keys: Set<UInt16>, axes: [UInt16: Int32])? { held.withLock { $0 } }

    /// Sets what the device says when it is asked; nil: it is gone.
    func hold(_ state: (keys: Set<UInt16>, axes: [UInt16: Int32])?) { held.withLock { $0 = state } }

    /// Sends events without the end of a frame.
    func send(_ events: [DeviceEvent]) {
        var bytes = [UInt8](repeating: 0, count: cevent_size() * events.count)
        for (index, event) in events.enumerated() {
            bytes.withUnsafeMutableBytes { buffer in
                cevent_encode(
                    cevent_event(type: event.type, code: event.code, value: event.value),
                    buffer.baseAddress.map { $0 + index * cevent_size() })
            }
        }
        send(bytes[...])
    }

    /// Sends bytes, all of them.
    func send(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(other, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN {
                var room = pollfd(fd: other, events: Int16(POLLOUT), revents: 0)
                guard poll(&room, 1, 10_000) == 1 else { return }
                continue
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends events without the end of a frame, at the speed at which they are read.
    func sendAll(_ events: [DeviceEvent]) {
        for start in stride(from: 0, to: events.count, by: 100) {
            var room = pollfd(fd: other, events: Int16(POLLOUT), revents: 0)
            guard poll(&room, 1, 10_000) == 1 else { return }
            send(Array(events[start..<min(start + 100, events.count)]))
        }
    }

    /// Sends a frame.
    func report(_ events: (type: UInt16, code: UInt16, value: Int32)...) {
        send(events.map { DeviceEvent(type: $0.type, code: $0.code, value: $0.value) } + [Self.end])
    }

    func press(_ key: UInt16) { report((EventCode.key, key, 1)) }
    func release(_ key: UInt16) { report((EventCode.key, key, 0)) }
    func move(_ axis: UInt16, _ value: Int32) { report((EventCode.axis, axis, value)) }

    /// Closes the other side.
    func unplug() {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if isFirst { close(other) }
    }

    static let end = DeviceEvent(type: EventCode.sync, code: EventCode.report, value: 0)

    /// This pad as a port finds it.
    var found: FoundPad {
        let mapping = PadMapping(of: profile, in: PadDatabase())
        return FoundPad(
            path: "/dev/input/event99", profile: profile,
            device: mapping.map { .success((self, $0)) }
                ?? .failure(EventDevice.error("/dev/input/event99", EACCES)))
    }
}
