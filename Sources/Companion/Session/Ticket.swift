internal import ControlProtocol
internal import DockControl
internal import DockTypes

/// The sender of a request, and the recipient of the answer.
struct Ticket: Sendable, Equatable {
    /// The sender.
    var asker: RequestOrigin
    /// The number of the call that waits for the answer, or nil if the answer is for the person at the terminal.
    var call: Int?
    /// The value of a success for programs, if the loop's answer does not contain it.
    var value = Outcome.Value.none
    /// The program that asked, or nil if there is none.
    var program: ProgramID?
    /// The first mode that the session itself sets after the start checks, or nil if it is another request.
    var firstMode: TrackingMode?
    /// Whether this is a person's motion, so that programs wait until it ends.
    var isPersonal = false
    /// The effect on the latch, once the loop has executed the command.
    var latch: LatchStep?
    /// The number of the takeover, or nil if there is none.
    var takeover: Int?
    /// Whether a success is not reported to the person at the terminal.
    var isQuiet = false
    /// The number of the line of standard input whose answer the next line waits for, or nil if none waits.
    var turn: Int?
    /// The tag with which the answer begins, or nil if there is none.
    var tag: String?

    /// Returns the same ticket with the value of a success.
    func meaning(_ value: Outcome.Value) -> Ticket {
        var new = self
        new.value = value
        return new
    }

    /// The effect of a command on the latch: an emergency stop latches, and a clear releases.
    enum LatchStep: Sendable, Equatable { case latches, releases }

    static let keys = Ticket(asker: .keys)
    static let words = Ticket(asker: .words)
    /// The ticket of a scene's command words. Their answers would displace the messages to a person on the screen.
    static let cue = Ticket(asker: .words, isQuiet: true)
}
