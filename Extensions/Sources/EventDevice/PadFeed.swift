public import Gamepad

/// A device of which the pad's state is read. Tests use others than the kernel's.
public protocol PadDevice: AnyObject {
    /// The descriptor to wait for.
    var descriptor: Int32 { get }
    /// What the device says of itself.
    var profile: DeviceProfile { get }
    /// Reads what waits.
    func read() -> EventReader.Reading
    /// Asks for all pressed keys and the values of all axes; nil if the device is gone.
    func snapshot() -> (keys: Set<UInt16>, axes: [UInt16: Int32])?
}

extension EventDevice: PadDevice {}

/// The states of a pad, read from its device.
public final class PadFeed {
    /// What a reading brought.
    public enum Reading: Equatable {
        /// The states of the complete frames, in order; none if nothing changed.
        case states([PadState])
        /// The pad is gone, for this reason.
        case gone(String)
    }

    private let device: any PadDevice
    private var decoder: PadDecoder
    /// What the keys and axes of the device mean.
    public let mapping: PadMapping

    /// Creates a feed of a device.
    public init(_ device: any PadDevice, _ mapping: PadMapping) {
        (self.device, self.mapping) = (device, mapping)
        decoder = PadDecoder(mapping, device.profile)
    }

    /// The descriptor to wait for.
    public var descriptor: Int32 { device.descriptor }
    /// What the device says of itself.
    public var profile: DeviceProfile { device.profile }

    /// Returns the state at the beginning, or nil if the device is gone.
    public func begin() -> PadState? { resync() ? decoder.state : nil }

    /// Reads what waits, at most `EventReader.most` events.
    public func read() -> Reading {
        switch device.read() {
        case .nothing: return .states([])
        case .gone(let number):
            return .gone(number == 0 || number == Self.noDevice ? "it was unplugged" : "it cannot be read")
        case .events(let events):
            var states: [PadState] = []
            for event in events {
                switch decoder.receive(event) {
                case nil: continue
                case .frame: break
                case .resync: guard resync() else { return .gone("it was unplugged") }
                }
                states.append(decoder.state)
            }
            return .states(states)
        }
    }

    private func resync() -> Bool {
        guard let now = device.snapshot() else { return false }
        decoder.resync(keys: now.keys, axes: now.axes)
        return true
    }

    /// ENODEV.
    private static let noDevice: Int32 = 19
}
