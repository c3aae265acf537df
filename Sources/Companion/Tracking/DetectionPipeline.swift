internal import CPosix
internal import DockControl
internal import FaceTracker
internal import Geometry
internal import Glibc

/// Decoder, tracker and selection on the loop thread: they turn a line from the detections' descriptor into a sighting without a
/// change of thread. Results for other threads are kept and published after the loop has written.
final class DetectionPipeline: SteeringInput {
    private(set) var descriptor: Int32
    private let opened: Int32
    private let isOurs: Bool
    private let requests: PipelineRequests
    /// Requests that wait until the loop has carried out its commands.
    var collected: [(request: PipelineRequest, reply: PipelineRequests.Reply)] = []
    private let listener: Listener
    private var decoder: DetectionDecoder
    var tracker = Tracker()
    var selection = SubjectSelection()
    var group = GroupFraming()
    /// A program's own observations, in mode custom.
    var custom = CustomSubjects()
    /// The detector's camera; observations can come from another one.
    var camera: CameraModel
    let profile: RigProfile
    private var lastExposure: Seconds?
    var lastDetection: Seconds?
    var lastObservation: Seconds?
    var aspect = 16.0 / 9.0
    private var frames: [TrackedFrame] = []
    var pending: Pending?
    /// The result of the turn's read.
    private(set) var reading = SteeringReading()
    /// What this turn may still process of the lines; nil: nothing.
    private var lines: LineBudget?
    private var isBehind = false, hasToldEnd = false
    /// Records the inputs.
    private(set) var recorder: FlightRecorder?
    private var events: [TrackingEvent] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    private let clocks: Clocks

    /// Maximum number of frames and of events that wait to be published. Further frames displace the oldest ones.
    static let bound = 64
    /// Longest work on detections in one turn of the loop, seconds.
    static let longestTurn: Seconds = 0.005

    /// A detector or program that is silent for this time no longer counts, seconds. Observations are published only while no detector
    /// is active.
    static let detectorSilence: Seconds = 1

    /// `descriptor` -1: there is no detector; selections and observations still work.
    init(
        descriptor: Int32, profile: RigProfile, options: DecoderOptions, requests: PipelineRequests, listener: Listener,
        clocks: Clocks = Clocks()
    ) {
        self.clocks = clocks
        self.descriptor = descriptor
        self.profile = profile
        camera = CameraModel(camera: profile.camera)
        self.requests = requests
        self.listener = listener
        decoder = DetectionDecoder(options: options)
        // The loop must not block in a read, even if another process reads the same pipe. A terminal stays blocking, because it is
        // shared with the shell and `poll` is reliable there.
        isOurs = descriptor >= 0 && isatty(descriptor) == 0
        if isOurs { _ = cposix_set_nonblocking(descriptor, true) }
        opened = descriptor
        frames.reserveCapacity(Self.bound)
    }

    deinit {
        buffer.deallocate()
        if isOurs { _ = cposix_set_nonblocking(opened, false) }
    }

    func read(now: Seconds) {
        let isReady = isBehind || receive()
        (reading.hasMore, reading.hasEnded, reading.exposure) = (false, false, nil)
        lines = isReady ? LineBudget(until: now + Self.longestTurn) : nil
        isBehind = false
    }

    /// Reads the descriptor. Returns false if it has nothing to read now.
    private func receive() -> Bool {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        if count > 0 {
            decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else {
            decoder.finish()
            descriptor = -1
        }
        return true
    }

    /// Takes bytes that did not come from the descriptor; `read` processes them.
    func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { decoder.feed($0) }
        isBehind = true
    }

    func next(in context: SteeringContext) -> SteeringEvent? {
        guard lines != nil else { return nil }
        while !isBehind, let event = decoder.next(arrival: context.now, realtime: clocks.realtime()) {
            let found = handle(event, in: context)
            if case .frame = found {
                reading.exposure = tellsExposure ? decoder.frame.exposure : nil
                lastDetection = context.now
            }
            // Every line counts, because command words, garbage and status lines also take time.
            isBehind = lines?.isSpent(after: 1, clock: clocks.monotonic) ?? false
            if let found { return found }
        }
        lines = nil
        endRead()
        return nil
    }

    private func endRead() {
        reading.hasMore = isBehind
        reading.hasEnded = descriptor < 0 && !isBehind && !hasToldEnd
        hasToldEnd = hasToldEnd || reading.hasEnded
        reading.dropped = decoder.counters.framesDropped
        recorder?.reading(hasMore: reading.hasMore, hasEnded: reading.hasEnded)
        if reading.hasEnded { emit(.ended) }
    }

    /// Whether the detector reports the times of its frames on a known clock.
    private var tellsExposure: Bool {
        switch decoder.streamClock {
        case .monotonic, .unix, .remote: true
        case .media, .some(.none), nil: false
        }
    }

    func attach(_ recorder: FlightRecorder) { self.recorder = recorder }

    func collect() { collected += requests.drain() }

    func publish(now: Seconds) {
        flushPending()
        for event in events { listener.onEvent(event) }
        events.removeAll(keepingCapacity: true)
        for frame in frames { listener.onFrame(frame) }
        frames.removeAll(keepingCapacity: true)
    }

