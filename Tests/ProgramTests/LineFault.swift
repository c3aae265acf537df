import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

/// What happens to a dock or its line in the fault matrix.
enum LineFault: String, CaseIterable {
    case someLost = "5 % of the bytes lost"
    case someInserted = "5 % of the bytes inserted"
    case someFlipped = "5 % of the bytes with a wrong bit"
    case allLost = "all bytes lost"
    case delay = "2 s late, both ways"
    case mute = "the dock is mute"
    case deaf = "half open: the dock is deaf"
    case cut = "unplugged in mid-frame"
    case reboot = "the dock reboots"
    case bootText = "... and prints boot messages"
    case busy = "unplugged, then the port is busy"
    case blocked = "a motor is blocked"
    case button = "the dock's emergency button"

    /// Set-points still get through, so the motion may continue.
    var isLossy: Bool { self == .someLost || self == .someInserted || self == .someFlipped }
    /// It must be cleared by hand.
    var isLatched: Bool { self == .blocked || self == .button }
    /// It is over at once.
    var isInstant: Bool { self == .reboot || self == .bootText }

    /// The state that must be reported in the end.
    var name: String? {
        switch self {
        case .someLost, .someInserted, .someFlipped: nil  // counted: invalid bytes
        case .allLost, .delay, .mute, .deaf: "noAnswer"
        case .cut: "unplugged"
        case .reboot, .bootText: "greeting"
        case .busy: "portBusy"
        case .blocked: "stall"
        case .button: "emergencyStop"
        }
    }

    /// The line during the fault.
    var faults: SimulatedDock.Faults {
        switch self {
        case .someLost: return .line(LineFaults(drop: 0.05))
        case .someInserted: return .line(LineFaults(insert: 0.05))
        case .someFlipped: return .line(LineFaults(flip: 0.05))
        case .allLost: return .line(LineFaults(drop: 1))
        case .delay: return .line(LineFaults(delay: 2))
        case .mute, .deaf, .bootText, .blocked:
            var faults = SimulatedDock.Faults()
            faults.isMute = self == .mute
            faults.isDeaf = self == .deaf
            faults.blocked = self == .blocked ? [.pan] : []
            faults.bootText = self == .bootText ? SimulatedDock.Faults.bootLoaderText : ""
            return faults
        case .cut, .reboot, .busy, .button: return SimulatedDock.Faults()
        }
    }
}

/// What moves the axis when the fault strikes.
enum Mover: String, CaseIterable {
    case tracking, manual, animating

    /// The highest commanded speed, rad/s.
    var speed: Double { self == .manual ? .degrees(40) : .degrees(120) }
    /// Above this speed it is really moving, and not braking, rad/s.
    var turning: Double { self == .manual ? .degrees(30) : .degrees(20) }
}

/// A dock whose port another program may hold.
final class FragilePort {
    let dock: SimulatedDockPort
    let path: String
    private let ownsLink: Bool
    private var holder: Int32 = -1

    init(_ fault: LineFault, _ mover: Mover) throws {
        var configuration = SimulatedDock.Configuration(model: .good, seed: 11)
        // Enough room to turn to the right.
        configuration.pose = .degrees(pan: mover == .animating ? 0 : -150, tilt: 0)
        path = TemporaryFile.freePath("fault-\(fault)-\(mover)")
        ownsLink = fault == .busy
        dock = try SimulatedDockPort(configuration: configuration, link: ownsLink ? nil : path)
        if ownsLink { symlink(dock.path, path) }
    }

    deinit {
        free()
        if ownsLink { unlink(path) }
        dock.close()
    }

    /// Starts the fault.
    func strike(_ fault: LineFault) {
        dock.faults = fault.faults
        switch fault {
        case .reboot, .bootText: dock.reboot()
        case .cut: dock.unplug(afterHostBytes: 10)
        case .button: dock.emergency(true)
        case .busy:
            unlink(path)
            dock.unplug()
        default: break
        }
    }

    /// The dock comes back, and another program opens it first.
    func occupy() throws {
        try dock.replug()
        holder = open(dock.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard holder >= 0, flock(holder, LOCK_EX | LOCK_NB) == 0 else { throw Silence(description: "cannot lock") }
        symlink(dock.path, path)
    }

    /// Ends the fault.
    func mend(_ fault: LineFault) throws {
        dock.faults = SimulatedDock.Faults()
        if fault == .cut { try dock.replug(rebooted: false) }
        if fault == .button { dock.emergency(false) }
        free()
    }

    private func free() {
        if holder >= 0 { close(holder) }
        holder = -1
    }
}
