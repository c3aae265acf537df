internal import Glibc
public import Geometry

/// The error of the times of frames, measured on a face that stays in place while the head moves back and forth.
///
/// The model is bearing = c - gain x position(exposure - late), with a separate `c` for every stroke, because people do
/// not sit perfectly still. `c` and the gain follow from linear least squares. `late`, which the axes share, is
/// searched on a grid and refined. As in `ResponseFit`, the minimised quantity is the sum over the axes of n
/// log(squared error).
public struct PictureFit: Sendable, Equatable {
    /// A face in one frame.
    public struct Sighting: Sendable, Equatable {
        /// When the frame was taken, as far as is known; CLOCK_MONOTONIC.
        public var exposure: Seconds
        /// The number of the subject.
        public var subject: Int
        /// The direction in which the camera saw it, in radians. Positive values are right of its axis, and above it.
        public var bearing: PanTilt

        /// Creates a sighting of a subject at a bearing (rad) and a time.
        public init(exposure: Seconds, subject: Int, bearing: PanTilt) {
            self.exposure = exposure
            self.subject = subject
            self.bearing = bearing
        }
    }

    /// The motion of one axis back and forth, and the camera's sightings during that time.
    public struct Take: Sendable {
        /// The axis.
        public var axis: Axis
        /// Its motion.
        public var recording: MotionRecording
        /// The camera's sightings, oldest first.
        public var sightings: [Sighting]

        /// Creates a take from an axis, its motion and the sightings of that time.
        public init(axis: Axis, recording: MotionRecording, sightings: [Sighting]) {
            self.axis = axis
            self.recording = recording
            self.sightings = sightings
        }
    }

    /// How the image responded to one axis.
    public struct Response: Sendable, Equatable {
        /// The axis.
        public var axis: Axis
        /// The motion of the image divided by the motion of the head: 1 if the field of view is correct, negative if
        /// the image or the axis is reversed.
        public var gain: Double
        /// The fraction of the image's motion that the head did not cause, 0...1.
        public var unexplained: Double

        /// Creates a response from its parts.
        public init(axis: Axis, gain: Double, unexplained: Double) {
            self.axis = axis
            self.gain = gain
            self.unexplained = unexplained
        }
    }

    /// How much earlier frames were taken than their stated times; negative if later; in seconds.
    public var late: Seconds
    /// The standard error of `late`, in seconds.
    public var error: Seconds
    /// The axes whose frames could be used.
    public var axes: [Response]

    /// The range that is searched, in seconds.
    public static let range: ClosedRange<Seconds> = -0.3...0.6
    /// The fraction of the image's motion that a person who sits still may cause at most.
    public static let most = 0.25
    /// The minimum number of sightings in a take.
    static let fewest = 30

    /// Creates a result from its parts.
    public init(late: Seconds, error: Seconds, axes: [Response]) {
        self.late = late
        self.error = error
        self.axes = axes
    }

    /// Fits the recordings. A take with too few sightings is left out.
    /// - Returns: nil if there is too little to fit, or the face did not stay in place.
    public init?(_ takes: [Take]) {
        // One axis may have seen a person who moved. Only the other axis then counts.
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
        // A parabola is fitted to the cost: one standard error adds one half to n log(squares).
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

    /// One take, split into its strokes.
    private struct View {
        let axis: Axis
        let readings: [MotionRecording.Reading]
        let strokes: [[Sighting]]

        init?(_ take: Take) {
            axis = take.axis
            readings = take.recording.readings
            let cuts = take.recording.cuts
            guard readings.count >= 2 else { return nil }
            // Each face has its own position.
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

        /// Returns the position of the axis, interpolated linearly between two reports. `next`: where the last search
        /// ended, because times ascend.
        private func position(at time: Seconds, from next: inout Int) -> Double {
            if next >= readings.count || readings[next].time > time { next = 0 }
            while next + 1 < readings.count, readings[next + 1].time <= time { next += 1 }
            guard next + 1 < readings.count, time > readings[next].time else { return readings[next].position }
            let (a, b) = (readings[next], readings[next + 1])
            return a.position + (b.position - a.position) * (time - a.time) / (b.time - a.time)
        }
    }
}
