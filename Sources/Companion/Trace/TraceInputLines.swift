internal import ControlProtocol
internal import DockControl
internal import Geometry
internal import PlainText

/// The inputs of the loop's decisions as lines of a trace (docs/TRACE.md).
extension TraceWriter {
    static func line(of input: TraceInput, time: Seconds) -> [UInt8] {
        var line = TraceLineBuilder(input.kind, time: time)
        switch input {
        case .begin(let asleep): line.add("asleep", asleep)
        case .turn(let wake, let asleep):
            let letters = TraceWake.letters.filter { wake.contains($0.wake) }.map(\.letter)
            line.add("wake", String(letters))
            if let asleep { line.add("asleep", asleep) }
        case .over, .hungUp, .realTimeRefused, .epoch: break
        case .opened(let isHardware, let mostQueued):
            line.add("hardware", isHardware)
            line.add("mostQueued", mostQueued)
        case .notOpened(let code): line.add("problem", code)
        case .queued(let bytes): line.add("bytes", bytes)
        case .guardian(let step, let isAlive, let isAwaited):
            line.add("step", step)
            line.add("alive", isAlive)
            line.add("awaited", isAwaited)
        case .intervention(let did):
            line.add("silence", did.silence)
            line.add("wrote", did.wrote)
        case .renewed(let isBegun): line.add("begun", isBegun)
        case .port(let came): line.add("came", came)
        case .zoom(let magnification): line.add("magnification", magnification)
        case .program(let program): line.add("program", program.value)
        case .leaseLost(let lost):
            line.add("program", lost.program.value)
            if lost.endsTracking { line.add("tracking", true) }
        case .lens(let lens, let aspect):
            line.add("aspect", aspect)
            guard let lens else { break }
            line.add("focal", [lens.focal.x, lens.focal.y])
            line.add("principal", [lens.principal.x, lens.principal.y])
        case .optics(let optics, let aspect):
            line.add("camera", optics.camera)
            line.add("zoom", optics.zoom)
            line.add("aspect", aspect)
        case .picture(let picture):
            line.add("exposure", picture.exposure)
            line.add("faces", raw: TraceLineBuilder.list(picture.faces.map { object($0, hasNumber: false) }))
            if picture.continues { line.add("continues", true) }
        case .reading(let hasMore, let hasEnded):
            if hasMore { line.add("more", true) }
            if hasEnded { line.add("ended", true) }
        case .tap(let point): line.add("point", [point.x, point.y])
        case .select(let ids): line.add("ids", raw: TraceLineBuilder.list(ids.map { Array(String($0).utf8) }))
        case .distances(let distances):
            line.add("subjects", raw: TraceLineBuilder.list(distances.map { object($0) }))
        case .observed(let seen):
            if let exposure = seen.exposure { line.add("exposure", exposure) }
            if !seen.camera.isEmpty { line.add("camera", seen.camera) }
            line.add("faces", raw: TraceLineBuilder.list(seen.faces.map { object($0, hasNumber: true) }))
            if seen.continues { line.add("continues", true) }
        case .gap(let records): if let records { line.add("records", records) }
        }
        return line.ended
    }

    private static func object(_ distance: MeasuredDistance) -> [UInt8] {
        var object = TraceObject()
        object.add("id", Array(String(distance.id).utf8))
        object.add("distance", TraceLineBuilder.number(distance.metres))
        object.add("until", TraceLineBuilder.number(distance.until))
        return object.bytes
    }

    private static func object(_ face: TraceFace, hasNumber: Bool) -> [UInt8] {
        var object = TraceObject()
        if hasNumber { object.add("id", Array(String(face.identifier).utf8)) }
        let rect = [face.rect.x, face.rect.y, face.rect.width, face.rect.height]
        object.add("rect", TraceLineBuilder.list(rect.map(TraceLineBuilder.number)))
        if face.score != 1 { object.add("score", TraceLineBuilder.number(face.score)) }
        if face.isObject { object.add("object", Array("true".utf8)) }
        for attribute in FaceAttribute.all {
            guard let value = face.attributes[attribute] else { continue }
            object.add(attribute.coding.name.description, TraceLineBuilder.number(value))
        }
        return object.bytes
    }
}

extension TraceInput {
    /// The kind of its line.
    fileprivate var kind: String {
        switch self {
        case .begin: "begin"
        case .turn: "turn"
        case .over: "over"
        case .opened: "open"
        case .notOpened: "shut"
        case .hungUp: "hang"
        case .queued: "queued"
        case .guardian: "guard"
        case .intervention: "guarded"
        case .renewed: "renewed"
        case .port: "port"
        case .realTimeRefused: "slow"
        case .zoom: "zoom"
        case .program: "program"
        case .leaseLost: "lost"
        case .lens: "lens"
        case .optics: "optics"
        case .epoch: "epoch"
        case .picture: "see"
        case .reading: "read"
        case .tap: "tap"
        case .select: "select"
        case .distances: "distances"
        case .observed: "observe"
        case .gap: "gap"
        }
    }
}

extension Trace {
    static let inputKinds: Set = [
        "begin", "turn", "over", "open", "shut", "hang", "queued", "guard", "guarded", "renewed", "port", "slow",
        "zoom", "program", "lost",
        "lens", "optics", "epoch", "see", "read", "tap", "select", "distances", "observe", "gap",
    ]

