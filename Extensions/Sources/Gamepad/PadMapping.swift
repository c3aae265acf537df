/// What the keys and axes of a device mean.
public struct PadMapping: Sendable, Equatable {
    /// Where a mapping comes from.
    public enum Origin: Sendable, Equatable {
        /// A row of the database for this very device, or for another version of it.
        case database(isOtherVersion: Bool)
        /// The kernel's gamepad specification, which the device's driver follows.
        case kernel
    }

    /// Where it comes from.
    public var origin: Origin
    let links: [PadLink]

    /// Finds the mapping of a device: its row of the database, else the kernel's specification. It is nil if the device
    /// is not a gamepad: a mouse, a keyboard, a touchpad, or a joystick that no row names.
    public init?(of device: DeviceProfile, in database: PadDatabase) {
        guard device.hasPadButtons else { return nil }
        if let (row, isOtherVersion) = database.row(for: device),
            let mapping = PadMapping(row.links(on: device), on: device, .database(isOtherVersion: isOtherVersion))
        {
            self = mapping
            return
        }
        guard device.followsSpecification,
            let mapping = PadMapping(KernelPad.links(on: device), on: device, .kernel)
        else { return nil }
        self = mapping
    }

    /// Keeps the links that the device has. The result is nil if there is no stick, or no button.
    init?(_ all: [PadLink], on device: DeviceProfile, _ origin: Origin) {
        links = all.filter { $0.fits(device) }
        self.origin = origin
        guard has(.leftX) && has(.leftY) || has(.rightX) && has(.rightY), !buttons.isEmpty else { return nil }
    }

    private func has(_ axis: PadAxis) -> Bool {
        links.contains { if case .stick(axis, _) = $0.target { true } else { false } }
    }

    /// The buttons that the device has.
    public var buttons: [PadButton] {
        PadButton.allCases.filter { button in links.contains { $0.target == .button(button) } }
    }

    /// Returns what means a button or a stick, for people: "key 0x130", "axis 0 inverted".
    public func sources(of button: PadButton) -> String { describe { $0 == .button(button) } }

    /// The same for a stick.
    public func sources(of axis: PadAxis) -> String {
        describe { if case .stick(axis, _) = $0 { true } else { false } }
    }

    private func describe(_ isMeant: (PadTarget) -> Bool) -> String {
        links.filter { isMeant($0.target) }.map { link in
            switch link.source {
            case .key(let code): "key 0x" + String(code, radix: 16)
            case .axis(let code, let part, let isInverted):
                "axis \(code)" + (part == .whole ? "" : part == .positive ? " +" : " -")
                    + (isInverted ? " inverted" : "")
            }
        }.joined(separator: ", ")
    }

    /// The device's own dead zones of the left and the right stick, as shares of the way to the end.
    public func flats(of device: DeviceProfile) -> (left: Double, right: Double) {
        var flats = (left: 0.0, right: 0.0)
        for link in links {
            guard case .stick(let axis, _) = link.target, case .axis(let code, _, _) = link.source else { continue }
            let flat = device.axes[code]?.flatShare ?? 0
            if axis == .leftX || axis == .leftY {
                flats.left = max(flats.left, flat)
            } else {
                flats.right = max(flats.right, flat)
            }
        }
        return flats
    }
}
