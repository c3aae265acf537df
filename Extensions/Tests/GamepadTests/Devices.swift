import Gamepad

/// Devices for tests.
enum Devices {
    static let stick = AxisRange(low: -32768, high: 32767, flat: 128)
    static let hat = AxisRange(low: -1, high: 1)
    static let buttons: Set<UInt16> = [
        0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13C, 0x13D, 0x13E,
    ]

    /// A pad whose driver follows the kernel's specification.
    static let pad = DeviceProfile(
        vendor: 0x1234, product: 0x5678, version: 0x0110, name: "Test Pad", keys: buttons,
        axes: [
            0: stick, 1: stick, 2: AxisRange(low: 0, high: 255), 3: stick, 4: stick, 5: AxisRange(low: 0, high: 255),
            0x10: hat, 0x11: hat,
        ])

    /// An old joystick: buttons from 0x120, five axes of a byte, one hat. Only the database knows it.
    static let joystick = DeviceProfile(
        vendor: 0x0079, product: 0x0006, version: 0x0110, name: "Old Joystick", keys: Set(0x120...0x12B),
        axes: [
            0: AxisRange(low: 0, high: 255, flat: 15), 1: AxisRange(low: 0, high: 255, flat: 15),
            2: AxisRange(low: 0, high: 255), 5: AxisRange(low: 0, high: 255), 6: AxisRange(low: 0, high: 255),
            0x10: hat, 0x11: hat,
        ])

    static let joystickRow = """
        03000000790000000600000010010000,Old Joystick,a:b2,b:b1,back:b8,dpdown:h0.4,dpleft:h0.8,dpright:h0.2,dpup:h0.1,\
        leftshoulder:b4,leftx:a0,lefty:a1,rightshoulder:b5,rightx:a2,righty:a3~,start:b9,x:b3,y:b0,platform:Linux,
        """

    static func decoder(_ device: DeviceProfile, _ text: String = "") -> PadDecoder? {
        PadMapping(of: device, in: PadDatabase(text)).map { PadDecoder($0, device) }
    }
}

extension PadDecoder {
    /// Takes events and the end of their frame.
    mutating func frame(_ events: (type: UInt16, code: UInt16, value: Int32)...) -> Output? {
        for event in events { _ = receive(DeviceEvent(type: event.type, code: event.code, value: event.value)) }
        return receive(DeviceEvent(type: EventCode.sync, code: EventCode.report, value: 0))
    }
}
