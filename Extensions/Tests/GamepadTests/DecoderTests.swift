import Testing

@testable import Gamepad

/// The state of a pad from events, whatever the device says.
@Suite struct DecoderTests {
    private static let key = EventCode.key, axis = EventCode.axis

    private static func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> DeviceEvent {
        DeviceEvent(type: type, code: code, value: value)
    }

    @Test func `a state counts at the end of its frame`() throws {
        var decoder = try #require(Devices.decoder(Devices.pad))
        #expect(decoder.receive(Self.event(Self.key, 0x136, 1)) == nil)
        #expect(!decoder.state.buttons.contains(.leftShoulder))
        #expect(decoder.frame() == .frame && decoder.state.buttons.contains(.leftShoulder))
        #expect(decoder.frame() == nil, "an empty frame says nothing")
    }

    @Test func `a key that the kernel repeats is no sign of life`() throws {
        var decoder = try #require(Devices.decoder(Devices.pad))
        _ = decoder.frame((Self.key, 0x136, 1))
        #expect(decoder.frame((Self.key, 0x136, 2)) == nil)
        #expect(decoder.state.buttons.contains(.leftShoulder))
    }

    @Test func `after dropped events the device is asked, and the incomplete frame is ignored`() throws {
        var decoder = try #require(Devices.decoder(Devices.pad))
        _ = decoder.frame((Self.key, 0x136, 1), (Self.axis, 0, 32767))
        #expect(decoder.receive(Self.event(EventCode.sync, EventCode.dropped, 0)) == .resync)
        decoder.resync(keys: [], axes: [0: 0])
        #expect(!decoder.state.buttons.contains(.leftShoulder) && abs(decoder.state.left.x) < 0.001)
        #expect(decoder.receive(Self.event(Self.key, 0x136, 1)) == nil)
        #expect(decoder.receive(Self.event(EventCode.sync, EventCode.report, 0)) == .resync)
        decoder.resync(keys: [0x131], axes: [:])
        #expect(decoder.state.buttons == [.east])
        #expect(decoder.frame((Self.key, 0x130, 1)) == .frame && decoder.state.buttons == [.south, .east])
    }

    @Test func `a trigger has two thresholds`() throws {
        var decoder = try #require(Devices.decoder(Devices.pad))
        var pressed: [Bool] = []
        for value: Int32 in [0, 140, 160, 120, 100, 140] {
            _ = decoder.frame((Self.axis, 2, value))
            pressed.append(decoder.state.buttons.contains(.leftTrigger))
        }
        #expect(pressed == [false, false, true, true, false, false])
    }

    @Test(arguments: [
        AxisRange(low: 0, high: 0), AxisRange(low: 5, high: -5), AxisRange(low: .min, high: .max, flat: .max),
        AxisRange(low: .max, high: .min, flat: .min), AxisRange(low: -100, high: -50, flat: -7),
        AxisRange(low: .min, high: .min + 1, flat: 1), AxisRange(low: 0, high: 1, flat: 1_000_000),
    ])
    func `hostile ranges give finite shares`(_ range: AxisRange) {
        for value in [Int32.min, -1, 0, 1, range.low, range.high, .max] {
            let share = range.share(of: value)
            #expect((-1...1).contains(share))
            #expect(range.isUsable || share == 0)
        }
        #expect((0...1).contains(range.flatShare))
        var device = Devices.pad
        device.axes[0] = range
        device.axes[3] = range
        guard let mapping = PadMapping(of: device, in: PadDatabase()) else {
            #expect(!range.isUsable)
            return
        }
        var decoder = PadDecoder(mapping, device)
        _ = decoder.frame((Self.axis, 0, .min), (Self.axis, 1, .max))
        #expect((-1...1).contains(decoder.state.left.x) && decoder.state.left.y == 1)
    }

    @Test func `events with any type, code and value are taken`() throws {
        var decoder = try #require(Devices.decoder(Devices.pad))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let event = DeviceEvent(
                type: UInt16.random(in: 0...6, using: &random), code: .random(in: 0...0xFFFF, using: &random),
                value: .random(in: .min ... .max, using: &random))
            if decoder.receive(event) == .resync { decoder.resync(keys: [0xFFFF, 0x136], axes: [0xFFFF: 1, 0: .min]) }
        }
        #expect((-1...1).contains(decoder.state.left.x))
    }

    @Test func `a pad that has said nothing is at rest`() throws {
        let decoder = try #require(Devices.decoder(Devices.joystick, Devices.joystickRow))
        #expect(decoder.state == PadState())
    }
}
