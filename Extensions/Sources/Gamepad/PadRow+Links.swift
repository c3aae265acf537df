extension PadRow {
    /// Finds the keys and axes of a device behind the row's numbers.
    func links(on device: DeviceProfile) -> [PadLink] {
        let numbers = DeviceNumbers(device)
        return entries.compactMap { entry in
            numbers.source(entry.place).map { PadLink(source: $0, target: entry.target) }
        }
    }
}

/// The numbers that SDL gives to the buttons, axes and hats of a device.
struct DeviceNumbers {
    private var buttons: [UInt16] = []
    private var axes: [UInt16] = []
    /// The first axis of each hat.
    private var hats: [UInt16] = []

    init(_ device: DeviceProfile) {
        // Buttons of joysticks and gamepads come first, then ordinary keys.
        let keys = device.keys.filter { Int($0) < EventCode.keyCount }.sorted()
        buttons = keys.filter { $0 >= EventCode.joystick } + keys.filter { $0 < EventCode.joystick }
        for code in stride(from: EventCode.firstHat, through: EventCode.lastHat, by: 2)
        where Self.isHat(device.axes[code]) && Self.isHat(device.axes[code + 1]) {
            hats.append(code)
        }
        axes = device.axes.keys.sorted().filter { code in
            Int(code) < EventCode.axisCount && !hats.contains(code) && !(code > 0 && hats.contains(code - 1))
        }
    }

    private static func isHat(_ range: AxisRange?) -> Bool { range?.low == -1 && range?.high == 1 }

    func source(_ place: PadRow.Place) -> PadSource? {
        switch place {
        case .button(let number): return buttons.indices.contains(number) ? .key(buttons[number]) : nil
        case .axis(let number, let part, let isInverted):
            return axes.indices.contains(number) ? .axis(axes[number], part, isInverted: isInverted) : nil
        case .hat(let number, let mask):
            guard hats.indices.contains(number) else { return nil }
            let isVertical = mask == 1 || mask == 4
            return .axis(hats[number] + (isVertical ? 1 : 0), mask == 1 || mask == 8 ? .negative : .positive)
        }
    }
}
