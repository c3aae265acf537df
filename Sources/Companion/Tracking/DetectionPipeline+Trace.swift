internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry

/// Records the pipeline's inputs for a trace, and replays them from a trace.
extension DetectionPipeline {
    func record(_ frame: DetectionFrame) {
        recorder?.picture(exposure: frame.exposure, count: frame.detections.count) { TraceFace(frame.detections[$0]) }
    }

    func record(_ request: PipelineRequest) {
        switch request {
        case .tap(let point): recorder?.tapped(point)
        case .select(let ids): recorder?.selected(ids)
        case .observe(let frame):
            recorder?.observed(
                exposure: frame.exposure, camera: frame.camera?.numbers ?? [], count: frame.observations.count
            ) { TraceFace(frame.observations[$0]) }
        }
    }

    /// Handles a recorded input of the stream again. Returns its meaning for the loop, or nil if there is nothing.
    func replay(_ input: TraceInput, in context: SteeringContext) -> SteeringEvent? {
        switch input {
        case .lens(let lens, let aspect):
            detected.look(through: lens, aspect: aspect)
        case .optics(let optics, let aspect): return look(through: optics, aspect: aspect)
        case .epoch: return begin()
        case .distances(let distances): measure(distances)
        case .picture(let picture):
            let frame = DetectionFrame(
                exposure: picture.exposure, arrival: context.now, detections: picture.faces.map(\.detection))
            record(frame)
            return .frame(track(frame, in: context))
        default: break
        }
        return nil
    }
}

extension PipelineRequest {
    /// Reads a recorded request. The result is nil if the input is not a request.
    init?(_ input: TraceInput) {
        switch input {
        case .tap(let point): self = .tap(point)
        case .select(let ids): self = .select(ids)
        case .observed(let seen):
            self = .observe(
                ObservationFrame(
                    seen.faces.map(\.observation), camera: CameraInformation(numbers: seen.camera),
                    exposure: seen.exposure))
        default: return nil
        }
    }
}

extension TraceFace {
    fileprivate init(_ seen: Detection) {
        self.init(rect: seen.rect, score: seen.score, isObject: seen.kind == .object, attributes: seen.attributes)
    }

    fileprivate init(_ seen: Observation) {
        self.init(
            identifier: seen.identifier, rect: seen.rect, score: seen.score, isObject: seen.kind == .object,
            attributes: seen.attributes)
    }

    fileprivate var detection: Detection {
        Detection(rect: rect, score: score, kind: isObject ? .object : .person, attributes: attributes)
    }

    fileprivate var observation: Observation {
        Observation(
            identifier: identifier, kind: isObject ? .object : .person, rect: rect, score: score, attributes: attributes
        )
    }
}

extension CameraInformation {
    /// The numbers in the order of `TraceObservation.camera`.
    fileprivate var numbers: [Double] {
        [
            horizontalFieldOfView ?? .nan, referenceDimensions?.width ?? .nan, referenceDimensions?.height ?? .nan,
            intrinsics?.fx ?? .nan, intrinsics?.fy ?? .nan, intrinsics?.cx ?? .nan, intrinsics?.cy ?? .nan,
            Double(rotate), mirrored ? 1 : 0,
        ]
    }

    fileprivate init?(numbers: [Double]) {
        guard numbers.count == 9 else { return nil }
        func known(_ index: Int) -> Double? { numbers[index].isNaN ? nil : numbers[index] }
        self.init(
            horizontalFieldOfView: known(0),
            referenceDimensions: known(1).flatMap { width in
                known(2).map { PictureSize(width: width, height: $0) }
            },
            intrinsics: known(3).map {
                CameraIntrinsics(fx: $0, fy: numbers[4], cx: numbers[5], cy: numbers[6])
            }, rotate: Int(exactly: numbers[7]) ?? 0, mirrored: numbers[8] == 1)
    }
}
