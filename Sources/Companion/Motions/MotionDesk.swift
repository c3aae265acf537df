internal import DockControl
internal import DockTypes
internal import Geometry

/// The rig's presets and motions, and the motion that is being taught.
struct MotionDesk: Sendable {
    private(set) var library: MotionLibrary
    private var teacher = MotionTeacher()
    /// Whether a person began the recording.
    private var isPersons = false
    /// A taught motion that has not been written yet. It is kept here so that it is not lost if the disk is full.
    private var unsaved: MotionScript?

    init(library: MotionLibrary = MotionLibrary()) { self.library = library }

    /// Records that a change was written.
    mutating func written(_ new: MotionLibrary) {
        library = new
        if let script = unsaved, new.taught[script.name] == script { unsaved = nil }
    }

    /// Begins to record a motion.
    mutating func begin(_ name: String, byPerson isPerson: Bool, now: Seconds) throws(DockError) {
        // A recording that a program began and never ended, or that is full, must not prevent a person from teaching.
        if isPerson, !isPersons || teacher.isFull { teacher.cancel() }
        try teacher.begin(name, now: now)
        isPersons = isPerson
    }

    /// Records the dock's reported poses. A pose that is extrapolated across a jerk of the hand would be one that the
    /// head never had.
    /// - Returns: true once, when the recording is full.
    mutating func record(_ samples: [MotionSample]) -> Bool {
        var isFull = false
        for sample in samples where teacher.record(sample.pose, now: sample.time) { isFull = true }
        return isFull
    }

    /// Ends the recording. The motion is kept here until it is written.
    mutating func finish() throws(DockError) -> MotionScript {
        if teacher.name != nil { unsaved = try teacher.finish().get() }
        guard let unsaved else { throw Self.notRecording }
        return unsaved
    }

    /// Discards the recording, or the motion that has not been written yet.
    /// - Returns: its name.
    mutating func discard() throws(DockError) -> String {
        guard let name = teacher.name ?? unsaved?.name else { throw Self.notRecording }
        teacher.cancel()
        unsaved = nil
        return name
    }

    /// Returns the recording in words, with its duration in whole seconds, or nil if there is none.
    func words(now: Seconds) -> String? {
        teacher.name.map { "recording \($0) \(Int(teacher.elapsed(now: now))) s" }
    }

    /// The built-in and taught motions with their planned durations, in seconds.
    var durations: [String: Seconds] {
        let all = MotionScript.all + library.taught.values
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.duration) })
    }

    private static let notRecording = DockError(
        .invalidParameter, "nothing is being recorded", hint: "type `motion record NAME`")
}

extension MotionScript {
    /// The planned duration, in seconds.
    var duration: Seconds { keys.last?.time ?? 0 }
}

/// A change to the files of presets and motions.
enum LibraryChange: Sendable, Equatable {
    case savePreset(String, PanTilt)
    case deletePreset(String)
    case saveMotion(MotionScript)
    case deleteMotion(String)

    /// Applies the change.
    func apply(to library: inout MotionLibrary) throws(DockError) {
        switch self {
        case .savePreset(let name, let pose): try library.savePreset(name, at: pose)
        case .deletePreset(let name): try library.deletePreset(name)
        case .saveMotion(let script): try library.save(script)
        case .deleteMotion(let name): try library.deleteTaught(name)
        }
    }

    /// The text for a successful change.
    var done: String {
        switch self {
        case .savePreset(let name, _): "preset \(name) saved"
        case .deletePreset(let name): "preset \(name) deleted"
        case .saveMotion(let script): "motion \(script.name) learnt: animate \(script.name)"
        case .deleteMotion(let name): "motion \(name) deleted"
        }
    }
}
