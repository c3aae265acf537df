/// How a loop ends.
extension LoopCore {
    /// Ends the loop for any reason: writes the stop last and synchronously.
    package func end() -> LoopEnd {
        let wasGone = link == nil
        let endedAt = clock()
        recorder.now = endedAt
        recorder.ends()
        guardian?.beginTurn()
        // An axis that was still backing off must be latched as well.
        if let fault = latch.pendingFault, !machine.take(.fault(fault), now: endedAt).isEmpty {
            dockChanged(now: endedAt)
        }
        latch.pendingFault = nil
        if let link {
            bytes.removeAll(keepingCapacity: true)
            // A dock that has not identified itself may be another dock, which may receive only a stop.
            if options.profile.safety.onExit == .relax, machine.wasOurs, !options.dryRun {
                driver.encodeTorque(false, into: &bytes)
            }
            // A bad line may lose the stop, and after this no process repeats it.
            for _ in 0..<3 where !SafetyMutant.leavesWithoutStop.isOn { driver.encodeStop(into: &bytes) }
            stoppedLast = link.writeLast(bytes, within: 0.2)
            releaseGuard()
            link.close()
        }
        latch.endClear()?.reply?(.failure(DockError(.notConnected, "dockface is ending", hint: "start it again")))
        endRelease(Self.unreleased("dockface is ending, and the dock has not confirmed", repeated: false))
        var end = LoopEnd()
        end.stoppedLast = stoppedLast
        end.dockWasGone = wasGone
        end.latency = metrics.latency
        metrics.counters.faults = machine.faults
        metrics.counters.losses = machine.losses
        end.counters = metrics.counters
        let now = clock()
        publish(now: now)
        input?.publish(now: now)
        input = nil
        flushEvents()
        handOverTrace(now: .infinity)
        recorder.handOn()
        return end
    }
}
