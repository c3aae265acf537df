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
    func run(_ dock: Dock, _ recorder: Recorder, _ settings: RecordSettings) async {
        for await sign in signs {
            while !Task.isCancelled, newest.withLock({ $0 == sign }) {
                guard await !show(sign, on: dock, recorder, settings) else { break }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    /// Returns whether the sign is done with: shown, or refused. A daemon that is away gets it again when it is back.
    private func show(_ sign: Sign, on dock: Dock, _ recorder: Recorder, _ settings: RecordSettings) async -> Bool {
        let (state, text) = Self.indicator(sign, settings.privacy)
        do throws(DockError) {
            let isVisible = try await dock.setIndicator("record", state, text: text)
            recorder.shown(sign, problem: isVisible || !settings.needsScreen ? nil : Self.noScreen)
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
    static let noScreen = "this robot has no screen; `sign = \"none\"` in record.toml records all the same"

    static func indicator(_ sign: Sign, _ mode: PrivacyMode) -> (IndicatorState, String) {
        switch sign {
        case .off: (.off, "")
        case .waiting: (.trying, "no pictures")
        case .recording: (.on, mode == .none ? "faces visible" : "")
        case .fault(let reason): (.fault, RecordWords.short(reason))
        }
    }
}
