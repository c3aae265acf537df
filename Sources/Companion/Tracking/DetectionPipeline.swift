internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The decoder, tracker and selection on the loop thread. They turn a line from the detections' descriptor into a
/// sighting without a change of thread. Results for other threads are kept and published after the loop has written.
final class DetectionPipeline: SteeringInput {
    typealias Listener = TrackingOutbox.Listener
    typealias Clocks = DetectionReader.Clocks

    private let reader: DetectionReader
    private let requests: PipelineRequests
    /// The requests that wait until the loop has executed its commands.
    var collected: [(request: PipelineRequest, reply: PipelineRequests.Reply)] = []
    /// The subjects of the detector's stream.
    var detected: DetectedSubjects
    /// A program's own observations, in mode custom.
    var custom = CustomSubjects()
    let profile: RigProfile
    var lastDetection: Seconds?
    var lastObservation: Seconds?
    /// The last frame, which was tracked but not yet prepared for publishing.
    var pending: PendingFrame?
    private var outbox: TrackingOutbox
    /// The recorder of the inputs.
    private(set) var recorder: FlightRecorder?

    /// The silence after which a detector or program no longer counts, in seconds. Observations are published only
    /// while no detector is active.
    static let detectorSilence: Seconds = 1

    /// Creates the pipeline. If `descriptor` is -1, there is no detector, but selections and observations still work.
    init(
        descriptor: Int32, profile: RigProfile, options: DecoderOptions, requests: PipelineRequests, listener: Listener,
        clocks: Clocks = Clocks()
    ) {
        reader = DetectionReader(descriptor: descriptor, options: options, clocks: clocks)
        detected = DetectedSubjects(profile: profile)
        outbox = TrackingOutbox(listener)
        self.profile = profile
        self.requests = requests
    }

    var descriptor: Int32 { reader.descriptor }
    var reading: SteeringReading { reader.reading }

    func attach(_ recorder: FlightRecorder) { self.recorder = recorder }

    func collect() { collected += requests.drain() }

    /// Adds bytes that did not come from the descriptor. The next turn processes them.
    func feed(_ bytes: [UInt8]) { reader.feed(bytes) }

    // MARK: a turn

    func read(now: Seconds) { reader.read(now: now) }

    func next(in context: SteeringContext) -> SteeringEvent? {
        guard reader.isReading else { return nil }
        while let event = reader.next(now: context.now) {
            if let found = handle(event, in: context) { return found }
        }
        recorder?.reading(hasMore: reading.hasMore, hasEnded: reading.hasEnded)
        if reading.hasEnded { emit(.ended) }
        return nil
    }

    /// Handles an event of the decoder. Returns its meaning for the loop, or nil if there is nothing.
    private func handle(_ event: DetectionEvent, in context: SteeringContext) -> SteeringEvent? {
        switch event {
        case .dropped(let reason): pass(reader.frame, drop: reason)
        case .frame:
            pass(reader.frame)
            // The first frame of another view only tells where tracking begins again.
            if reader.frame.optics != detected.optics {
                recorder?.optics(reader.frame.optics, aspect: reader.frame.size?.aspect ?? detected.aspect)
                return look(through: reader.frame.optics, aspect: reader.frame.size?.aspect ?? detected.aspect)
            }
            adoptSize(of: reader.frame)
            if let new = requests.takeDistances() { measure(new) }
            record(reader.frame)
            return .frame(track(reader.frame, in: context))
        case .newEpoch:
            recorder?.epoch()
            return begin()
        case .hello(let hello): greet(hello)
        case .command(let line): emit(.command(line))
        case .status(let level, _, let text): emit(.status(level: level, text: text))
        case .bye(let reason): emit(.status(level: "info", text: "the detector ended its stream (\(reason))"))
        case .problem(let problem):
            let more = problem.count > 1 ? " (and \(problem.count - 1) more problems)" : ""
            emit(.problem("detections, line \(problem.line): \(problem.text)\(more)"))
        case .refused(let version):
            emit(
                .problem(
                    "the detector uses stream version \(version): its lines are ignored until a hello with \"v\":1"
                ))
        case .clockMismatch:
            emit(
                .problem(
                    "ten consecutive frames have times in the future: set \"clock\" in hello (monotonic, unix, media or none)"
                ))
        }
        return nil
    }

