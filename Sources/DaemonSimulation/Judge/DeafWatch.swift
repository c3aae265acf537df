internal import Geometry

/// A dock that talks and does not hear while it is moved: its deadman stops it, its reports say so, and somebody listens.
struct DeafWatch {
    private var deafSince: Seconds?
    private var movingSince: Seconds?

    /// A dock must have heard a motion for its deadman to be able to end it, seconds.
    static let heard: Seconds = 0.3
    /// Its deadman, 500 ms of reports that tell of it, and two reports and a turn, seconds.
    static let longest: Seconds = 0.25 + 0.5 + 0.25

    mutating func deaf(at time: Seconds) {
        deafSince = movingSince.map { time - $0 > Self.heard } ?? false ? time : nil
    }

    /// It hears again, the loop is held, or it is stopped, greeted or lost: nothing is asked.
    mutating func forgive() { (deafSince, movingSince) = (nil, nil) }

    mutating func moves(at time: Seconds) { movingSince = movingSince ?? time }

    /// Time has passed, and being deaf is all that is wrong; what is wrong with the daemon, nil: nothing.
    func passed(to time: Seconds) -> String? {
        guard let deafSince, movingSince != nil, time > deafSince + Self.longest else { return nil }
        return "the dock does not hear for \(Int(1000 * (time - deafSince))) ms, and is neither stopped nor greeted"
    }
}
