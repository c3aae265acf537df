import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import Voice

/// The work of the program: it passes the daemon's cues to a voice until it is stopped.
struct VoiceWork: Sendable {
    let configuration: VoiceConfiguration
    let settings: VoiceSettings
    let isDry: Bool, isJSON: Bool

    /// How often it looks whether everything is well, and how long the voice may be busy with one thing, in seconds.
    private static let period: Seconds = 1, patience: Seconds = 8

    /// Runs until the task is cancelled.
    func run(_ session: ExtensionSession) async throws {
        let dock = try await session.connect()
        let cues = try dock.updates(.cues), accessory = try dock.updates(.accessory)
        let troubles = TroubleNotes(), words = VoiceWords(isJSON: isJSON, isDry: isDry)
        let desk = try VoiceDesk(settings, configuration, isDry: isDry) { report in
            if let line = words.line(report) { TextOutput.put(line + "\n") }
            if case .trouble(let text) = report, troubles.isNew(text) { session.log.warning(text) }
        }
        announce(session)
        await withTaskGroup { group in
            group.addTask {
                for await update in cues where !update.isSnapshot { desk.put(Self.event(update.value)) }
            }
            group.addTask {
                var wasStopped = false
                for await update in accessory {
                    let isStopped = update.value.stoppedBy != nil
                    if isStopped, !wasStopped { desk.put(.stopped) }
                    wasStopped = isStopped
                }
            }
            group.addTask { await watch(desk, session) }
            await group.next()
            group.cancelAll()
        }
        desk.stop()
        try Task.checkCancellation()
    }

    private static func event(_ cue: CueEvent) -> VoiceEvent {
        switch cue {
        case .say(let text, let urgency, _): .say(text, urgency)
        case .sound(let name, let direction): .sound(name, direction)
        }
    }

    private func announce(_ session: ExtensionSession) {
        let speech = VoicePrograms.speech(configuration.speech)
        let speaker = isDry ? "writes what it would say" : speech.name.map { "speaks with \($0)" } ?? "says nothing"
        let night = settings.night.map { ", quiet \($0.text)" } ?? ""
        session.log.note("\(speaker)\(night), until Ctrl-C")
        guard !isDry else { return }
        if let problem = speech.problem { session.log.warning("\(problem); \(VoicePrograms.speechHint)") }
        if configuration.sounds, VoicePrograms.players.isEmpty {
            session.log.warning("no program that plays sounds is installed; \(VoicePrograms.playerHint)")
        }
    }

    /// Reports how the voice is, as long as its thread works.
    private func watch(_ desk: VoiceDesk, _ session: ExtensionSession) async {
        repeat {
            if desk.isAlive(within: Self.patience) { session.beat() }
            let (state, text) = state(at: LocalClock.moment())
            session.report(state, text)
        } while (try? await Task.sleep(for: .seconds(Self.period))) != nil
    }

    private func state(at moment: VoiceMoment) -> (ExtensionState, String) {
        if isDry { return (.ready, "dry run") }
        if let night = settings.night, night.contains(moment.minute) {
            return (.ready, "quiet until \(QuietHours.time(night.end))")
        }
        if let problem = VoicePrograms.speech(configuration.speech).problem { return (.trying, problem) }
        if configuration.sounds, VoicePrograms.players.isEmpty { return (.trying, "no program plays sounds") }
        return (.ready, "")
    }
}