    /// Keeps a copy of a frame for programs that want every answer of the detector.
    private func pass(_ frame: DetectionFrame, drop: DropReason? = nil) {
        guard outbox.wantsAnswers else { return }
        outbox.add(
            DetectorAnswer(source: "", isActive: true, frame: frame, drop: drop, line: Array(reader.line)))
    }

    /// Adopts what depth cameras have measured, from the next frame on.
    func measure(_ distances: [MeasuredDistance]) {
        if detected.measure(distances) { recorder?.measured(detected.distances) }
    }

    /// Begins a new stream that does not continue the previous one.
    func begin() -> SteeringEvent {
        flushPending()
        detected.reset()
        return .newStream
    }

    /// Interprets the following frames as those of another camera, or of another magnification.
    func look(through optics: FrameOptics, aspect: Double) -> SteeringEvent {
        let isOtherCamera = optics.camera != detected.optics.camera
        flushPending()
        detected.look(through: optics, of: profile, aspect: aspect)
        if isOtherCamera { detected.reset() }
        return .newView(camera: optics.camera)
    }

    /// Adopts the height of the view, which follows from the frame's size, for a detector that states it with each frame
    /// instead of in its hello.
    private func adoptSize(of frame: DetectionFrame) {
        guard let size = frame.size, abs(size.aspect / detected.aspect - 1) > 0.01, reader.hello?.intrinsics == nil
        else { return }
        emit(.pictureSize(size))
        detected.look(through: nil, aspect: size.aspect)
        recorder?.lens(nil, aspect: size.aspect)
    }

    private func greet(_ hello: StreamHello) {
        guard let image = hello.image, let size = reader.pictureSize else { return }
        emit(.pictureSize(size))
        let before = detected.wideCamera.horizontalFieldOfView
        let hasOwnLens = detected.look(through: hello.intrinsics, image: image, upright: size)
        let camera = detected.wideCamera, now = camera.horizontalFieldOfView
        if hasOwnLens, abs(now - before) > 0.1 * before {
            emit(
                .problem(
                    "the detector's camera sees \(Int(now.inDegrees.rounded())) degrees, but the profile states "
                        + "\(Int(before.inDegrees.rounded())): correct `camera.hfov`"))
        }
        recorder?.lens(
            hasOwnLens ? TraceLens(focal: camera.focal, principal: camera.principal) : nil,
            aspect: size.aspect)
    }

    /// Tracks the rectangles of a frame. Returns the evidence about the followed subject.
    func track(_ frame: DetectionFrame, in context: SteeringContext) -> SteeringFrame {
        lastDetection = context.now
        flushPending()
        let seen = detected.track(frame, in: context)
        if seen.event == .selectionLost { emit(.selectionLost) }
        // The values for other threads are computed when the frame is published, after the set-point.
        pending = PendingFrame(
            sequence: frame.sequence, exposure: frame.exposure, followed: seen.followed?.id,
            setPoint: seen.framing.setPoint(yaw: seen.followed?.attributes.yaw), pose: seen.view,
            camera: detected.camera, selected: detected.selection.selected)
        return SteeringFrame(
            source: .detector, subject: Self.subject(seen.followed, exposure: seen.exposure, view: seen.view),
            time: frame.exposure, camera: detected.camera, shift: seen.framing.shift)
    }

    /// Returns the followed subject in the form for the servo, from a camera at the pose `view`.
    static func subject(_ followed: TrackedSubject?, exposure: Seconds, view: PanTilt?) -> SteeringFrame.Subject {
        guard let followed, !followed.coasting, let view else { return .absent }
        let rect = followed.measured ?? followed.rect
        return .seen(
            Sighting(subject: followed.id, rect: rect, yaw: followed.attributes.yaw, exposure: exposure), from: view)
    }

    // MARK: results

    func publish(now: Seconds) {
        flushPending()
        outbox.publish()
    }

    /// Prepares the last frame for publishing. Called before the tracker continues.
    func flushPending() {
        guard let last = pending else { return }
        pending = nil
        let subjects = last.observed ?? detected.subjects
        recorder?.rectangles(exposure: last.exposure, count: subjects.count) { index in
            let subject = subjects[index]
            return FlightRecorder.Rectangle(
                id: subject.id, rect: subject.measured ?? subject.rect, isCoasting: subject.coasting,
                isFollowed: subject.id == last.followed)
        }
        outbox.add(last.tracked(subjects, clock: reader.streamClock))
    }

    /// Keeps an event until the loop has written.
    func emit(_ event: TrackingEvent) { outbox.add(event) }
}
