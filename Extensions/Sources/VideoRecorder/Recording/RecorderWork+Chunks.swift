internal import Geometry
internal import Processes

/// The encoders of a recorder, from the start of one to the end of its chunk.
extension RecorderWork {
    func warm() {
        guard spare == nil else { return }
        do throws(ChildProcess.Failure) {
            spare = try newEncoder()
        } catch {
            encoderFailed(nil, error.description)
        }
    }

    /// An encoder has failed; the arguments are those of the machine.
    private func encoderFailed(_ id: Int?, _ reason: String, hasWorked: Bool = false, sent: Seconds? = nil) {
        if !hasWorked, encoding.codec != .x264 {
            // It may encode one film at a time only, or not of this size.
            let words = "\(encoding.codec.rawValue) fails (\(reason)); x264 encodes from now on"
            order(.say(words, isWarning: true))
            encoding.codec = .x264
        }
        carryOut(machine.encoderFailed(id, reason, hasWorked: hasWorked, sent: sent, now: now))
    }

    private func newEncoder() throws(ChildProcess.Failure) -> ChunkEncoder {
        try ChunkEncoder(encoding, hasSound: sound?.isHopeful ?? false, now: now)
    }

    func begin(_ beginning: RecorderMachine.Beginning) {
        do throws(ChildProcess.Failure) {
            let encoder = try takeSpare()
            chunks.append(OpenChunk(beginning, encoder, keepsPoses: settings.keepsPoses))
            let assumed = settings.privacy.assumed
            if !disk.add(.begin(beginning.id, date: beginning.date, verdict: assumed)) {
                handle(.failed(beginning.id, "the disk is too slow"))
            }
            endSurplus()
        } catch {
            encoderFailed(beginning.id, error.description)
        }
    }

    private func takeSpare() throws(ChildProcess.Failure) -> ChunkEncoder {
        guard let ready = spare else { return try newEncoder() }
        spare = nil
        // Since it was started, the microphone may have been lost, or found.
        guard ready.hasSound == (sound?.isHopeful ?? false) else {
            ready.end()
            return try newEncoder()
        }
        return ready
    }

    /// Ends encoders that have work from long ago.
    private func endSurplus() {
        while chunks.count > Self.mostEncoders {
            let chunk = chunks.removeFirst()
            chunk.encoder.end()
            store(chunk)
        }
    }

    func close(_ id: Int, _ reason: ChunkEnd, _ next: Seconds?) {
        guard let place = chunks.firstIndex(where: { $0.beginning.id == id }) else { return }
        if next == nil { gaps = FrameGaps() }
        chunks[place].close(reason, next: next, sound?.ring, now: now)
        switch reason {
        case .disk, .deleted: chunks[place].encoder.end()
        default: break
        }
        switch reason {
        case .disk, .camera, .stopped:
            // The next chunk may be far away.
            spare?.end()
            spare = nil
        default: break
        }
    }

    func runEncoders() {
        let isHeld = disk.isBusy, now = now
        for chunk in chunks { pass(chunk.encoder.turn(isHeld: isHeld, now: now), of: chunk, now) }
        if let spare {
            _ = spare.turn(isHeld: false, now: now)
            if case .failed(let reason)? = spare.ending {
                self.spare = nil
                encoderFailed(nil, reason)
            }
        }
        while let place = chunks.firstIndex(where: { $0.encoder.ending != nil }) { finish(place) }
    }

    private func pass(_ pieces: [FragmentStream.Whole], of chunk: OpenChunk, _ now: Seconds) {
        for piece in pieces {
            if piece.piece == .fragment { carryOut(machine.encoderWorked(now: now)) }
            guard disk.add(.append(chunk.beginning.id, piece.bytes)) else {
                return handle(.failed(chunk.beginning.id, "the disk is too slow"))
            }
        }
    }

    /// An encoder has ended: its chunk is complete, or what there is of it.
    private func finish(_ place: Int) {
        var chunk = chunks.remove(at: place)
        let unsent = chunk.takeUnsent()
        store(chunk)
        guard case .failed(let reason)? = chunk.encoder.ending, chunk.end.map(Self.isSurprise) ?? true else { return }
        let wasOpen = chunk.end == nil
        encoderFailed(
            chunk.beginning.id, reason, hasWorked: chunk.encoder.hasWorked, sent: chunk.encoder.lastSent)
        // Frames that the program never saw begin the next chunk.
        if wasOpen { record(unsent) }
    }

    /// Whether an encoder should have ended by itself after such an end of its chunk.
    private static func isSurprise(_ end: ChunkEnd) -> Bool {
        switch end {
        case .disk, .deleted, .encoder: false
        default: true
        }
    }

    func store(_ chunk: OpenChunk) {
        let id = chunk.beginning.id
        guard let facts = chunk.facts else {
            _ = disk.add(.discard(id))
            return
        }
        _ = disk.add(.finish(id, facts))
    }
}
