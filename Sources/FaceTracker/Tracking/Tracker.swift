public import Geometry

/// Turns rectangles into subjects with lasting numbers.
///
/// Every frame is passed to `update`, even one without faces. A subject is created by two hits (or at once by a high
/// score), is predicted while it is unseen, and is recognised again within `TrackerOptions.retention`. Numbers are never reused.
public struct Tracker: Sendable {
    /// The options.
    public let options: TrackerOptions
    /// The subjects after the last frame, ordered by id: those in sight, and those unseen for at most `coasting`.
    public private(set) var subjects: [TrackedSubject] = []

    private var tracks: [Track] = []
    private var association = Association()
    private var commonShift = CommonShift()
    private var prior: MotionPrior
    private var nextID = 1
    private var lastExposure: Seconds?
    private var period: Seconds = 0.1
    private var order: [Ranked] = []

    /// A subject's index in `subjects`, and its salience.
    private struct Ranked {
        var salience: Double
        var index: Int
    }

    /// Creates a tracker that has seen nothing yet.
    public init(options: TrackerOptions = TrackerOptions()) {
        self.options = options
        prior = MotionPrior(options)
    }

    /// Forgets all subjects. Their IDs are not reused.
    public mutating func reset() {
        tracks.removeAll(keepingCapacity: true)
        subjects.removeAll(keepingCapacity: true)
        prior = MotionPrior(options)
        commonShift = CommonShift()
        lastExposure = nil
    }

    /// Sets the selected subjects, which are remembered for longer than others (`keptMemory`).
    public mutating func keep(_ ids: [Int]) {
        for index in tracks.indices { tracks[index].isKept = ids.contains(tracks[index].id) }
    }

    /// Whether the number is that of a subject which is in sight, or may still return.
    public func knows(_ id: Int) -> Bool { tracks.contains { $0.isConfirmed && $0.id == id } }

    /// Processes a frame. `cameraShift` is how far the stationary world moved in the frame since the previous one.
    /// `distances` are those that depth cameras measure now; of two about one subject, the later one counts.
    public mutating func update(
        _ frame: DetectionFrame, cameraShift: PictureShift = .zero, distances: [MeasuredDistance] = []
    ) {
        let time = frame.exposure
        let elapsed = max(0, time - (lastExposure ?? time))
        lastExposure = time
        if elapsed > 0, elapsed < 0.5 { period += (elapsed - period) * 0.2 }
        let step = min(elapsed, options.retention.kept)
        let shift = cameraShift.isUsable ? cameraShift : .zero
        for index in tracks.indices { tracks[index].predict(step, shift: shift, prior: prior, options: options) }
        let common = commonShift.estimate(
            tracks, frame.detections, at: time, period: period, motion: options.motion)
        if common != .zero { for index in tracks.indices { tracks[index].move(by: common) } }
        association.match(tracks, frame.detections, at: time, period: period, prior: prior, options: options)
        for index in tracks.indices where association.detectionOf[index] >= 0 {
            tracks[index].update(frame.detections[association.detectionOf[index]], at: time, options: options)
        }
        for index in tracks.indices where tracks[index].isSeen && !tracks[index].isConfirmed {
            confirm(index, at: time)
        }
        for index in frame.detections.indices where association.trackOf[index] < 0 {
            consider(frame.detections[index], at: time)
        }
        prior.learn(from: &tracks, at: time, elapsed: elapsed)
        bury(at: time)
        publish(at: time, elapsed: elapsed, distances: distances)
    }

    /// Confirms a candidate: it is a subject that was lost nearby, or a new one.
    private mutating func confirm(_ index: Int, at time: Seconds) {
        var best: (index: Int, cost: Double)?
        for lost in tracks.indices where tracks[lost].isConfirmed && !tracks[lost].isSeen {
            guard
                let cost = Gate(tracks[lost], at: time, period: period, prior: prior, options).cost(
                    ofBeing: tracks[index])
            else {
                continue
            }
            if let best, best.cost <= cost { continue }
            best = (lost, cost)
        }
        if let best {
            tracks[index].adopt(tracks[best.index])
            tracks[best.index].lastSeen = -.infinity
            tracks[best.index].id = 0
        } else {
            tracks[index].id = nextID
            nextID += 1
        }
    }

    /// Starts a candidate from a detection that continues no track, if its score is high enough.
    private mutating func consider(_ detection: Detection, at time: Seconds) {
        guard detection.score >= options.scores.acquire, detection.isUsable else { return }
        for track in tracks where track.isSeen && track.explains(detection) { return }
        tracks.append(Track(detection, at: time, prior: prior, options: options))
        if detection.score >= options.scores.instant, period > options.scores.instantPeriod {
            confirm(tracks.count - 1, at: time)
        }
    }

    private mutating func bury(at time: Seconds) {
        let candidate = max(options.retention.candidate, 2.5 * period)
        tracks.removeAll { track in
            let missing = time - track.lastSeen
            return missing
                > (track.isKept ? options.retention.kept : track.isConfirmed ? options.retention.subject : candidate)
        }
    }

    private mutating func publish(at time: Seconds, elapsed: Seconds, distances: [MeasuredDistance]) {
        subjects.removeAll(keepingCapacity: true)
        var scale = NearnessScale()
        for index in tracks.indices where tracks[index].isConfirmed {
            let id = tracks[index].id
            tracks[index].depth = distances.last { $0.id == id }?.metres
            guard tracks[index].isSeen, tracks[index].kind == .person else { continue }
            scale.add(size: tracks[index].apparentSize, distance: tracks[index].distance)
        }
        for index in tracks.indices where tracks[index].isConfirmed {
            tracks[index].updateSalience(at: time, elapsed: elapsed, scale: scale)
            let track = tracks[index]
            guard track.isSeen || isWorthReporting(track, at: time) else { continue }
            let subject = TrackedSubject(track, at: time)
            var place = subjects.count
            while place > 0, subjects[place - 1].id > subject.id { place -= 1 }
            subjects.insert(subject, at: place)
        }
        rank()
    }

    private func isWorthReporting(_ track: Track, at time: Seconds) -> Bool {
        guard time - track.lastSeen <= options.retention.coasting else { return false }
        return Rect.full.contains(track.rect.center)
    }

    private mutating func rank() {
        order.removeAll(keepingCapacity: true)
        for (index, subject) in subjects.enumerated() {
            order.append(Ranked(salience: subject.salience, index: index))
        }
        order.heapSort { ($1.salience, $0.index) < ($0.salience, $1.index) }
        for (rank, ranked) in order.enumerated() { subjects[ranked.index].salienceRank = rank + 1 }
    }
}

extension TrackedSubject {
    fileprivate init(_ track: Track, at time: Seconds) {
        self.init(
            id: track.id, kind: track.kind, rect: track.rect, measured: track.isSeen ? track.measured : nil,
            velocity: track.box.velocity, age: time - track.born,
            lastSeen: track.lastSeen, coasting: !track.isSeen, score: track.score, attributes: track.attributes,
            depth: track.depth, salience: track.salience)
    }
}
