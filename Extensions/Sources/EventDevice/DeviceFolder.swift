public import DockTypes
public import Gamepad
internal import Glibc

/// A gamepad that was found.
public struct FoundPad {
    /// The path of its device.
    public let path: String
    /// What it says of itself. The ranges of its axes are unknown if it cannot be read.
    public let profile: DeviceProfile
    /// The device with its mapping, or why it cannot be used.
    public let device: Result<(any PadDevice, PadMapping), DockError>

    /// Creates a pad that was found.
    public init(path: String, profile: DeviceProfile, device: Result<(any PadDevice, PadMapping), DockError>) {
        (self.path, self.profile, self.device) = (path, profile, device)
    }
}

/// The input devices of this machine.
public struct DeviceFolder: Sendable {
    /// The folder of the devices, and the folder where the kernel describes them to every user.
    public let path: String, descriptions: String

    /// The most devices that are looked at.
    static let most = 256

    /// Names the folders. They differ in tests.
    public init(path: String = "/dev/input", descriptions: String = "/sys/class/input") {
        (self.path, self.descriptions) = (path, descriptions)
    }

    /// Whether the system has input devices at all.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// Returns the paths of all input devices, in the order of their numbers.
    public func paths() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int] = []
        while let entry = readdir(folder), numbers.count < Self.most {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("event"), let number = Int(name.dropFirst(5)), number >= 0 { numbers.append(number) }
        }
        return numbers.sorted().map { "\(path)/event\($0)" }
    }

    /// Returns all gamepads, with those that cannot be read.
    public func gamepads(_ database: PadDatabase) -> [FoundPad] { paths().compactMap { gamepad(at: $0, database) } }

    /// Returns the gamepad at a path, or nil if there is none.
    public func gamepad(at path: String, _ database: PadDatabase) -> FoundPad? {
        do throws(DockError) {
            let device = try EventDevice(path: path)
            guard let mapping = PadMapping(of: device.profile, in: database) else { return nil }
            return FoundPad(path: path, profile: device.profile, device: .success((device, mapping)))
        } catch {
            guard error.code == .permission, let profile = description(of: path) else { return nil }
            // Every user may know which keys a device has, so it is known what cannot be read.
            guard PadMapping(of: profile, in: database) != nil else { return nil }
            return FoundPad(path: path, profile: profile, device: .failure(error))
        }
    }

    func description(of path: String) -> DeviceProfile? {
        guard let name = path.split(separator: "/").last else { return nil }
        let folder = "\(descriptions)/\(name)/device"
        func number(_ file: String) -> UInt16 {
            Self.text("\(folder)/id/\(file)").flatMap { UInt16($0, radix: 16) } ?? 0
        }
        guard let keys = Self.text("\(folder)/capabilities/key"), let axes = Self.text("\(folder)/capabilities/abs")
        else {
            return nil
        }
        let unknown = AxisRange(low: -1, high: 1)
        return DeviceProfile(
            bus: number("bustype"), vendor: number("vendor"), product: number("product"), version: number("version"),
            name: Self.text("\(folder)/name") ?? "", keys: BitMap.members(keys),
            axes: Dictionary(uniqueKeysWithValues: BitMap.members(axes).map { ($0, unknown) }))
    }

    /// Reads a short file, without its line end.
    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
