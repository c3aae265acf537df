import CEventDevice
import Gamepad
import Glibc
import Testing

@testable import EventDevice

/// Events from a descriptor, in the kernel's own form.
@Suite struct ReaderTests {
    private static let key = EventCode.key

    private static func bytes(_ events: [DeviceEvent]) -> [UInt8] {
        events.flatMap { event -> [UInt8] in
            var bytes = [UInt8](repeating: 0, count: cevent_size())
            bytes.withUnsafeMutableBytes {
                cevent_encode(cevent_event(type: event.type, code: event.code, value: event.value), $0.baseAddress)
            }
            return bytes
        }
    }

    @Test func `an event has the size of the kernel's, and keeps type, code and value`() {
        #expect(cevent_size() == 24, "on a machine of 64 bits")
        let device = PipeDevice(), events = [DeviceEvent(type: 3, code: 1, value: .min), PipeDevice.end]
        device.send(events)
        #expect(device.read() == .events(events))
        #expect(device.read() == .nothing)
    }

    @Test func `an event that arrives in pieces is put together`() {
        let device = PipeDevice()
        let events = (0..<5).map { DeviceEvent(type: Self.key, code: UInt16($0 + 300), value: Int32($0)) }
        let bytes = Self.bytes(events)
        var read: [DeviceEvent] = [], start = 0
        for size in [1, 22, 2, 40, 7, 48] {
            device.send(bytes[start..<start + size])
            start += size
            if case .events(let some) = device.read() { read += some }
        }
        #expect(start == bytes.count && read == events)
    }

    @Test func `one reading is bounded`() {
        let device = PipeDevice()
        device.send((0..<1000).map { DeviceEvent(type: Self.key, code: 1, value: Int32($0)) })
        var sizes: [Int] = []
        while case .events(let events) = device.read() { sizes.append(events.count) }
        #expect(sizes.max() == EventReader.most && sizes.reduce(0, +) == 1000)
    }

    @Test func `a device that is gone says so, after its last events`() {
        let device = PipeDevice()
        device.send([PipeDevice.end])
        device.unplug()
        #expect(device.read() == .events([PipeDevice.end]))
        #expect(device.read() == .gone(0))
        var closed = EventReader(-1)
        #expect(closed.read() == .gone(EBADF))
    }

    @Test func `what is no input device is not opened`() {
        for path in ["/dev/null", "/no/such/device", "/etc/passwd", "/"] {
            #expect(throws: (any Error).self) { try EventDevice(path: path) }
        }
    }
}
