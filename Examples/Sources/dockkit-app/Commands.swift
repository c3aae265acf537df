import CompanionDockKit
import ExampleSupport

/// The buttons of the app as command words: one line each, answered by `ok ...` or `error ...`.
struct Commands {
    let service: DockKitService
    let lines: AsyncStream<String>

    private static let animations: [String: DockAccessory.Animation] = [
        "yes": .yes, "nope": .nope, "wakeup": .wakeup, "kapow": .kapow,
    ]
    private static let framings: [String: DockAccessory.FramingMode] = [
        "auto": .automatic, "center": .center, "left": .left, "right": .right,
    ]

    /// Executes commands until `quit` or the end of the lines.
    func obey() async {
        for await line in lines {
            let words = line.split(separator: " ").map(String.init)
            guard let verb = words.first else { continue }
            if verb == "quit" { return }
            do {
                try await obey(verb, Array(words.dropFirst()))
                say("ok \(line)")
            } catch DockKitError.notConnected {
                say("error connect a dock first")
            } catch DockKitError.noSubjectFound {
                say("error no one is there")
            } catch let error as DockKitError {
                say("error \(error)")
            } catch {
                say("error \(error)")
            }
        }
    }

    private func obey(_ verb: String, _ words: [String]) async throws {
        let numbers = words.compactMap { Double($0) }, first = words.first ?? ""
        switch (verb, words.count, numbers.count) {
        case ("tracking", 1, 0): try await service.setTracking(first == "on")
        case ("chevron", 1, 0): try await service.move(try known(Chevron(rawValue: first)))
        case ("animate", 1, 0): try await service.animate(try known(Self.animations[first]))
        case ("framing", 1, 0): try await service.setFraming(try known(Self.framings[first]))
        case ("turn", 1, 1): try await service.turn(to: numbers[0])
        case ("tap", 2, 2): try await service.tap(at: CGPoint(x: numbers[0], y: numbers[1]))
        case ("all", 0, 0): try await service.followAll()
        case ("region", 4, 4): try await service.setRegion(Self.rectangle(numbers))
        case ("observe", 4, 4): try await service.observe(Self.rectangle(numbers))
        default: throw DockKitError.invalidParameter
        }
    }

    private func known<Choice>(_ choice: Choice?) throws -> Choice {
        guard let choice else { throw DockKitError.invalidParameter }
        return choice
    }

    private static func rectangle(_ numbers: [Double]) -> CGRect {
        CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
