internal import Camera
internal import DockTypes
internal import PictureShare
internal import Processes

/// What a program asks of the camera's pictures.
struct PictureRequest: Sendable, Equatable {
    /// The largest width that it accepts, in pixels, or nil for the width that detectors get.
    var maximumWidth: Int?
    /// The format, or nil for any.
    var format: PictureFormat?
}

extension Vision {
    /// Receives the answer once, on any thread; must not block.
    typealias PictureAnswer = @Sendable (Result<PictureOpening, DockError>) -> Void

    /// Opens the camera's pictures for a program. The answer waits for the first picture of a camera that is starting.
    ///
    /// There are two sizes: that of the detectors in `rgb24`, and the camera's own in `yuv420p`. A program that accepts
    /// more than the detectors' width in any format gets the camera's own size if that is within its bound.
    func openPictures(_ request: PictureRequest, reader: Int, answer: @escaping PictureAnswer) {
        guard let capture, let camera = state.camera else { return answer(.failure(.noCamera)) }
        // What is known of another camera says nothing about the one that is about to be opened.
        let isFailing = camera.place == capture.selected && (camera.state == .restarting || camera.state == .failed)
        if outlets.usual.size == nil, isFailing {
            return answer(.failure(.noPictures(camera.problem)))
        }
        outlets.close(reader: reader)
        let most = request.maximumWidth ?? .max
        @Sendable func openUsual() {
            outlets.usual.open(reader: reader, most: most) { answer($0.mapError(DockError.init)) }
        }
        switch request.format {
        case .rgb24: openUsual()
        case .yuv420p:
            capture.openFull(reader: reader, most: most) { answer($0.mapError(DockError.init)) }
        case nil:
            // The camera's own size is unknown until a program has asked for it.
            let usual = outlets.usual.size?.width ?? Self.usualWidth
            guard let width = request.maximumWidth, width > usual, width >= outlets.full.size?.width ?? 0 else {
                return openUsual()
            }
            capture.openFull(reader: reader, most: most) { answer($0.mapError(DockError.init)) }
        }
    }

    /// The largest width of the pictures for detectors, in pixels.
    private static let usualWidth = Capture.Options().maximumWidth
}

extension DockError {
    /// The error of a program that asks for pictures of a run without a camera.
    static let noCamera = DockError(
        .notSupported, "this run has no camera of its own", hint: "start it with --camera (see `dockface cameras`)")

    fileprivate static func noPictures(_ problem: String?) -> DockError {
        DockError(
            .notConnected, "the camera delivers no pictures" + (problem.map { ": \($0)" } ?? ""),
            hint: "see `dockface doctor`")
    }

    fileprivate init(_ refusal: PictureOutlet.Refusal) {
        switch refusal {
        case .tooManyReaders:
            self.init(
                .busy, "\(PictureOutlet.mostReaders) programs are already looking at the pictures",
                hint: "close one of them")
        case .tooWide(let width):
            self.init(
                .notSupported, "the pictures are \(width) pixels wide",
                hint: "ask for at least that and scale them, or ask for rgb24")
        case .replaced:
            self.init(
                .busy, "the pictures were closed, or opened again, before the first one came", hint: "open them again")
        case .exhausted(let problem): self.init(.cannotOpen, problem, hint: "raise `ulimit -n`, or free memory")
        case .over: self.init(.notConnected, "the camera has ended", hint: "restart dockface")
        }
    }
}
