import ArgumentParser
import DockTypes
import ExtensionKit
import VideoRecorder

/// The argument of the verbs about the recordings of a time.
struct RecordRange: ParsableArguments {
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The range of time.", valueName: "range"))
    var words: [String] = []

    /// Whether none was named.
    var isEmpty: Bool { words.isEmpty }

    /// The range as a person has typed it, or nil if none was named.
    func typed() throws(DockError) -> DateRange? {
        isEmpty ? nil : try RangeWords.range(words.joined(separator: " "), now: SystemTime.unix, in: .system)
    }

    /// Makes sure that a range was named.
    func mustBeNamed() throws {
        if isEmpty { throw ValidationError("name a range, as in: \(RangeWords.forms)") }
    }
}
