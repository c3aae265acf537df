internal import Geometry

/// The servos that the board cannot reach. During that time, the board reports it (T:1005) in every iteration of its
/// loop, about 100 times a second. One or two such reports only mean that an answer was lost on the board's bus.
struct MissingServos: Sendable, Equatable {
    /// The number of reports that mean that a servo is missing, if none is later than `patience` after the one before.
    static let enough = 5
    static let patience: Seconds = 0.3
    /// The time without a report after which all servos count as available again, in seconds.
    static let recovery: Seconds = 1

    private var counts: [Int: (count: Int, last: Seconds)] = [:]
    /// The servo that is missing.
    private(set) var id: Int?

    static func == (a: Self, b: Self) -> Bool {
        a.id == b.id && a.counts.mapValues(\.last) == b.counts.mapValues(\.last)
    }

    /// Records that a servo does not answer the board. Returns true if the servo now counts as missing.
    mutating func missed(_ servo: Int, now: Seconds) -> Bool {
        let before = counts[servo] ?? (0, now)
        // IDs are bytes, so a corrupt line cannot fill the memory.
        guard (0...255).contains(servo) else { return false }
        counts[servo] = (now - before.last <= Self.patience ? min(before.count + 1, Self.enough) : 1, now)
        guard id == nil, counts[servo]?.count == Self.enough else { return false }
        id = servo
        return true
    }

    /// Returns true if all servos are available again.
    mutating func hasRecovered(now: Seconds) -> Bool {
        guard let id, now - (counts[id]?.last ?? now) > Self.recovery else { return false }
        self.id = nil
        return true
    }
}

/// Handles the board's messages.
extension WaveshareDriver {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        for byte in bytes {
            guard let line = lines.push(byte) else { continue }
            switch line.object["T"] {
            case 1001: feedback(line.object, now: now, into: &reports)
            case 1005: missed(line.object, now: now, into: &reports)
            case 210: echoed(line.text, into: &reports)
            default: break
            }
        }
    }

    private mutating func feedback(_ object: FlatObject, now: Seconds, into reports: inout [DockReport]) {
        guard phase != .closed, let pan = object["pan"], let tilt = object["tilt"] else { return }
        // The servos turn by at most one turn, and report a little more at the end of their range.
        guard abs(pan) <= 190, abs(tilt) <= 190 else { return }
        let new = PanTilt.degrees(pan: pan, tilt: tilt)
        guard likely.isLikely(new, at: now) else { return }
        measured.record(new, measuredAt: now, now: now)
        if phase == .greeting { identified(into: &reports) }
        let sample = MotionSample(time: now, pose: profile.mirrored(new), rate: profile.mirrored(measured.rate))
        reports.append(.motion(sample, deadmanTripped: false))
        // The value is 0 if the board has no supply of its own. The board needs 7 to 13 V.
        if abilities.reportsBattery, let volts = object["v"], (5...30).contains(volts) {
            reports.append(.battery(BatteryState(level: nil, charge: .notCharging, isLow: false, voltage: volts)))
        }
        if missing.hasRecovered(now: now) { reports.append(.faultCleared) }
    }

    private mutating func identified(into reports: inout [DockReport]) {
        // The board has no unique number and reports no version.
        reports.append(
            .identified(DockIdentity(model: "Waveshare pan-tilt", firmware: "unknown", uid: "waveshare-pan-tilt")))
        phase = .configuring
        guard torque.isMotionless else { return echo.want(true, now: latest) }
        if torque.isReleased { echo.want(false, now: latest) }
        becomeReady(into: &reports)
    }

    private mutating func echoed(_ text: [UInt8], into reports: inout [DockReport]) {
        guard let on = echo.confirm(text) else { return }
        if on {
            hold.begin(at: latest)
            if phase == .configuring { becomeReady(into: &reports) }
        } else if torque.confirmRelease() {
            reports.append(.released)
        }
    }

    private mutating func becomeReady(into reports: inout [DockReport]) {
        phase = .ready
        reporting.restart(now: latest)
        reports.append(.ready)
    }

    private mutating func missed(_ object: FlatObject, now: Seconds, into reports: inout [DockReport]) {
        guard let number = object["id"], (0...255).contains(number), missing.missed(Int(number), now: now) else {
            return
        }
        let ids = (pan: profile.options["pan_id"] ?? 2, tilt: profile.options["tilt_id"] ?? 1)
        let axis = number == ids.pan ? "pan " : number == ids.tilt ? "tilt " : ""
        reports.append(
            .disobeys(
                "the \(axis)servo with id \(Int(number)) does not answer its board: check its plug and its supply"))
        reports.append(.fault(.device))
    }
}
