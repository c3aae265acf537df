internal import ControlProtocol
internal import DockControl
internal import DockTypes

/// The sender of a request, and the destination of the answer.
struct Ticket: Sendable, Equatable {
    /// The sender.
    var asker: Asker
    /// The number of the call that waits for the answer; nil: the answer goes to the person at the terminal.
    var call: Int?
    /// The value of a success for programs, if the loop's answer does not contain it.
    var value = Outcome.Value.none
    /// The program that asked; nil: none.
    var program: ProgramID?
    /// The first mode that the session itself sets after the start checks; nil: another request.
    var firstMode: TrackingMode?
    /// Whether this is a person's motion: programs wait until it ends.
    var isPersonal = false
    /// The effect on the latch, once the loop has carried it out.
    var latch: LatchStep?
    /// The number of the takeover; nil: none.
    var takeover: Int?
    /// Whether a success is not reported to the person at the terminal.
    var isQuiet = false

    /// The same ticket with the value of a success.
    func meaning(_ value: Outcome.Value) -> Ticket {
        var new = self
        new.value = value
        return new
    }

    /// An emergency stop latches, a clear releases.
    enum LatchStep: Sendable, Equatable { case latches, releases }

    static let keys = Ticket(asker: .keys)
    static let words = Ticket(asker: .words)
    /// A scene's command words. Their answers would displace what the screen says to a person.
    static let cue = Ticket(asker: .words, isQuiet: true)
}
