internal import DockTypes
public import Gamepad
internal import Glibc

/// The place where a pad is plugged in: it finds one, reads it, and finds the next when it is gone.
public final class PadPort {
    /// What happened.
    public enum News {
        /// A pad was found, in this state.
        case arrived(PadFeed, PadState)
        /// A gamepad is there, but it cannot be used, for this reason. Each is named once.
        case unusable(String)
    }

    private let folder: String
    private let candidates: () -> [FoundPad]
    private var watch: FolderWatch?
    private var said: Set<String> = []
    /// The pad in use, or nil if there is none.
    public private(set) var feed: PadFeed?

    /// The most reasons that are remembered.
    private static let mostSaid = 64

    /// Creates a port.
    /// - Parameters:
    ///   - devices: the devices of the machine.
    ///   - database: what their buttons mean.
    ///   - wanted: the path of a device, or a part of its name; nil takes the first pad.
    public convenience init(_ devices: DeviceFolder, _ database: PadDatabase, wanted: String?) {
        self.init(watching: devices.path) {
            guard let wanted else { return devices.gamepads(database) }
            if wanted.hasPrefix("/") { return devices.gamepad(at: wanted, database).map { [$0] } ?? [] }
            return devices.gamepads(database).filter { $0.profile.name.lowercased().contains(wanted.lowercased()) }
        }
    }

    /// Creates a port that finds its pads elsewhere.
    /// - Parameters:
    ///   - folder: it looks again when something changes in this folder.
    ///   - candidates: returns the pads that are there now.
    public init(watching folder: String, _ candidates: @escaping () -> [FoundPad]) {
        (self.folder, self.candidates) = (folder, candidates)
    }

    /// The descriptors to wait for.
    public var descriptors: [Int32] { [watch?.descriptor, feed?.descriptor].compactMap { $0 } }

    /// Whether nothing reports a new device, so that `search` must be called now and then.
    public var isBlind: Bool { feed == nil && watch == nil }

    /// Looks for a pad, if there is none.
    public func search() -> [News] {
        if watch?.clear() == false { watch = nil }
        if watch == nil { watch = FolderWatch(folder) }
        guard feed == nil else { return [] }
        var news: [News] = []
        for found in candidates() {
            switch found.device {
            case .failure(let error):
                if said.count < Self.mostSaid, said.insert(found.path).inserted {
                    news.append(.unusable("\(error.message); \(error.hint)"))
                }
            case .success((let device, let mapping)):
                let feed = PadFeed(device, mapping)
                // It may be gone again.
                guard let state = feed.begin() else { continue }
                self.feed = feed
                said = []
                return news + [.arrived(feed, state)]
            }
        }
        return news
    }

    /// Gives the pad up, because it is gone.
    public func drop() { feed = nil }
}
