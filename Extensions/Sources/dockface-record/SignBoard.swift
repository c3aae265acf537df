import ControlProtocol
import DockClient
import DockTypes
import FacePrivacy
import Synchronization
import VideoRecorder

/// Shows on the robot what the recorder does, and tells the recorder when that is shown.
final class SignBoard: Sendable {
    typealias Sign = RecorderMachine.Sign

    /// Only the newest sign counts.
    private let signs: AsyncStream<Sign>
    private let put: AsyncStream<Sign>.Continuation
    private let newest = Mutex(Sign.off)

    init() { (signs, put) = AsyncStream<Sign>.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Asks for a sign.
    func show(_ sign: Sign) {
        newest.withLock { $0 = sign }
        put.yield(sign)
    }

    /// Shows signs until the task is cancelled.
    func run(_ dock: Dock, _ recorder: Recorder, _ settings: RecorderSettings, needsScreen: Bool) async {
        for await sign in signs {
            while !Task.isCancelled, newest.withLock({ $0 == sign }) {
                guard await !show(sign, on: dock, recorder, settings, needsScreen: needsScreen) else { break }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Returns whether the sign is done with: shown, or refused. A daemon that is away gets it again when it is back.
    private func show(
        _ sign: Sign, on dock: Dock, _ recorder: Recorder, _ settings: RecorderSettings, needsScreen: Bool
    ) async -> Bool {
        let (state, text) = Self.indicator(sign, settings)
        do throws(DockError) {
            let isVisible = try await dock.setIndicator("record", state, text: text)
            recorder.shown(sign, problem: isVisible || !needsScreen ? nil : Self.noScreen)
            return true
        } catch {
            if error.code == .notConnected { return true }
            if error.code == .timeout { return false }
            // Without `REC`, the recorder stops. Any other sign is shown again and again: until then, `REC` may stay.
            guard sign == .recording else { return false }
            recorder.shown(sign, problem: error.message)
            return true
        }
    }

    /// Why nothing is recorded beside a daemon without a screen.
    static let noScreen = "this robot has no screen; `sign = \"none\"` in record.toml records without one"

    /// Returns what people see. Where sound may be recorded it says so, also while the microphone is lost: it may return
    /// at any time.
    static func indicator(_ sign: Sign, _ settings: RecorderSettings) -> (IndicatorState, String) {
        switch sign {
        case .off: (.off, "")
        case .waiting: (.trying, "no pictures")
        case .recording: (.on, recording(settings))
        case .fault(let reason): (.fault, RecordWords.short(reason))
        }
    }

    private static func recording(_ settings: RecorderSettings) -> String {
        let words = [settings.privacy.mode == .none ? "faces visible" : nil, settings.sound == nil ? nil : "sound"]
        return words.compactMap { $0 }.joined(separator: ", ")
    }
}
