import ArgumentParser
import ControlProtocol
import DockClient
import DockTypes
import ExtensionKit
import Geometry
import Synchronization
import ThingFinder

/// A running search: it passes the daemon's reports to the finder, and carries out what the finder wants.
struct FindRun: Sendable {
    let session: ExtensionSession
    private let wish: Wish
    let choices: SearchChoices
    let plan: VerifierPlan
    let board: PictureBoard
    private let memory: Remembrance?
    private let onlyMemory: Bool

    /// The names of the layers: the things in the room, and the arrow to one that the picture does not show. The daemon's
    /// screen explains the marks of things if there is a layer of the first name.
    private static let layer = "find", arrowLayer = "find-arrow"
    /// How long the program waits before it asks again, in seconds.
    private static let period: Seconds = 0.1
    /// How long the face is sad before everything is given back, in seconds.
    private static let sadness: Seconds = 1.5
    /// How long a detector may take to answer first, in seconds.
    private static let patience: Seconds = 10
    /// How often the head is tried before it counts as taken.
    private static let mostAttempts = 40
    /// The detector that names things, if the daemon has it.
    private static let usualSource = "things"

    /// Runs a search, and ends the program with its status.
    /// - Parameter onlyMemory: the thing that is looked at where it was; nil to search everywhere.
    static func search(
        _ wish: Wish, _ options: ExtensionOptions, _ choices: SearchChoices, _ plan: VerifierPlan,
        onlyMemory: Remembrance?
    ) async throws {
        let memory = try await FindPlace.reporting { () throws(DockError) -> Remembrance? in
            SearchLock.hold()
            try FindPlace.change { $0.use(wish.label, now: SystemTime.unix) }
            if let onlyMemory { return onlyMemory }
            return try FindPlace.memory().thing(named: wish.label)
        }
        let outcome = FindOutcome()
        let ending = await ExtensionHost(DockfaceFind.identity, options).run { session in
            let run = FindRun(
                session: session, wish: wish, choices: choices, plan: plan, board: PictureBoard(log: session.log),
                memory: memory, onlyMemory: onlyMemory != nil)
            let status = try await run.run()
            outcome.value.withLock { $0 = status }
        }
        guard ending == .done else { throw ExitCode(ending.exitStatus) }
        let status = outcome.value.withLock { $0 }
        if status != 0 { throw ExitCode(status) }
    }

    /// Searches. Returns the exit status.
    private func run() async throws -> Int32 {
        session.report(.starting, "waiting for the daemon")
        let dock = try await session.connect(reconnects: false)
        let before = try await dock.status()
        if let why = refusal(before) { throw why }
        let lease = try await dock.control()
        let source = try await chooseSource(dock, before)
        try await dock.setTrackingMode(.manual)
        do {
            try await admit(dock)
            let (outcome, isFree) = try await search(dock, lease, source.name)
            // A face that is sad for no time is not seen.
            if case .givenUp = outcome { try? await Task.sleep(for: .seconds(Self.sadness)) }
            await leave(dock, before, source.replaced, givesBack: isFree)
            await giveBack(lease, dock)
            return Self.status(outcome, isFree: isFree)
        } catch {
            // This task may be cancelled, and its calls would have no effect.
            await Task { await leave(dock, before, source.replaced, givesBack: true) }.value
            await giveBack(lease, dock)
            throw error
        }
    }

    /// Gives the lease back, before the end of the connection would. The calls of a connection are answered in order.
    private func giveBack(_ lease: DockLease, _ dock: Dock) async {
        lease.release()
        _ = await Task { try? await dock.status() }.value
    }

    /// Why no search can begin.
    private func refusal(_ status: StatusReading) -> DockError? {
        var reading = status.accessory
        // The search sets the mode, which ends what keys and programs did before.
        (reading.mode, reading.control) = (.manual, nil)
        if reading.stoppedBy == "program" { reading.stoppedBy = nil }
        return FindFeed.interruption(reading).map {
            DockError(
                .busy, "the head cannot be turned: \($0)",
                hint: "see `dockface status`; `dockface release` gives the head back")
        }
    }

