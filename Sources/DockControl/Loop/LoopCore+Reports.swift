internal import Geometry

/// The handling of the dock's reports.
extension LoopCore {
    func handleReports(now: Seconds) {
        var isCleared = false
        for report in dock.reports {
            switch report {
            case .motion(let reported, let deadmanTripped):
                recorder.pose(reported, deadmanTripped: deadmanTripped)
                let sample = observed.corrected(reported)
                reportWrongRates()
                noteDeafness(deadmanTripped, now: now)
                // Motion that was requested before the pose was known can begin now.
                if observed.motion(at: now) == nil { schedule.request() }
                stopAfterSilence(sample)
                observed.keep(sample)
                options.poses?.append(sample)
                metrics.meter.measured(sample)
                watch(sample, deadmanTripped: deadmanTripped, now: now)
                repeatStop(sample, now: now)
            case .battery(let state):
                if observed.supply.update(state) { supplyChanged(state) }
            case .lens(let report): lensMoved(report)
            case .event(let event): emit(.accessory(event))
            case .fault(let fault):
                latch.deviceFault = fault
                // The dock's own button covers a fault, as a requested emergency stop does.
                if fault == .emergencyStop, case .faulted(let covered) = machine.state { latch.absorb(covered) }
                // The dock has released its emergency stop, but still has another fault.
                if fault != .emergencyStop { repeatUnclearedStop(now: now) }
            case .faultCleared:
                latch.deviceFault = nil
                if let clear = latch.clear {
                    // A report from before this clear may describe an earlier one.
                    isCleared =
                        observed.poses.latest.map { $0.time >= clear.sent } ?? true
                        || SafetyMutant.clearsNewerStop.isOn
                } else {
                    repeatUnclearedStop(now: now)
                }
            case .rebooted:
                latch.deviceFault = nil
                endClear("the dock has rebooted")
            case .released: released(now: now)
            case .letGo: letGo(now: now)
            case .refused(let text):
                observed.following.refused()
                note("the dock refused " + text)
            case .disobeys(let text), .advice(let text): note(text)
            case .ready:
                // The stop comes first, because the dock may still follow commands from another host.
                if !SafetyMutant.returnsWithoutStop.isOn, !options.dryRun {
                    dock.discard()
                    dock.stop()
                    // A truncated stop is still due, and precedes any motion.
                    stops.wroteFirstStop(isWhole: writeNow())
                }
                schedule.request()
                observed.silence.becameReady(now: now)
                if !abilities.reportsBattery {
                    let mains = BatteryState(name: "mains", level: nil, charge: .notChargeable, isLow: false)
                    if observed.supply.update(mains) { supplyChanged(mains) }
                }
            case .identified(let dock):
                if options.checkedDocks.contains(dock.uid) { director.capSpeed(.infinity) }
            }
            let before = machine.state
            perform(machine.handle(report, now: now), now: now)
            if machine.state != before { dockChanged(now: now) }
            // The emergency stop was latched here while the dock was away or rebooted. The dock must receive it, even
            // if it is latched and not ready.
            if case .identified = report, machine.isOurs, machine.state == .faulted(.emergencyStop) {
                latch.repeatEmergencyStop(from: now)
            }
            if link == nil { break }  // the port was closed, and the rest is from another dock
        }
        // Only now: the dock may be latched again in a newer report that was read at the same time.
        if isCleared { finishClear(now: now) }
        if !dock.reports.isEmpty {
            // At rest, ten reports a second are identical, so publishing twice a second is enough.
            if stops.isMoving || dock.reports.contains(where: \.isNews) || now - outlet.outbox.publishedAt > 0.5 {
                markDirty(now: now)
            }
        }
        // The driver's next request may have waited for this answer.
        schedule.service(by: now)
        schedule.hasReport = true
        dock.endReports()
    }

    /// Logs once that the dock's rates do not match its poses.
    private func reportWrongRates() {
        guard observed.hasWrongRates, outlet.isFirst(.rates) else { return }
        note(
            "the dock's reported speed does not match its reported positions: the speed is computed from the positions; "
                + "check its encoders and its firmware")
    }

    /// Repeats the emergency stop if the dock is not latched by it and no client has cleared it here.
    private func repeatUnclearedStop(now: Seconds) {
        guard latch.clear == nil, machine.state == .faulted(.emergencyStop) else { return }
        latch.repeatEmergencyStop(from: now)
    }

    /// Adapts tracking to the lens, and logs a magnification at which the lens has come to rest.
    private func lensMoved(_ report: LensReport) {
        if let view = director.handle(report) {
            let factor = (report.magnification * 10).rounded() / 10
            note("the camera's lens is at \(factor)x: its picture is \(Int(view.inDegrees.rounded())) degrees wide")
        }
        schedule.request()
    }

    private func supplyChanged(_ state: BatteryState) {
        emit(.battery(state))
        director.supplyShare = observed.supply.share
        if observed.supply.isCritical {
            guard !director.isSaving else { return }
            director.save()
            let place = director.mustGoHome ? "the head goes home and stays there" : "the head stays where it is"
            note("the battery \"\(state.name)\" is critical: \(place) until it is charged")
        } else {
            director.endSaving()
        }
        schedule.request()
    }

    /// Begins the return home for a critical battery as soon as the dock can be moved.
    func beginPendingReturnHome(now: Seconds) {
        guard director.mustGoHome, machine.state == .ready, let pose = observed.motion(at: now)?.pose else { return }
        director.goHomeToSave(now: now, pose: pose, speedShare: machine.speedShare(now: now, isTurning: false))
    }
}

extension DockReport {
    /// Whether the report contains more than an unchanged position.
    fileprivate var isNews: Bool {
        if case .motion(let sample, _) = self { return sample.rate.magnitude > .degrees(1) }
        return true
    }
}
