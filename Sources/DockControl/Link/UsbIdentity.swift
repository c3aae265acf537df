/// The USB device behind a port: what the device reports about itself, and where it is plugged in.
public struct UsbIdentity: Sendable, Equatable {
    /// The vendor's number.
    public var vendor: Int
    /// The vendor's number for the product.
    public var product: Int
    /// The device's own serial number, or nil if it has none, as is the case with most CH340 boards.
    public var serial: String?
    /// Where it is plugged in: host controller, chain of USB ports, and interface, "0000:00:14.0/1.2:00". A socket
    /// keeps its position across reboots of the machine.
    public var place: String

    /// Creates an identity from what a device reports about itself and where it is plugged in.
    public init(vendor: Int, product: Int, serial: String?, place: String) {
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.place = place
    }

    /// Returns whether two identities belong to one device. A device with a serial number is recognised by it, wherever
    /// it is plugged in. Any other device is recognised by its position. A device with several ports (a Maestro has
    /// two) is compared port by port.
    public func isSame(as other: UsbIdentity) -> Bool {
        guard vendor == other.vendor, product == other.product, interface == other.interface else { return false }
        if ownNumber != nil || other.ownNumber != nil { return ownNumber == other.ownNumber }
        return place == other.place
    }

    /// The serial number, if it identifies a single device. Many adapters leave the factory with the same number.
    public var ownNumber: String? { serial.flatMap { Self.defaults.contains($0) ? nil : $0 } }

    /// The numbers that CP210x, PL2303 and others report until they are given their own.
    private static let defaults: Set<String> = ["0", "0000", "00000000", "0001", "1", "123456", "0123456789ABCDEF"]

    private var interface: Substring? { place.split(separator: ":").last }

    /// Whether it is a chip that is used in cables and boards of all kinds, so that its numbers do not identify the
    /// device behind it.
    public var isBridge: Bool { Self.bridges.contains { $0.vendor == vendor && $0.products.contains(product) } }

    /// The bridges of FTDI, Silicon Labs, WCH and Prolific (usb.ids).
    private static let bridges: [(vendor: Int, products: Set<Int>)] = [
        (0x0403, [0x6001, 0x6010, 0x6011, 0x6014, 0x6015]), (0x10C4, [0xEA60, 0xEA70, 0xEA71]),
        (0x1A86, [0x5523, 0x55D2, 0x55D3, 0x55D4, 0x7522, 0x7523]), (0x067B, [0x2303, 0x23A3, 0x23C3]),
    ]
}
