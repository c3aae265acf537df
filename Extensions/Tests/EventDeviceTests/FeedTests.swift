import DockTestKit
import Gamepad
import Glibc
import Testing

@testable import EventDevice

/// The states of a pad from the bytes of its device.
@Suite struct FeedTests {
    private static func feed(_ device: PipeDevice) throws -> PadFeed {
        PadFeed(device, try #require(PadMapping(of: device.profile, in: PadDatabase())))
    }

    @Test func `it begins with what the device says, and goes on with its frames`() throws {
        let device = PipeDevice()
        device.hold(([PipeDevice.deadMan], [0: 32767]))
        let feed = try Self.feed(device)
        let first = try #require(feed.begin())
        #expect(first.buttons == [.leftShoulder] && first.left.x == 1)
        device.release(PipeDevice.deadMan)
        device.move(0, -32768)
        guard case .states(let states) = feed.read() else { return #expect(Bool(false)) }
        #expect(states.count == 2 && states[0].buttons == [] && states[0].left.x == 1 && states[1].left.x == -1)
        #expect(feed.read() == .states([]))
    }

    @Test func `after dropped events the device is asked, at once and at the end of the frame`() throws {
        let device = PipeDevice(), feed = try Self.feed(device)
        _ = feed.begin()
        device.press(PipeDevice.deadMan)
        device.hold(([], [0: 0]))
        device.send([DeviceEvent(type: EventCode.sync, code: EventCode.dropped, value: 0)])
        guard case .states(let states) = feed.read() else { return #expect(Bool(false)) }
        #expect(
            states.map { $0.buttons.contains(.leftShoulder) } == [true, false], "the release was among the dropped")
        device.hold(([PipeDevice.south], [0: 0]))
        device.press(PipeDevice.deadMan)
        guard case .states(let later) = feed.read() else { return #expect(Bool(false)) }
        #expect(later.map(\.buttons) == [[.south]])
    }

    @Test func `a device that cannot be asked is gone`() throws {
        let device = PipeDevice(), feed = try Self.feed(device)
        device.hold(nil)
        #expect(feed.begin() == nil)
        device.send([DeviceEvent(type: EventCode.sync, code: EventCode.dropped, value: 0)])
        #expect(feed.read() == .gone("it was unplugged"))
    }

    @Test func `100,000 events are read in bounded steps, and the last state counts`() throws {
        let device = PipeDevice(), feed = try Self.feed(device)
        _ = feed.begin()
        var steps = 0, last = PadState()
        for round in 0..<1000 {
            var events: [DeviceEvent] = []
            for index in 0..<50 {
                events += [
                    DeviceEvent(type: EventCode.axis, code: 0, value: Int32(round * 60 + index) % 32768),
                    PipeDevice.end,
                ]
            }
            device.send(events)
            while case .states(let states) = feed.read(), let state = states.last { (steps, last) = (steps + 1, state) }
        }
        #expect(steps == 2000 && abs(last.left.x - Double(59_989 % 32768) / 32768) < 0.001)
    }

    @Test func `a pad that comes back is found, also after one that cannot be read`() throws {
        let folder = TemporaryFolder()
        let locked = FoundPad(
            path: "/dev/input/event7", profile: PipeDevice.profile,
            device: .failure(EventDevice.error("/dev/input/event7", 13)))
        let box = Box<[FoundPad]>([])
        let port = PadPort(watching: folder.path) { box.value }
        #expect(port.search().isEmpty && !port.isBlind && port.descriptors.count == 1)
        // The kernel reports a new file in the folder.
        folder.write("", to: "event7")
        #expect(WorkerThread.wait(port.descriptors, for: 5) == Set(port.descriptors))
        box.value = [locked]
        guard case .unusable(let why)? = port.search().first else { return #expect(Bool(false)) }
        #expect(why.contains("usermod -aG") && why.contains("uaccess"))
        #expect(port.search().isEmpty, "it is said once")
        #expect(WorkerThread.wait(port.descriptors, for: 0).isEmpty, "the news was taken")
        let device = PipeDevice()
        box.value = [locked, device.found]
        guard case .arrived(let feed, _)? = port.search().first else { return #expect(Bool(false)) }
        #expect(feed.profile.name == "Pipe Pad" && port.descriptors.count == 2)
        device.unplug()
        #expect(WorkerThread.wait([device.descriptor], for: 5) == [device.descriptor])
        #expect(feed.read() == .gone("it was unplugged"))
        port.drop()
        let next = PipeDevice()
        box.value = [next.found]
        guard case .arrived? = port.search().first else { return #expect(Bool(false)) }
    }

    @Test func `without a folder of devices it must look now and then`() {
        let port = PadPort(watching: "/no/such/folder") { [] }
        #expect(port.search().isEmpty && port.isBlind && port.descriptors.isEmpty)
    }

    @Test func `a folder that is removed and made again is watched again`() {
        let folder = TemporaryFolder(), devices = folder.path + "/input"
        folder.write("", to: "input/event1")
        let port = PadPort(watching: devices) { [] }
        #expect(port.search().isEmpty && !port.isBlind)
        unlink(devices + "/event1")
        rmdir(devices)
        // The system reports several things, one after another.
        for _ in 0..<10 where !port.isBlind {
            _ = WorkerThread.wait(port.descriptors, for: 5)
            _ = port.search()
        }
        #expect(port.isBlind)
        folder.write("", to: "input/event1")
        #expect(port.search().isEmpty && !port.isBlind)
    }

    @Test func `a bell wakes a thread that waits`() throws {
        let bell = try #require(Bell())
        #expect(WorkerThread.wait([bell.descriptor], for: 0).isEmpty)
        #expect(WorkerThread.start { bell.ring() })
        #expect(WorkerThread.wait([bell.descriptor], for: 10) == [bell.descriptor])
        bell.clear()
        #expect(WorkerThread.wait([bell.descriptor], for: 0).isEmpty)
    }
}