    /// Handles an event of the decoder. Returns what it means to the loop; nil: nothing.
    private func handle(_ event: DetectionEvent, in context: SteeringContext) -> SteeringEvent? {
        switch event {
        case .frame:
            record(decoder.frame)
            return .frame(track(decoder.frame, in: context))
        case .newEpoch:
            recorder?.epoch()
            return begin()
        case .hello(let hello): greet(hello)
        case .command(let line): emit(.command(line))
        case .status(let level, _, let text): emit(.status(level: level, text: text))
        case .bye(let reason): emit(.status(level: "info", text: "the detector ended its stream (\(reason))"))
        case .problem(let problem):
            let more = problem.count > 1 ? " (\(problem.count) such problems)" : ""
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

    /// Begins a new stream that does not continue the previous one.
    func begin() -> SteeringEvent {
        flushPending()
        tracker.reset()
        selection.reset()
        group.reset()
        lastExposure = nil
        return .newStream
    }

    private func greet(_ hello: StreamHello) {
        guard let image = hello.image, let size = decoder.pictureSize else { return }
        aspect = size.aspect
        emit(.pictureSize(size))
        let before = camera.horizontalFieldOfView
        if let own = hello.intrinsics {
            camera.setIntrinsics(
                fx: own.fx, fy: own.fy, cx: own.cx, cy: own.cy, width: image.width, height: image.height)
            let now = camera.horizontalFieldOfView
            if abs(now - before) > 0.1 * before {
                emit(
                    .problem(
                        "the detector's camera sees \(Int(now.inDegrees.rounded())) degrees, but the profile states "
                            + "\(Int(before.inDegrees.rounded())): correct `camera.hfov`"))
            }
        } else {
            camera.focal.y = camera.focal.x * size.aspect
        }
        recorder?.lens(
            hello.intrinsics == nil ? nil : TraceLens(focal: camera.focal, principal: camera.principal), aspect: aspect)
    }

    /// Tracks the rectangles of a frame and selects the followed subject.
    func track(_ frame: DetectionFrame, in context: SteeringContext) -> SteeringFrame {
        let exposure = frame.exposure + context.lag
        let pose = context.poses.pose(at: exposure)
        flushPending()
        tracker.update(frame, cameraShift: shift(to: pose, at: exposure, poses: context.poses))
        let (primary, event) = selection.pick(from: tracker.subjects, now: frame.exposure)
        tracker.keep(selection.selected)
        if event == .selectionLost { emit(.selectionLost) }
        let followed = primary.flatMap { id in tracker.subjects.first { $0.id == id } }
        var framing = context.framing
        framing.shift = frameGroup(followed, in: context, at: exposure)
        // A fixed camera needs no pose. With a camera on the head, a sighting without a pose is ignored.
        let view = camera.mount == .head ? pose : .zero
        // The values for other threads are computed when the frame is published, after the set-point.
        pending = Pending(
            sequence: frame.sequence, exposure: frame.exposure, followed: followed?.id,
            setPoint: framing.setPoint(yaw: followed?.attributes.yaw), pose: view, camera: camera,
            selected: selection.selected)
        return SteeringFrame(
            source: .detector, subject: Self.subject(followed, exposure: exposure, view: view), time: frame.exposure,
            camera: camera, shift: framing.shift)
    }

    /// Returns how far the head's own motion moved the still world in the image since the last frame.
    private func shift(to pose: PanTilt?, at exposure: Seconds, poses: PoseHistory) -> PictureShift {
        defer { lastExposure = exposure }
        guard let lastExposure, let before = poses.pose(at: lastExposure), let pose else { return .zero }
        let moved = camera.pictureShift(from: before, to: pose)
        return PictureShift(dx: moved.x, dy: moved.y)
    }

    /// Returns the followed subject as the servo sees it, from a camera at the pose `view`.
    static func subject(_ followed: TrackedSubject?, exposure: Seconds, view: PanTilt?) -> SteeringFrame.Subject {
        guard let followed, !followed.coasting, let view else { return .absent }
        let rect = followed.measured ?? followed.rect
        return .seen(
            Sighting(subject: followed.id, rect: rect, yaw: followed.attributes.yaw, exposure: exposure), from: view)
    }

    /// Prepares the last frame for publishing; called before the tracker continues.
    func flushPending() {
        guard let last = pending else { return }
        pending = nil
        if frames.count == Self.bound { frames.removeFirst() }
        let subjects = last.observed ?? tracker.subjects
        recorder?.rectangles(exposure: last.exposure, count: subjects.count) { index in
            let subject = subjects[index]
            return FlightRecorder.Rectangle(
                id: subject.id, rect: subject.measured ?? subject.rect, isCoasting: subject.coasting,
                isFollowed: subject.id == last.followed)
        }
        let followed = last.followed.flatMap { id in subjects.first { $0.id == id } }
        var tracked = TrackedFrame(
            sequence: last.sequence, exposure: last.exposure,
            clock: last.observed == nil ? decoder.streamClock : nil, camera: last.camera,
            isCustom: last.observed != nil, subjects: subjects,
            followed: followed, selected: last.selected, setPoint: last.setPoint, pose: last.pose)
        if let followed {
            let aim = Framing.aimPoint(of: followed.rect), camera = last.camera
            tracked.bearing = camera.bearing(of: aim)
            tracked.world = last.pose.map { camera.world(of: aim, from: $0) }
            tracked.width =
                camera.bearing(of: Point(x: followed.rect.maxX, y: aim.y)).pan
                - camera.bearing(of: Point(x: followed.rect.x, y: aim.y)).pan
        }
        frames.append(tracked)
    }

    /// Keeps an event until the loop has written. If too many are kept, they are published at once, because no event may be lost: one
    /// could be a `stop`.
    func emit(_ event: TrackingEvent) {
        if events.count == Self.bound {
            for event in events { listener.onEvent(event) }
            events.removeAll(keepingCapacity: true)
        }
        events.append(event)
    }
}
