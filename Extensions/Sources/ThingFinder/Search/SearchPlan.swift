internal import Geometry

/// Where to look next. The order that takes the most probability per second is the best one for looks that can miss the
/// thing; costs include the way.
struct SearchPlan: Sendable, Equatable {
    private(set) var map: SearchMap
    /// The places that are left.
    private(set) var places: [PanTilt] = []
    /// The places that come before all others.
    private var first: [PanTilt] = []
    /// The number of the last sweep whose places were added.
    private(set) var sweep = 0
    private let settings: FinderSettings

    /// The largest thing that must be whole in one picture, in radians.
    private static let largest = Double.degrees(12)
    /// How long a look takes without the way, in seconds.
    static let lookTime: Seconds = 0.45
    /// Places that would take less of the remaining probability than this are left out.
    private static let least = 0.004
    /// How many of the poses from which a thing was named come before all other places, and how likely the thing must
    /// still be there.
    private static let mostFirst = 2, likely = 0.5

    init(_ settings: FinderSettings) {
        self.settings = settings
        map = SearchMap(settings.range, eye: settings.eye, memory: settings.memory)
    }

    /// Returns the next place, or nil if all sweeps are complete.
    mutating func next(from pose: PanTilt) -> PanTilt? {
        while sweep <= settings.sweeps {
            if !first.isEmpty { return first.removeFirst() }
            if let place = best(from: pose) {
                places.removeAll { $0 == place }
                return place
            }
            guard sweep < settings.sweeps else { return nil }
            guard sweep == 0 else {
                add(sweep: sweep + 1)
                continue
            }
            begin(from: pose)
            first = namedFirst
        }
        return nil
    }

    private func best(from pose: PanTilt) -> PanTilt? {
        let left = map.left
        let rated = places.compactMap { place -> (place: PanTilt, value: Double)? in
            let gain = map.gain(at: place)
            guard gain >= Self.least * left else { return nil }
            return (place, gain / (settings.pace.time(from: pose, to: place) + Self.lookTime))
        }
        return rated.max { $0.value < $1.value }?.place
    }

    /// Without a verifier only the label counts, so the poses from which the detector gave it are the best ones. A verifier
    /// wants the thing in the middle, whatever the detector calls it.
    private var namedFirst: [PanTilt] {
        guard !settings.hasVerifier, let memory = settings.memory, memory.certainty >= Self.likely else { return [] }
        return memory.looks.prefix(Self.mostFirst).map { $0.clamped(to: settings.range) }
    }

    /// Begins with the first two sweeps at once: a likely place is looked at twice before an unlikely one.
    private mutating func begin(from pose: PanTilt) {
        places = []
        add(sweep: 1)
        if settings.sweeps > 1 { add(sweep: 2) }
        // Where the head stands costs no way, and where the thing was is likelier than all else.
        places.append(pose)
        guard let memory = settings.memory else { return }
        places.append(settings.eye.pose(toward: memory.bearing).clamped(to: settings.range))
        places += memory.looks.map { $0.clamped(to: settings.range) }
    }

    private mutating func add(sweep number: Int) {
        sweep = number
        let field = settings.eye.field, step = PanTilt(pan: field.pan - Self.largest, tilt: field.tilt - Self.largest)
        // Each second sweep is half a step beside the one before it: a thing that the edges cut was whole there.
        let isShifted = number % 2 == 0
        var pans = Self.places(settings.range.pan, step: step.pan, isShifted: isShifted)
        var tilts = Self.places(settings.range.tilt, step: step.tilt, isShifted: isShifted)
        // The ends of a range that goes almost all the way round are one place, and things are seldom up high.
        if isShifted, settings.range.pan.upperBound - settings.range.pan.lowerBound > 1.7 * .pi { pans.removeFirst() }
        if isShifted, tilts.count > 2 { tilts.removeLast() }
        places += tilts.flatMap { tilt in pans.map { PanTilt(pan: $0, tilt: tilt) } }
    }

    /// The places of an axis: as few as cover it with this step.
    static func places(_ range: ClosedRange<Double>, step: Double, isShifted: Bool) -> [Double] {
        let span = range.upperBound - range.lowerBound
        let count = min(max(1, Int((span / max(step, .degrees(5))).rounded(.up))), 36), width = span / Double(count)
        guard isShifted, span > 0 else {
            return (0..<count).map { range.lowerBound + (Double($0) + 0.5) * width }
        }
        return (0...count).map { range.lowerBound + Double($0) * width }
    }

    /// Receives that a look from a pose has not shown the thing.
    mutating func looked(at pose: PanTilt) { map.looked(at: pose) }

    /// Receives that the thing may be at a bearing, which is then looked at soon.
    mutating func expect(at bearing: Bearing) {
        map.expect(at: bearing, within: .degrees(5), share: 0.5)
        places.append(settings.eye.pose(toward: bearing).clamped(to: settings.range))
    }

    /// Receives that the thing was lost: everything begins again, with the places near it first.
    mutating func lost(at bearing: Bearing, from pose: PanTilt) {
        map = SearchMap(settings.range, eye: settings.eye, memory: nil)
        first = []
        map.expect(at: bearing, within: settings.eye.field.pan / 2, share: 0.8)
        begin(from: pose)
    }

    /// Whether things with any label are asked about, because the detector may call the thing by another name.
    var takesAnyLabel: Bool { settings.hasVerifier && sweep >= 3 }

    static func == (a: SearchPlan, b: SearchPlan) -> Bool {
        a.map == b.map && a.places == b.places && a.first == b.first && a.sweep == b.sweep
    }
}
