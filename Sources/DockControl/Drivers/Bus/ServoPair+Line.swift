internal import Geometry

extension RigProfile {
    /// Advice if the line is too slow for the rate of readings that smooth motion of bus servos needs. It is nil if it
    /// is fast enough, or if the rig has no bus servos.
    public var slowLine: String? {
        switch driver {
        case FeetechDriver.name: FeetechDriver(profile: self).pair.slowLine
        case DynamixelDriver.name: DynamixelDriver(profile: self).pair.slowLine
        default: nil
        }
    }
}

extension ServoPair {
    /// The fraction of the time that readings and goals may take on the line while the head moves. The rest is for
    /// adapters, for the servos' own delay, and for what is asked in between.
    private static var mostLoad: Double { 0.8 }

    fileprivate var slowLine: String? {
        let baud = profile.serial.baud, load = lineLoad(baud: baud)
        guard load > Self.mostLoad, let family = ServoFamily(profile) else { return nil }
        let rate = Int(FeedbackRate.moving * Self.mostLoad / load)
        let fit = family.bauds.filter { lineLoad(baud: $0) < Self.mostLoad }.min() ?? family.newBaud
        return
            "a line of \(baud) baud carries about \(rate) instead of \(Int(FeedbackRate.moving)) readings per second "
            + "while the head moves, so it moves less smoothly: set both servos to at least \(fit) baud "
            + "(`dockface servo id`), and `serial.baud` in the profile"
    }

    /// Returns the fraction of the time that readings and goals take on a line of this speed while the head moves.
    private func lineLoad(baud: Int) -> Double {
        let isShared = bus.read(bus.feedback, of: servos.map(\.id)) != nil
        let questions: [ServoQuestion] = isShared ? [.feedback] : [.feedbackOf(0), .feedbackOf(1)]
        let goals = bus.write(
            bus.goal, servos.map { ($0.id, bus.goalBytes($0.center, speed: fastest($0.axis))) })
        let bytes = questions.reduce(goals.count) {
            $0 + bus.frame($1, self).count + $1.answers * (bus.answerOverhead + bus.longestAnswer($1))
        }
        return Double(10 * bytes) / Double(baud) * FeedbackRate.moving
    }
}
