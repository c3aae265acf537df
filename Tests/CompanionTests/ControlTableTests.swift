import ControlProtocol
import DockControl
import FaceTracker
import RobotFace
import Testing

@testable import Companion

/// The daemon's bindings, its words and its values against the table of the API.
@Suite struct ControlTableTests {
    @Test func `each row of the table has one binding, in its order`() {
        #expect(ControlMethods.rows.map(\.name) == MethodTable.rows.map(\.name))
    }

    @Test func `a binding's command is of the kind that its row names`() throws {
        var rest = Set(MethodTable.rows.map(\.name))
        for (method, _, command) in ControlTestsMethods.good {
            let row = try #require(MethodTable.row(method), "\(method)")
            #expect(command.kind == row.kind, "\(method)")
            rest.remove(method)
        }
        for row in MethodTable.rows where rest.contains(row.name) {
            let kind: MethodKind =
                row.name == "command" ? .words : row.name.hasSuffix("Pictures") ? .pictures : .topics
            #expect(row.kind == kind, "\(row.name)")
        }
    }

    @Test func `each command word belongs to a method, except those for people`() {
        let ofMethods = Set(MethodTable.rows.compactMap(\.word)), all = Set(CommandWords.rows.map { $0.names[0] })
        let ofPeople: Set = ["up", "down", "left", "right", "release", "help", "quit"]
        #expect(ofMethods.isDisjoint(with: ofPeople) && all == ofMethods.union(ofPeople))
        for word in all { #expect(CommandWords.help.contains { $0.hasPrefix(word) }, "\(word)") }
    }

    @Test func `the table's words and bounds are the program's`() {
        func words(_ type: String, _ member: String? = nil) -> [String] {
            var shape = Shape.named(type).resolved
            if let member, case .object(let fields) = shape {
                shape = fields.first { $0.name == member }?.shape ?? shape
            }
            if case .orNull(let inner) = shape { shape = inner }
            if case .word(let words) = shape { return words }
            return []
        }
        #expect(words("ending", "outcome") == MotionOutcome.allCases.map(\.rawValue))
        #expect(words("stage", "stage") == LatencyStage.allCases.map(\.rawValue))
        #expect(APITypes.expressions == Expression.all.map(\.name))
        #expect(Set(words("reason")) == Set(ControlSamples.reasons.map { "\($0)" }))
        #expect(APITypes.mostObservations == ObservationFrame.capacity)
        #expect(MethodTable.longestTime == CommandWords.longestTime)
    }
}
