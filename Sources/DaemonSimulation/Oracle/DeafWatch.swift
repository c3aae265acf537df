internal import Geometry

/// A dock that sends reports but does not receive while it is moved. Its deadman timer stops it, its reports show that,
/// and the daemon must notice.
struct DeafWatch {
    private var deafSince: Seconds?
    private var movingSince: Seconds?

    /// A dock must have received set-points for this long before its deadman timer can end the motion, seconds.
    static let heard: Seconds = 0.3
    /// The deadman time, 500 ms of reports that show it, two more reports and a turn, seconds.
    static let longest: Seconds = 0.25 + 0.5 + 0.25

    mutating func deaf(at time: Seconds) {
        deafSince = movingSince.map { time - $0 > Self.heard } ?? false ? time : nil
    }

    /// Requires nothing: the dock receives again, the loop is held, or the dock was stopped, greeted or lost.
    mutating func forgive() { (deafSince, movingSince) = (nil, nil) }

    mutating func moves(at time: Seconds) { movingSince = movingSince ?? time }

    /// Advances the time while deafness is the only fault. Returns what the daemon does wrong, or nil.
    func passed(to time: Seconds) -> String? {
        guard let deafSince, movingSince != nil, time > deafSince + Self.longest else { return nil }
        return "the dock has not received for \(Int(1000 * (time - deafSince))) ms, and was neither stopped nor greeted"
    }
}
