internal import DockTypes

/// The end of a loop.
extension LoopCore {
    /// Ends the loop for any reason: writes the stop last and synchronously.
    package func end() -> LoopEnd {
        var end = LoopEnd()
        end.dockWasGone = link == nil
        let endedAt = metrics.clock()
        recorder.now = endedAt
        recorder.ends()
        guardLink.beginTurn()
        // An axis that was still backing off must also be latched.
        if let fault = latch.pendingFault, !machine.handle(.fault(fault), now: endedAt).isEmpty {
            dockChanged(now: endedAt)
        }
        latch.pendingFault = nil
        if let link {
            dock.discard()
            // A dock that has not identified itself may be another dock, which may receive nothing but a stop.
            if options.profile.safety.onExit == .relax, machine.wasOurs, !options.dryRun {
                dock.torque(false)
            }
            // A bad line may lose the stop, and after this no process repeats it.
            for _ in 0..<3 where !SafetyMutant.leavesWithoutStop.isOn { dock.stop() }
            end.stoppedLast = writeLast(within: 0.2)
            guardLink.release()
            link.close()
        }
        latch.endClear()?.reply?(.failure(DockError(.notConnected, "dockface is ending", hint: "start it again")))
        endRelease(Self.unreleased("dockface is ending, and the dock has not confirmed", repeated: false))
        end.latency = metrics.latency
        metrics.counters.faults = machine.faults
        metrics.counters.losses = machine.losses
        end.counters = metrics.counters
        let now = metrics.clock()
        publish(now: now)
        input?.publish(now: now)
        input = nil
        outlet.flush()
        handOverTrace(now: .infinity)
        recorder.handOn()
        return end
    }
}