    /// Selects the detector. Returns its name, and the name of the one that it replaces.
    private func chooseSource(
        _ dock: Dock, _ status: StatusReading
    ) async throws(DockError) -> (name: String, replaced: String?) {
        let rows = status.json["detector"]?["sources"]?.array ?? []
        let names = rows.compactMap { $0["name"]?.string }
        let active = rows.first { $0["active"]?.bool == true }?["name"]?.string
        let wanted = choices.source ?? names.first { $0 == Self.usualSource }
        guard let name = wanted ?? active else {
            throw DockError(
                .notSupported, "the daemon has no detector",
                hint: "start it with `--camera /dev/video0 --detector things`")
        }
        guard name != active else { return (name, nil) }
        guard names.contains(name) else {
            throw DockError(
                .notSupported, "the daemon has no detector \"\(name)\"", hint: "`dockface source` lists them")
        }
        return (try await dock.selectSource(name), active)
    }

    /// Waits until the head may be turned: not in the first moments after a dock was attached.
    private func admit(_ dock: Dock) async throws {
        for _ in 0..<Self.mostAttempts {
            do throws(DockError) {
                _ = try await dock.setAngularVelocity(.zero, for: 0.01)
                return
            } catch {
                guard error.code == .busy else { throw error }
            }
            try await Task.sleep(for: .seconds(Self.period))
        }
        throw DockError(.busy, "the daemon does not let this program turn the head", hint: "see `dockface status`")
    }

    private func search(
        _ dock: Dock, _ lease: DockLease, _ source: String
    ) async throws -> (FinderOutcome, isFree: Bool) {
        let answer = try await firstAnswer(dock, source), sight = try RigSight(await dock.status(), answer)
        var settings = FinderSettings(eye: sight.eye, range: sight.range)
        (settings.pace, settings.stays) = (sight.pace, choices.stay)
        settings.timeLimit = choices.timeLimit ?? (plan.model == nil ? 120 : 600)
        (settings.memory, settings.onlyMemory) = (memory, onlyMemory)
        (settings.hasVerifier, settings.mostRequests) = (!plan.commands.isEmpty, plan.mostRequests)
        (settings.patience, settings.sweeps) = (plan.patience, settings.hasVerifier ? 3 : 2)
        let feed = FindFeed(sight, source: source), begun = SystemTime.monotonic
        var finder = Finder(wish, settings, now: begun), screen = FindScreen(wish, isJSON: choices.json)
        var sounds = FinderSounds()
        session.report(.ready, "looking for \(wish.label)")
        let reading = Task { try await feed.run(dock, lease) }
        defer { reading.cancel() }
        let watching = wantsPictures ? Task { await watch(dock, feed) } : nil
        defer { watching?.cancel() }
        let verifying =
            settings.hasVerifier
            ? try Verifying(plan, wish, board: board, log: session.log) { feed.put($0) } : nil
        defer { verifying?.end() }
        try await verifying?.announce(dock, session.log)
        var drawing = FinderDrawing(), isPointing = false
        for await event in feed.events {
            session.beat()
            let now = SystemTime.monotonic
            let before = finder.bearing, actions = finder.handle(event, now: now), progress = finder.progress(now: now)
            // A thing that was set aside has just left the finder's attention.
            let bearing = finder.bearing ?? before
            if let sound = sounds.next(progress), finder.outcome != .cancelled {
                _ = try? await dock.cue(sound, direction: bearing)
            }
            for action in actions {
                if case .remember(let thing) = action { keepPicture(of: thing, finder.foundPicture) }
                try await perform(action, dock, feed, verifying, in: progress.phase, bearing)
            }
            for verdict in verifying?.takeNews() ?? [] { screen.show(verdict) }
            if let outcome = finder.outcome {
                screen.end(outcome, progress, took: now - begun)
                return (outcome, true)
            }
            screen.show(progress, now: now)
            guard progress.phase != .paused else {
                // A person has the head, and the search never takes it back.
                let why = progress.reason + "; search again when the head is free"
                screen.end(.blocked(why), progress, took: now - begun)
                return (.blocked(progress.reason), false)
            }
            guard let (boxes, arrow) = drawing.next(finder, now: now) else { continue }
            let items = boxes.map { $0.outline(from: sight.foot) }
            try await dock.setLayer(Self.layer, items, in: .world, for: FinderDrawing.shown)
            guard arrow != nil || isPointing else { continue }
            isPointing = arrow != nil
            let pointers = arrow.map { [$0.item] } ?? []
            try await dock.setLayer(Self.arrowLayer, pointers, in: .picture, for: FinderDrawing.shown)
        }
        screen.clear()
        try Task.checkCancellation()
        throw DockError(.notConnected, "the daemon has ended", hint: "start it again, and search again")
    }

