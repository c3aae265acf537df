/// The layout that the kernel's gamepad specification prescribes to its drivers.
enum KernelPad {
    private static let buttons: [(UInt16, PadButton)] = [
        (0x130, .south), (0x131, .east), (0x133, .north), (0x134, .west), (0x136, .leftShoulder),
        (0x137, .rightShoulder), (0x138, .leftTrigger), (0x139, .rightTrigger), (0x13A, .back), (0x13B, .start),
        (0x13C, .guide), (0x13D, .leftStick), (0x13E, .rightStick), (0x220, .up), (0x221, .down), (0x222, .left),
        (0x223, .right),
    ]
    private static let sticks: [(UInt16, PadAxis)] = [(0, .leftX), (1, .leftY), (3, .rightX), (4, .rightY)]
    private static let triggers: [(UInt16, PadButton)] = [
        (2, .leftTrigger), (5, .rightTrigger), (0x15, .leftTrigger), (0x14, .rightTrigger),
    ]
    private static let hat: [(UInt16, AxisPart, PadButton)] = [
        (0x11, .negative, .up), (0x11, .positive, .down), (0x10, .negative, .left), (0x10, .positive, .right),
    ]

    static func links(on device: DeviceProfile) -> [PadLink] {
        var links = buttons.map { PadLink(source: .key($0), target: .button(swapped($1, on: device))) }
        links += sticks.map { PadLink(source: .axis($0, .whole), target: .stick($1)) }
        // A trigger that is a key already needs no axis.
        links += triggers.filter { trigger in
            !links.contains { $0.target == .button(trigger.1) && $0.fits(device) }
        }.map { PadLink(source: .axis($0, .whole), target: .button($1)) }
        links += hat.map { PadLink(source: .axis($0, $1), target: .button($2)) }
        return links
    }

    /// The driver of Microsoft's pads reports X and Y by their letters instead of their places.
    private static func swapped(_ button: PadButton, on device: DeviceProfile) -> PadButton {
        guard device.vendor == 0x045E || device.name.contains("X-Box") || device.name.contains("Xbox") else {
            return button
        }
        return button == .north ? .west : button == .west ? .north : button
    }
}
