@testable import AllSpark

/// Conversations that have come so far.
enum Talks {
    /// A machine whose connection is open and configured; our name was sent.
    static func open(
        _ terms: OwnerTerms = OwnerTerms(), config: String = pythonConfig, medium: Medium? = nil,
        style: UploadName.Style = .milliseconds
    ) -> Talk {
        let machine = newMachine(terms, style: style)
        _ = machine.handle(.start, at: at(0))
        _ = machine.handle(.opened(PeerFacts(isEncrypted: false, medium: medium)), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(text(config), at: at(0))
        return machine
    }

    /// Requests the chunks, and brings the first of them to the answer.
    static func begin(
        _ machine: Talk, _ chunks: [ChunkReference], upTo phase: UploadCourse.Phase = .answering,
        at now: Double = 1
    ) -> [AllSparkMachine.Action] {
        var actions = machine.handle(.upload(range(0, 1000)), at: at(now))
        let search = actions.finds.first?.number ?? 0
        actions += machine.handle(.found(search, chunks, isComplete: true), at: at(now))
        return actions + proceed(machine, upTo: phase, at: now)
    }

    /// Prepares the next file and sends it up to this phase.
    static func proceed(
        _ machine: Talk, upTo phase: UploadCourse.Phase = .answering, at now: Double = 1
    ) -> [AllSparkMachine.Action] {
        guard let course = machine.course, let need = course.need else { return [] }
        var actions = machine.handle(.prepared(need, bytes: 1_000_000), at: at(now))
        while machine.course?.phase != phase, machine.session?.isWriting == true {
            actions += machine.handle(.written, at: at(now))
        }
        return actions
    }
}
