import Testing

@testable import Gamepad

/// What the buttons and axes of a device mean: rows of a database, and the kernel's specification.
@Suite struct MappingTests {
    private static let key = EventCode.key, axis = EventCode.axis

    @Test func `a device is named by its four numbers, as in a database`() throws {
        #expect(PadGUID(Devices.joystick).description == "03000000790000000600000010010000")
        let named = PadGUID(DeviceProfile(bus: 5, name: "A pad without numbers"))
        #expect(named.description == "05000000" + "4120706164207769" + "74686f" + "00")
        let row = "030000005e0400008e02000010010000"
        #expect(PadGUID(Substring(row))?.description == row)
        for wrong in ["", "xinput", row + "0", "g" + row.dropFirst(), String(repeating: "é", count: 16)] {
            #expect(PadGUID(Substring(wrong)) == nil)
        }
    }

    @Test func `a row says what buttons, axes and hats mean`() throws {
        let row = try #require(PadRow(Substring(Devices.joystickRow)))
        #expect(row.entries.count == 16)
        #expect(row.entries.first { $0.target == .stick(.rightY) }?.place == .axis(3, .whole, isInverted: true))
        #expect(row.entries.first { $0.target == .button(.up) }?.place == .hat(0, 1))
        #expect(row.entries.first { $0.target == .button(.south) }?.place == .button(2))
    }

