internal import Geometry
internal import Glibc

/// The magnification of the camera's lens. The newest requested one is sent when the line is free. Where the lens is
/// comes from the camera, because a remote control may move it, too.
struct ViscaZoom: Sendable {
    /// The interval between two questions about the lens, in seconds: while it moves, and at rest.
    static let movingInterval: Seconds = 0.15, restInterval: Seconds = 2
    /// The time within which a lens begins to move, in seconds: the command's way to the camera, and two answers.
    static let startTime: Seconds = 0.4
    /// The longest time that a lens needs from end to end, in seconds. It is used only for a camera that does not
    /// report its lens. An estimate: the manuals give 2 to 4 s.
    static let longestTravel: Seconds = 4
    /// The difference between two answers below which the lens counts as stationary: 0.2 % of its way.
    static let jitter = 0x20
    /// The number of consecutive questions without an answer after which the camera counts as one that does not report
    /// its lens.
    static let attempts = 3

    /// The law of the lens, or nil if the profile does not state the camera's highest magnification.
    let law: LensLaw?
    /// The magnification that is requested and has not been sent yet.
    private var wanted: Double?
    /// The last magnification that was sent, and when; nil if the lens has been found elsewhere since.
    private var sent: (magnification: Double, at: Seconds)?
    /// When the camera is asked next.
    private(set) var due: Seconds = 0
    /// The last answer.
    private var place: Int?
    private var failures = 0
    /// The number of consecutive refusals of the requested magnification.
    private var refusals = 0
    /// What was last reported to the loop, and whether it is still to be reported.
    private var report = LensReport(magnification: 1, isMoving: false, time: 0)
    private var isNews = false

    init(profile: RigProfile) { law = LensLaw(options: profile.options) }

    /// The magnification range of the camera, or nil if the profile does not state it.
    var range: ClosedRange<Double>? { law.map { 1...$0.longest } }

    // MARK: requests

    mutating func want(_ magnification: Double) {
        (wanted, refusals) = (range.map { magnification.clamped(to: $0) }, 0)
    }

    /// Returns the position of the lens to send now, 0...0x4000, or nil if none is requested.
    mutating func next(now: Seconds) -> Int? {
        guard let magnification = wanted, let law else { return nil }
        (wanted, sent) = (nil, (magnification, now))
        due = now + Self.movingInterval
        set(report.magnification, isMoving: true, now: now)
        return law.place(of: magnification)
    }

    /// Records that the last magnification was refused. It is requested again, unless a newer one already is, until the
    /// camera has refused several times.
    mutating func refused(now: Seconds) {
        refusals += 1
        guard refusals < Self.attempts else {
            (wanted, sent, refusals) = (nil, nil, 0)
            return set(report.magnification, isMoving: false, now: now)
        }
        wanted = wanted ?? sent?.magnification
    }

    /// Whether the camera refused the last magnification. Its position is then asked first.
    var wasRefused: Bool { refusals > 0 }

    // MARK: the lens itself

    /// Begins to ask, because the camera was greeted.
    mutating func greeted(now: Seconds) { (due, place, failures) = (now, nil, 0) }

    /// Returns whether the camera must be asked now where its lens is.
    func isInquiryDue(now: Seconds) -> Bool { law != nil && failures < Self.attempts && now >= due }

    /// Records that the camera was asked.
    mutating func asked(now: Seconds) { due = now + (report.isMoving ? Self.movingInterval : Self.restInterval) }

    /// Records that the camera did not say where its lens is.
    mutating func unanswered() { failures += 1 }

    /// Records where the lens is.
    mutating func measured(_ place: Int, now: Seconds) {
        guard let law else { return }
        failures = 0
        if wanted == nil { refusals = 0 }
        let isMoving = self.place.map { abs($0 - place) > Self.jitter } ?? false
        let place = isMoving ? place : self.place ?? place
        self.place = place
        let isStarting = sent.map { now - $0.at < Self.startTime } ?? false
        if isMoving || isStarting {
            due = min(due, now + Self.movingInterval)
            return set(law.magnification(at: place), isMoving: true, now: now)
        }
        sent = nil
        set(law.magnification(at: place), isMoving: false, now: now)
    }

    /// Returns the news about the lens, once. The lens of a camera that does not report it is assumed to have arrived
    /// after the longest time. One that a remote control moved is assumed to be where it was last.
    mutating func takeReport(now: Seconds) -> LensReport? {
        let isOver = sent.map { now - $0.at >= Self.longestTravel } ?? true
        if failures >= Self.attempts, report.isMoving, isOver {
            set(sent?.magnification ?? report.magnification, isMoving: false, now: now)
            sent = nil
        }
        guard isNews else { return nil }
        isNews = false
        return report
    }

    private mutating func set(_ magnification: Double, isMoving: Bool, now: Seconds) {
        isNews = isNews || magnification != report.magnification || isMoving != report.isMoving
        report = LensReport(magnification: magnification, isMoving: isMoving, time: now)
    }
}

/// How the positions of a lens, 0 (wide) to 0x4000 (the end of the optical zoom), correspond to magnifications.
struct LensLaw: Sendable, Equatable {
    /// The magnification at 0x4000.
    let longest: Double
    /// The shape between both ends: 0 means that equal steps of the position magnify by equal factors. Many block
    /// cameras are faster at the wide end: the EVI-D70's manual gives 48 degrees at 0 and the 4.3 degrees of an EVI-D30
    /// at 0x3B4B, which is 0.4.
    let curve: Double

    /// Reads the law from a profile's options. The result is nil if they do not state the highest magnification.
    init?(options: [String: Double]) {
        guard let most = options["zoom_max"], most > 1 else { return nil }
        (longest, curve) = (most, options["zoom_curve"] ?? 0)
    }

    /// The end of the optical zoom, and the position at which the digital zoom that follows would be infinite (Sony's
    /// tables: 2x at 0x6000, 4x at 0x7000).
    private static let end = 0x4000, digitalEnd = 0x8000

    /// Returns the position of a magnification, 0...0x4000.
    func place(of magnification: Double) -> Int {
        let share =
            curve < 0.01
            ? log(magnification) / log(longest) : (1 - pow(magnification, -curve)) / (1 - pow(longest, -curve))
        return Int((Double(Self.end) * share.clamped(to: 0...1)).rounded())
    }

    /// Returns the magnification at a position, including that of the digital zoom.
    func magnification(at place: Int) -> Double {
        guard place <= Self.end else {
            return longest * Double(Self.end) / Double(Self.digitalEnd - min(place, 0x7C00))
        }
        let share = max(0, Double(place)) / Double(Self.end)
        if curve < 0.01 { return pow(longest, share) }
        return pow(1 - share * (1 - pow(longest, -curve)), -1 / curve)
    }
}