    static func input(_ kind: String, _ value: JSONValue) -> TraceInput? {
        func number(_ name: String, in range: ClosedRange<Double> = sane) -> Double? {
            value[name]?.number.flatMap { range.contains($0) ? $0 : nil }
        }
        func flag(_ name: String) -> Bool { value[name]?.bool ?? false }
        func point(_ name: String) -> Point? {
            let both = (value[name]?.array ?? []).compactMap(\.number).filter((-100...100).contains)
            return both.count == 2 ? Point(x: both[0], y: both[1]) : nil
        }
        switch kind {
        case "begin": return number("asleep").map { .begin(asleep: $0) }
        case "turn":
            guard let letters = value["wake"]?.string else { return nil }
            let bits = TraceWake.letters.filter { letters.contains($0.letter) }.map(\.wake)
            return .turn(TraceWake(bits), asleep: number("asleep"))
        case "over": return .over
        case "open": return value["mostQueued"]?.integer.map { .opened(isHardware: flag("hardware"), mostQueued: $0) }
        case "shut":
            return value["problem"]?.string.map {
                .notOpened(ForeignText.line($0, longest: longestText))
            }
        case "hang": return .hungUp
        case "queued": return value["bytes"]?.integer.map { .queued($0) }
        case "guard":
            return value["step"]?.integer.map {
                .guardian(step: $0, isAlive: flag("alive"), isAwaited: flag("awaited"))
            }
        case "guarded":
            return number("silence").map { .intervention(GuardIntervention(silence: $0, wrote: flag("wrote"))) }
        case "renewed": return .renewed(flag("begun"))
        case "port": return .port(came: flag("came"))
        case "slow": return .realTimeRefused
        case "program": return value["program"]?.integer.map { .program(ProgramID($0)) }
        case "lost":
            return value["program"]?.integer.map {
                .leaseLost(LostLease(ProgramID($0), endsTracking: flag("tracking")))
            }
        case "zoom": return number("magnification", in: 0.01...10_000).map { .zoom($0) }
        case "lens":
            guard let aspect = number("aspect", in: 0.01...100) else { return nil }
            guard let focal = point("focal"), let principal = point("principal") else {
                return value["focal"] == nil ? .lens(nil, aspect: aspect) : nil
            }
            guard focal.x > 0.01, focal.y > 0.01 else { return nil }
            return .lens(TraceLens(focal: focal, principal: principal), aspect: aspect)
        case "optics":
            guard let camera = value["camera"]?.integer, let aspect = number("aspect", in: 0.01...100),
                let zoom = number("zoom", in: FrameOptics.possible)
            else { return nil }
            return .optics(FrameOptics(camera: camera, zoom: zoom), aspect: aspect)
        case "epoch": return .epoch
        case "see":
            guard let exposure = number("exposure", in: clock), let faces = faces(value) else { return nil }
            return .picture(TracePicture(exposure: exposure, faces: faces, continues: flag("continues")))
        case "read": return .reading(hasMore: flag("more"), hasEnded: flag("ended"))
        case "tap": return point("point").map { .tap($0) }
        case "select": return value["ids"]?.array.map { .select($0.compactMap(\.integer)) }
        case "distances":
            guard let all = value["subjects"]?.array else { return nil }
            let distances = all.compactMap(distance)
            return distances.count == all.count ? .distances(distances) : nil
        case "observe":
            let camera = value["camera"]?.array?.map { $0.number ?? .nan } ?? []
            guard let faces = faces(value), camera.allSatisfy({ $0.isNaN || (0...1e6).contains($0) }) else {
                return nil
            }
            return .observed(
                TraceObservation(
                    exposure: number("exposure", in: clock), camera: camera, faces: faces, continues: flag("continues"))
            )
        case "gap": return .gap(value["records"]?.integer)
        default: return nil
        }
    }

    private static func distance(_ value: JSONValue) -> MeasuredDistance? {
        guard let id = value["id"]?.integer, let until = value["until"]?.number, clock.contains(until),
            let metres = value["distance"]?.number, metres > 0, metres <= SubjectDistance.farthest
        else { return nil }
        return MeasuredDistance(id: id, metres: metres, until: until)
    }

    private static func faces(_ value: JSONValue) -> [TraceFace]? {
        guard let all = value["faces"]?.array else { return nil }
        let faces = all.compactMap { face -> TraceFace? in
            // The decoder does not accept coordinates or sizes outside this range.
            let numbers = (face["rect"]?.array ?? []).compactMap(\.number).filter((-4...4).contains)
            var attributes = FaceAttributes()
            for attribute in FaceAttribute.all {
                attributes[attribute] = face[attribute.coding.name.description]?.number
            }
            let others = [face["score"]?.number] + FaceAttribute.all.map { attributes[$0] }
            guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0,
                others.allSatisfy({ $0.map(sane.contains) ?? true })
            else { return nil }
            return TraceFace(
                identifier: face["id"]?.integer ?? 0,
                rect: Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
                score: face["score"]?.number ?? 1, isObject: face["object"]?.bool ?? false, attributes: attributes)
        }
        return faces.count == all.count ? faces : nil
    }
}
