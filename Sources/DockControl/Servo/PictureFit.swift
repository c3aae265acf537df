internal import Glibc
public import Geometry

/// How far the times of pictures are off, from how a face that stays where it is moved in them while the head went to and fro.
///
/// The model is bearing = c - gain x position(exposure - late), with a `c` of its own in every stroke (nobody sits quite still).
/// `c` and the gain follow from linear least squares; `late`, which the axes share, is searched on a grid and refined. What is
/// minimised is, as in `ResponseFit`, the sum over the axes of n log(squared error).
public struct PictureFit: Sendable, Equatable {
    /// A face in one picture.
    public struct Sighting: Sendable, Equatable {
        /// When the picture was taken, as far as is known; CLOCK_MONOTONIC.
        public var exposure: Seconds
        /// Whose it is.
        public var subject: Int
        /// Where the camera saw it, + = right of its axis, above it; radians.
        public var bearing: PanTilt

        /// A subject's bearing (rad) at a time.
        public init(exposure: Seconds, subject: Int, bearing: PanTilt) {
            self.exposure = exposure
            self.subject = subject
            self.bearing = bearing
        }
    }

    /// One axis while it went to and fro, and what was seen meanwhile.
    public struct Take: Sendable {
        /// Which axis.
        public var axis: Axis
        /// Where it was.
        public var recording: MotionRecording
        /// What the camera saw, oldest first.
        public var sightings: [Sighting]

        /// An axis, its motion, and the sightings of that time.
        public init(axis: Axis, recording: MotionRecording, sightings: [Sighting]) {
            self.axis = axis
            self.recording = recording
            self.sightings = sightings
        }
    }

    /// What the picture made of one axis.
    public struct Response: Sendable, Equatable {
        /// Which.
        public var axis: Axis
        /// The picture's motion by the head's: 1 where the field of view is right, negative where the picture or the axis is
        /// the wrong way round.
        public var gain: Double
        /// Share of the picture's motion that is not the head's, 0...1.
        public var unexplained: Double

        /// All parts.
        public init(axis: Axis, gain: Double, unexplained: Double) {
            self.axis = axis
            self.gain = gain
            self.unexplained = unexplained
        }
    }

    /// Pictures were taken so much earlier than they say; negative: later; seconds.
    public var late: Seconds
    /// Standard error of that, seconds.
    public var error: Seconds
    /// The axes whose pictures could be used.
    public var axes: [Response]

    /// Times that are off by more are not looked for, seconds.
    public static let range: ClosedRange<Seconds> = -0.3...0.6
    /// Whoever is the cause of a greater share of the picture's motion did not sit still.
    public static let most = 0.25
    /// Fewer sightings in a take say nothing.
    static let fewest = 30

    /// A result of its parts.
    public init(late: Seconds, error: Seconds, axes: [Response]) {
        self.late = late
        self.error = error
        self.axes = axes
    }

    /// Fits what was recorded; a take without enough sightings is left out.
    /// - Returns: nil where there is too little to fit, or the face did not stay where it was.
    public init?(_ takes: [Take]) {
        // One axis may have been shown somebody who moved: only the other one counts then.
        let views = takes.compactMap(View.init).filter { view in
            let fit = view.fit(Self.best { view.fit($0).cost })
            return fit.unexplained < Self.most && (0.2...5).contains(abs(fit.gain))
        }
        guard !views.isEmpty else { return nil }
        func cost(_ late: Seconds) -> Double { views.reduce(0) { $0 + $1.fit(late).cost } }
        late = Self.best(cost)
        axes = views.map { [late] view in
            let fit = view.fit(late)
            return Response(axis: view.axis, gain: fit.gain, unexplained: fit.unexplained)
        }
        // A parabola through the cost: an error of one in it is half of n log(squares).
        let step = 0.005
        let bend = (cost(late - step) - 2 * cost(late) + cost(late + step)) / (step * step)
        error = bend > 0 ? (2 / bend).squareRoot() : .infinity
        guard late > Self.range.lowerBound + 0.002, late < Self.range.upperBound - 0.002, error < 0.02 else {
            return nil
        }
    }

    private static func best(_ cost: (Seconds) -> Double) -> Seconds {
        ResponseFit.least(of: cost, from: range.lowerBound, to: range.upperBound, steps: 60, finest: 0.000_5)
    }

    /// One take, cut into its strokes.
    private struct View {
        let axis: Axis
        let readings: [MotionRecording.Reading]
        let strokes: [[Sighting]]

        init?(_ take: Take) {
            axis = take.axis
            readings = take.recording.readings
            let cuts = take.recording.cuts
            guard readings.count >= 2 else { return nil }
            // Each face has a place of its own.
            let faces = Set(take.sightings.map(\.subject)).sorted()
            strokes = zip(cuts, cuts.dropFirst()).flatMap { begin, end in
                let seen = take.sightings.filter { $0.exposure >= begin && $0.exposure < end }
                return faces.map { face in seen.filter { $0.subject == face } }
            }.filter { $0.count >= 3 }
            guard strokes.reduce(0, { $0 + $1.count }) >= PictureFit.fewest else { return nil }
        }

        func fit(_ late: Seconds) -> (cost: Double, gain: Double, unexplained: Double) {
            var both = 0.0, own = 0.0, spread = 0.0, count = 0
            var next = 0
            for stroke in strokes {
                let places = stroke.map { position(at: $0.exposure - late, from: &next) }
                let mean = places.reduce(0, +) / Double(places.count)
                let middle = stroke.reduce(0) { $0 + $1.bearing[axis] } / Double(stroke.count)
                for (place, sighting) in zip(places, stroke) {
                    let moved = place - mean, seen = sighting.bearing[axis] - middle
                    both += moved * seen
                    own += moved * moved
                    spread += seen * seen
                }
                count += stroke.count
            }
            guard own > 1e-6, spread > 1e-9 else { return (0, 0, 1) }
            let squares = max(spread - both * both / own, 1e-12)
            return (Double(count) * log(squares), -both / own, (squares / spread).squareRoot())
        }

        /// Where the axis was, between two reports in a straight line. `next`: where the last search ended; times rise.
        private func position(at time: Seconds, from next: inout Int) -> Double {
            if next >= readings.count || readings[next].time > time { next = 0 }
            while next + 1 < readings.count, readings[next + 1].time <= time { next += 1 }
            guard next + 1 < readings.count, time > readings[next].time else { return readings[next].position }
            let (a, b) = (readings[next], readings[next + 1])
            return a.position + (b.position - a.position) * (time - a.time) / (b.time - a.time)
        }
    }
}
