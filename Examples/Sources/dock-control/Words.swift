import Companion
import ExampleSupport

/// The buttons of an app as command words: one line each, answered by `ok ...` or `error CODE: ...`.
struct Words {
    let service: DockControlService
    let lines: AsyncStream<String>

    static let help = """
        mode system|custom|manual, tap on|off, tap X Y, region X Y W H, region off, framing auto|center|left|right, \
        chevron up|down|left|right, animate yes|no|wakeup|kapow, stop, status, wait SECONDS, wait docked, quit
        """

    /// Executes commands until `quit` or the end of the lines.
    func obey() async {
        for await line in lines {
            let words = line.split(separator: " ").map(String.init)
            guard let verb = words.first else { continue }
            if verb == "quit" { return }
            do throws(DockError) {
                let answer = try await obey(verb, Array(words.dropFirst()))
                say("ok \(answer ?? line)")
            } catch {
                say("error \(error)")
            }
        }
    }

    /// Executes a command. Returns the answer, or nil if the answer is the line itself.
    private func obey(_ verb: String, _ words: [String]) async throws(DockError) -> String? {
        let numbers = words.compactMap { Double($0) }, first = words.first ?? ""
        switch (verb, words.count, numbers.count) {
        case ("mode", 1, _): try await service.setMode(try choice(first))
        case ("framing", 1, _): try await service.setFramingMode(try choice(first))
        case ("chevron", 1, _): try await service.chevron(try choice(first))
        case ("animate", 1, _): try await service.animate(try choice(first))
        case ("tap", 1, 0) where ["on", "off"].contains(first): try await service.setTapToTrack(first == "on")
        case ("tap", 2, 2): return "subject \(try await service.tap(at: Point(x: numbers[0], y: numbers[1])))"
        case ("region", 1, 0) where first == "off": try await service.setRegion(nil)
        case ("region", 4, 4):
            try await service.setRegion(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        case ("stop", 0, _): try await service.stop()
        case ("status", 0, _): return await service.status
        // For scripts. Between a person's commands, time passes anyway.
        case ("wait", 1, 0) where first == "docked": await service.waitUntilDocked()
        case ("wait", 1, 1): try? await Task.sleep(for: .seconds(numbers[0].clamped(to: 0...600)))
        default: throw DockError(.invalidParameter, "\(verb)?", hint: Self.help)
        }
        return nil
    }

    private func choice<Choice: RawRepresentable<String>>(_ word: String) throws(DockError) -> Choice {
        guard let choice = Choice(rawValue: word) else {
            throw DockError(.invalidParameter, "\(word)?", hint: Self.help)
        }
        return choice
    }
}
