internal import DockControl
internal import Geometry

/// The camera and the detector of a scenario, and the pipe between the detector and the loop.
struct ScenarioDetector {
    /// Capacity of the pipe, bytes.
    private static let pipe = 1 << 16

    /// The people that it sees.
    var crowd: Crowd
    /// The bytes in the pipe.
    var inbox: [UInt8] = []
    private let frameRate: Double
    private let latency: Seconds
    /// Hello messages per second; nil: one only.
    private let hellos: Double?
    private var silentUntil: Seconds = 0
    private var offset: (by: Seconds, until: Seconds) = (0, 0)
    private var pictures: [(due: Seconds, exposure: Seconds)] = []
    private var nextHello: Seconds = 0
    private var nextExposure: Seconds

    init(scenario: Scenario, camera: RigProfile.Camera) {
        crowd = Crowd(scenario: scenario, camera: CameraModel(camera: camera))
        (frameRate, latency, hellos) = (scenario.frameRate, camera.latency, scenario.sight?.hellos)
        nextExposure = 1 / scenario.frameRate
    }

    /// When the next frame is taken or is found.
    var next: Seconds { min(nextExposure, pictures.first?.due ?? .infinity) }

    /// It finds nothing for this time.
    mutating func stall(for duration: Seconds, at time: Seconds) { silentUntil = max(silentUntil, time + duration) }

    /// Its clock is wrong for this time.
    mutating func shiftClock(by offset: Seconds, for duration: Seconds, at time: Seconds) {
        self.offset = (offset, time + duration)
    }

    /// The error of its clock, seconds.
    func clockError(at time: Seconds) -> Seconds { time < offset.until ? offset.by : 0 }

    /// Takes a frame if one is due. A machine that sleeps takes none.
    mutating func expose(at time: Seconds, isAsleep: Bool) {
        guard time >= nextExposure else { return }
        if !isAsleep { pictures.append((time + latency, time)) }
        nextExposure += 1 / frameRate
    }

    /// The exposure of the next frame whose result is due; nil: none is.
    mutating func nextResult(at time: Seconds) -> Seconds? {
        guard let picture = pictures.first, picture.due <= time else { return nil }
        pictures.removeFirst()
        return picture.exposure
    }

    /// Whether it finds nothing at `time`.
    func isSilent(at time: Seconds) -> Bool { time < silentUntil }

    /// Says hello before the result of a frame if it is time to.
    mutating func greet(before exposure: Seconds, at time: Seconds) {
        if inbox.isEmpty, exposure < 1.5 / frameRate { crowd.hello(into: &inbox) }
        if let hellos, hellos > 0, time >= nextHello {
            nextHello = time + 1 / hellos
            crowd.hello(into: &inbox)
        }
    }

    /// Writes one frame. Returns the number of faces in it.
    mutating func write(exposure: Seconds, stamp: Seconds, from pose: PanTilt) -> Int {
        crowd.picture(at: exposure, stamp: stamp, from: pose, into: &inbox)
    }

    /// Writes bytes that are not a line of the stream.
    mutating func writeGarbage(_ count: Int) { inbox += crowd.garbage(count) }

    /// A full pipe loses its newest bytes.
    mutating func limit() { if inbox.count > Self.pipe { inbox.removeLast(inbox.count - Self.pipe) } }
}