    /// Waits for the first answer of the detector.
    private func firstAnswer(_ dock: Dock, _ source: String) async throws -> DetectionsReading {
        let answers = try dock.updates(.detections)
        let first = await withTaskGroup(of: DetectionsReading?.self) { group in
            group.addTask {
                for await update in answers where update.value.source == source { return update.value }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let first else {
            throw DockError(
                .timeout, "the detector \"\(source)\" does not answer", hint: "see `dockface status` and the camera")
        }
        return first
    }

    private func perform(
        _ action: FinderAction, _ dock: Dock, _ feed: FindFeed, _ verifying: Verifying?, in phase: FinderPhase,
        _ bearing: PanTilt?
    ) async throws {
        switch action {
        case .look(let pose):
            do throws(DockError) {
                feed.began(try await dock.setOrientation(pose).id)
            } catch {
                guard error.code != .limitReached else { return }
                guard error.code != .notConnected else { throw error }
                feed.put(.interrupted(error.message))
            }
        case .mood(let mood): _ = try? await dock.setExpression(mood.rawValue)
        case .say(let text):
            // What ends a search, or begins it again, may interrupt another sentence.
            let isTurn = [.found, .lost, .givenUp, .blocked].contains(phase)
            _ = try? await dock.say(text, urgency: isTurn ? .high : .normal, direction: bearing)
        case .remember(let thing):
            do throws(DockError) {
                try FindPlace.change { $0.remember(thing, now: SystemTime.unix) }
            } catch {
                session.log.warning("the place is not remembered: \(error.message); \(error.hint)")
            }
        case .missed(let name): try? FindPlace.change { $0.missed(name) }
        case .ask(let request): verifying?.ask(request)
        case .drop(let request): verifying?.drop(request)
        case .end: break
        }
    }

    /// Gives everything back as it was. `givesBack`: whether the mode may be set, which only the holder of the head may.
    private func leave(_ dock: Dock, _ before: StatusReading, _ source: String?, givesBack: Bool) async {
        for name in [Self.layer, Self.arrowLayer] { try? await dock.removeLayer(name) }
        if wantsPictures { try? await dock.closePictures() }
        if plan.sendsAway { _ = try? await dock.setIndicator(Verifying.sign, .off, text: "") }
        _ = try? await dock.command("face auto")
        if let source { _ = try? await dock.selectSource(source) }
        guard givesBack, before.accessory.mode != .manual else { return }
        _ = try? await dock.setTrackingMode(before.accessory.mode)
    }

    private static func status(_ outcome: FinderOutcome, isFree: Bool) -> Int32 {
        switch outcome {
        case .found, .cancelled: 0
        case .givenUp: 1
        case .blocked: isFree ? 69 : 75
        }
    }
}

/// The exit status, for the task that waits for the search.
private final class FindOutcome: Sendable {
    let value = Mutex<Int32>(0)
}
