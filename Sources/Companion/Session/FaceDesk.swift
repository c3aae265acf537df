internal import DockControl
internal import DockTypes
internal import FaceTracker
internal import Geometry
internal import RobotFace

/// Decides what the face shows: its gaze, its expression, and the eyes' part of an animation.
struct FaceDesk: Sendable {
    var mood: Mood
    /// Whether the head moves a little with expressions.
    var gestures = false
    /// Whether the followed person spoke in the last frame.
    private var sawSpeech = false
    private let display: RigProfile.Mount
    private let book: ExpressionBook
    /// The time for which a face that a person browsed to remains, in seconds.
    private let browsingTime: Seconds

    init(_ options: SessionState.Options) {
        mood = Mood(seed: options.seed, expressions: options.expressions)
        display = options.display
        book = options.expressions
        browsingTime = options.faceTime > 0 ? options.faceTime : .infinity
    }

    /// Turns the gaze to the followed person of a frame and reacts to that person.
    mutating func look(at frame: TrackedFrame, now: Seconds) -> [FaceChange] {
        var changes: [FaceChange] = []
        if let followed = frame.followed, let bearing = frame.bearing {
            // A screen on the desk does not turn with the dock, so the eyes use the direction in the room.
            let direction = display == .fixed ? frame.world ?? bearing : bearing
            let target = GazeTarget(
                bearing: direction.pan, elevation: direction.tilt, faceWidth: frame.width,
                distance: frame.distance(of: followed)?.metres)
            changes.append(FaceChange(gaze: .at(target)))
            let sight = Sight(subject: followed.id, width: frame.width, looking: followed.looking)
            if let expression = mood.sees(sight, now: now) { changes.append(FaceChange(expression: expression)) }
        } else {
            changes.append(FaceChange(gaze: .noPerson))
        }
        let speaks = (frame.followed?.speaking ?? 0) > 0.5
        if speaks != sawSpeech {
            sawSpeech = speaks
            changes.append(FaceChange(speech: speaks))
        }
        return changes
    }

    /// Returns the eyes' part of an animation that begins or ends between two snapshots, or nil if it is neither.
    static func eyes(from before: LoopSnapshot, to new: LoopSnapshot) -> FaceChange? {
        if let script = new.motion, new.isScript, before.motion != script, let motion = EyeMotion(rawValue: script.name)
        {
            return FaceChange(motion: .play(motion, duration: script.duration, start: script.start))
        }
        return !new.isScript && before.isScript ? FaceChange(motion: .cancel) : nil
    }

    /// Chooses a face for a person, by name, number or synonym.
    /// - Returns: the expression, or nil if there is none of that name.
    mutating func choose(_ name: String, now: Seconds) -> Expression? {
        guard let expression = book[name] else { return nil }
        mood.choose(expression, now: now)
        return expression
    }

    /// Shows the next face to a person who browses. Each is shown for a limited time. Random faces continue.
    mutating func browse(now: Seconds) -> Expression? {
        guard !mood.isRandom else { return nil }
        mood.choose(book.next(after: mood.expression), now: now, for: browsingTime)
        return mood.expression
    }

    /// Returns the refusal of an unknown name. Programs send a name, and people type a line.
    func refusal(of name: String, isTyped: Bool) -> DockError {
        let missing = book.missing(name)
        let nearest = missing.nearest.map { isTyped ? "did you mean `face \($0)`?" : "did you mean \"\($0)\"?" }
        return DockError(.invalidParameter, missing.message, hint: nearest ?? missing.all)
    }
}