    @Test func `halves of axes and inverted axes are read`() throws {
        let row = try #require(
            PadRow(
                "03000000790000000600000010010000,X,-leftx:b1,+leftx:+a4,lefttrigger:-a2,righttrigger:a5~,-lefty:h0.1,platform:Linux,"
            ))
        #expect(
            row.entries.map(\.target) == [
                .stick(.leftX, .negative), .stick(.leftX, .positive), .button(.leftTrigger), .button(.rightTrigger),
                .stick(.leftY, .negative),
            ])
        #expect(
            row.entries.map(\.place) == [
                .button(1), .axis(4, .positive, isInverted: false), .axis(2, .negative, isInverted: false),
                .axis(5, .whole, isInverted: true), .hat(0, 1),
            ])
    }

    @Test(arguments: [
        "", "# a comment", "not a row", "03000000790000000600000010010000,X,a:b0,platform:Windows,",
        "03000000790000000600000010010000,X,a:b0,", "03000000790000000600000010010000,X,platform:Linux,",
        "xinput,XInput,a:b0,platform:Linux,",
        "03000000790000000600000010010000,X,a:b99999999999999999999,platform:Linux,",
        "03000000790000000600000010010000,X,a:b+1,b:a-1,x:h9.1,y:h0.3,back:h0,start:,guide:z,platform:Linux,",
        "03000000790000000600000010010000,X,a:b0,hint:SDL_GAMECONTROLLER_USE_BUTTON_LABELS:=1,platform:Linux,",
    ])
    func `what is no row for Linux is skipped`(_ line: String) {
        #expect(PadRow(Substring(line)) == nil)
    }

    @Test func `unknown entries do not spoil a row, and line ends of Windows do not either`() {
        let text =
            "03000000790000000600000010010000,X,a:b0,paddle1:b9,misc1:b10,crc:1234,touchpad:b3,platform:Linux,\r\n"
        #expect(PadDatabase("# head\r\n\r\n" + text).count == 1)
    }

    @Test func `of several rows for a device the last counts`() throws {
        let old = Devices.joystickRow.replacing("a:b2", with: "a:b7")
        let (row, isOther) = try #require(PadDatabase(old + "\n" + Devices.joystickRow).row(for: Devices.joystick))
        #expect(!isOther && row.entries.contains { $0.place == .button(2) && $0.target == .button(.south) })
    }

    @Test func `a row with a checksum of the name fits, and so does one for another version`() throws {
        let withChecksum = "0300abcd" + Devices.joystickRow.dropFirst(8)
        #expect(try #require(PadDatabase(withChecksum).row(for: Devices.joystick)).isOtherVersion == false)
        var newer = Devices.joystick
        newer.version = 0x0111
        let mapping = try #require(PadMapping(of: newer, in: PadDatabase(Devices.joystickRow)))
        #expect(mapping.origin == .database(isOtherVersion: true))
    }

    @Test func `numbers of a row count the device's own keys and axes`() throws {
        var decoder = try #require(Devices.decoder(Devices.joystick, Devices.joystickRow))
        // b4 is the fifth key, a3 the fourth axis, which is axis 5 here.
        #expect(decoder.frame((Self.key, 0x124, 1), (Self.axis, 5, 255), (Self.axis, 0, 0)) == .frame)
        #expect(decoder.state.buttons.contains(.leftShoulder))
        #expect(decoder.state.right.y == -1 && decoder.state.left.x == -1)
        _ = decoder.frame((Self.axis, 0x11, -1), (Self.axis, 0x10, 1))
        #expect(decoder.state.buttons.contains(.up) && decoder.state.buttons.contains(.right))
        #expect(!decoder.state.buttons.contains(.down) && !decoder.state.buttons.contains(.left))
    }

    @Test func `a hat that is measured counts as two axes`() {
        var device = Devices.joystick
        device.axes[0x10] = AxisRange(low: 0, high: 255)
        #expect(DeviceNumbers(device).source(.hat(0, 1)) == nil)
        #expect(DeviceNumbers(device).source(.axis(5, .whole, isInverted: false)) == .axis(0x10, .whole))
    }

    @Test func `the kernel's specification needs no row`() throws {
        let mapping = try #require(PadMapping(of: Devices.pad, in: PadDatabase()))
        #expect(mapping.origin == .kernel)
        #expect(Set(mapping.buttons) == Set(PadButton.allCases))
        var decoder = PadDecoder(mapping, Devices.pad)
        _ = decoder.frame((Self.key, 0x136, 1), (Self.axis, 3, 32767), (Self.axis, 2, 255))
        #expect(decoder.state.buttons.contains(.leftShoulder) && decoder.state.buttons.contains(.leftTrigger))
        #expect(decoder.state.right.x == 1)
    }

    @Test func `a row goes before the kernel's specification`() throws {
        let row = "\(PadGUID(Devices.pad)),Test Pad,a:b1,leftshoulder:b5,leftx:a0,lefty:a1,platform:Linux,"
        let mapping = try #require(PadMapping(of: Devices.pad, in: PadDatabase(row)))
        #expect(mapping.origin == .database(isOtherVersion: false) && mapping.sources(of: .south) == "key 0x131")
    }

    @Test func `X and Y of Microsoft's pads are where they are, not what the driver calls them`() throws {
        var device = Devices.pad
        device.vendor = 0x045E
        let mapping = try #require(PadMapping(of: device, in: PadDatabase()))
        #expect(mapping.sources(of: .west) == "key 0x133" && mapping.sources(of: .north) == "key 0x134")
    }

    @Test func `mice, keyboards, touchpads and motion sensors are not taken`() {
        let database = PadDatabase(Devices.joystickRow)
        let mouse = DeviceProfile(keys: [0x110, 0x111, 0x130], axes: Devices.pad.axes)
        let keyboard = DeviceProfile(keys: Set(1...0x58).union([0x130]), axes: Devices.pad.axes)
        // These two have the numbers of the pad that they belong to.
        var touchpad = Devices.joystick
        touchpad.keys = [0x145, 0x14A, 0x14D, 0x14E, 0x14F, 0x130]
        var sensors = Devices.joystick
        sensors.keys = []
        for device in [mouse, keyboard, touchpad, sensors, DeviceProfile()] {
            #expect(PadMapping(of: device, in: database) == nil)
        }
        #expect(PadMapping(of: Devices.joystick, in: PadDatabase()) == nil, "a joystick that no row names")
    }

    @Test func `a row without a stick of the device is not used`() {
        let row = Devices.joystickRow.replacing("leftx:a0", with: "leftx:a60").replacing(
            "rightx:a2", with: "rightx:a61")
        #expect(PadMapping(of: Devices.joystick, in: PadDatabase(row)) == nil)
    }

    @Test func `a button cannot be a whole stick`() throws {
        let row = Devices.joystickRow.replacing("rightx:a2", with: "rightx:b3")
        let mapping = try #require(PadMapping(of: Devices.joystick, in: PadDatabase(row)))
        #expect(mapping.sources(of: .rightX).isEmpty)
    }
}
