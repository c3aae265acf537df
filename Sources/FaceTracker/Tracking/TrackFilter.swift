public import Geometry

/// The core of `dockface track`: it reads detections and writes one line of subjects per frame. It uses no dock, and no
/// clock except the stream's.
public struct TrackFilter: Sendable {
    /// The options of the command line.
    public struct Options: Sendable, Equatable {
        /// The thresholds and times of the tracker.
        public var tracker = TrackerOptions()
        /// The camera's mirroring and rotation, if the hello does not declare them.
        public var decoder = DecoderOptions()
        /// The point at which a subject is selected as soon as there is one (`--select x,y`).
        public var select: Point?
        /// The region in which the automatic choice starts (`--region x,y,w,h`).
        public var region: Rect = .full

        /// Creates options in which everything is automatic.
        public init() {}
    }

    /// The problems of the stream, oldest first. The owner reports them and empties the list.
    public var problems: [DecoderProblem] = []
    /// The version for which a stream was rejected, as it was written.
    public private(set) var refusedVersion: String?
    /// Whether the stream has sent its bye.
    public private(set) var isOver = false

    private var decoder: DetectionDecoder
    private var tracker: Tracker
    private var selection = SubjectSelection()
    private var encoder = SubjectEncoder()
    private var select: Point?
    private var lastTime: Seconds = 0

    /// Creates a filter at the beginning of a stream.
    public init(options: Options = Options()) {
        var decoding = options.decoder
        decoding.isLive = false
        decoding.acceptsCommands = false
        decoder = DetectionDecoder(options: decoding)
        tracker = Tracker(options: options.tracker)
        selection.region = options.region
        select = options.select
    }

    /// The counts of the decoder.
    public var counters: DecoderCounters { decoder.counters }

    /// Processes bytes and appends the resulting lines to `output`.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            decoder.feed(UnsafeRawBufferPointer(rebasing: rest.prefix(65_536)))
            rest = rest.dropFirst(65_536)
            drain(to: &output)
        }
    }

    /// Ends the input, and appends the result of a last line without a line end.
    public mutating func finish(to output: inout [UInt8]) {
        decoder.finish()
        drain(to: &output)
        if let problem = decoder.lastProblem() { problems.append(problem) }
    }

    private mutating func drain(to output: inout [UInt8]) {
        while let event = decoder.next(arrival: lastTime, realtime: lastTime) {
            switch event {
            case .frame: track(to: &output)
            case .newEpoch:
                tracker.reset()
                selection.reset()
            case .problem(let problem): problems.append(problem)
            case .refused(let version): refusedVersion = version
            case .bye: isOver = true
            case .hello, .command, .status, .clockMismatch, .dropped: break
            }
        }
    }

    private mutating func track(to output: inout [UInt8]) {
        let frame = decoder.frame
        lastTime = frame.exposure
        tracker.update(frame)
        if let point = select,
            selection.tap(at: point, in: tracker.subjects, aspect: frame.size?.aspect ?? 16.0 / 9.0) != nil
        {
            select = nil
        }
        _ = selection.pick(from: tracker.subjects, now: frame.exposure)
        tracker.keep(selection.selected)
        let selection = selection
        encoder.write(
            sequence: frame.sequence, time: frame.streamTime ?? frame.exposure, subjects: tracker.subjects,
            isSelected: { selection.isSelected($0) }, to: &output)
    }
}
