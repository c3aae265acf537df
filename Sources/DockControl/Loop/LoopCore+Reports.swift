internal import Geometry

/// What the dock says.
extension LoopCore {
    func takeReports(now: Seconds) {
        for report in reports {
            switch report {
            case .motion(let told, let deadmanTripped):
                recorder.pose(told, deadmanTripped: deadmanTripped)
                let sample = rates.believed(told)
                tellRates()
                noteHearing(deadmanTripped, now: now)
                // Motion that was asked for before the pose was known begins with it.
                if motion(at: now) == nil { wantsStep = true }
                standAfterSilence(sample)
                poses.append(sample)
                metrics.meter.measured(sample)
                watch(sample, deadmanTripped: deadmanTripped, now: now)
                standAgain(sample, now: now)
            case .battery(let state):
                if supply.take(state) { supplyChanged(state) }
            case .event(let event): emit(.accessory(event))
            case .fault(let fault):
                latch.deviceFault = fault
                // It has let go of the emergency stop, and of nothing else.
                if fault != .emergencyStop { repeatUnclearedStop(now: now) }
            case .faultCleared:
                latch.deviceFault = nil
                if let clear = latch.clear {
                    // What was measured before this clear was asked for may tell of an earlier one.
                    if poses.latest.map({ $0.time >= clear.sent }) ?? true || SafetyMutant.clearsNewerStop.isOn {
                        finishClear(now: now)
                    }
                } else {
                    repeatUnclearedStop(now: now)
                }
            case .rebooted:
                latch.deviceFault = nil
                endClear("the dock has restarted")
            case .released: released(now: now)
            case .letGo: letGo(now: now)
            case .refused(let text):
                following.refused()
                note("the dock refused " + text)
            case .disobeys(let text): note(text)
            case .ready:
                // Whatever it did before, and whoever had it then: stop comes first.
                if !SafetyMutant.returnsWithoutStop.isOn, !options.dryRun {
                    bytes.removeAll(keepingCapacity: true)
                    driver.encodeStop(into: &bytes)
                    // Cut off, it is owed, and comes before any motion.
                    if let link { stops.wroteFirstStop(isWhole: link.write(bytes)) }
                    bytes.removeAll(keepingCapacity: true)
                }
                wantsStep = true
                readyAt = now
                if !abilities.reportsBattery {
                    let mains = BatteryState(name: "mains", level: nil, charge: .notChargeable, isLow: false)
                    if supply.take(mains) { supplyChanged(mains) }
                }
            case .identified(let dock):
                if options.checkedDocks.contains(dock.uid) { director.capSpeed(.infinity) }
            }
            let before = machine.state
            perform(machine.take(report, now: now), now: now)
            if machine.state != before { dockChanged(now: now) }
            // Latched here while it was away, or restarted: it shall know, also one that is latched and not ready.
            if case .identified = report, machine.isOurs, machine.state == .faulted(.emergencyStop) {
                latch.repeatEmergencyStop(from: now)
            }
            if link == nil { break }  // closed on what it said: the rest is another dock's
        }
        if !reports.isEmpty {
            // At rest ten reports a second say the same; twice a second is enough to tell.
            if stops.isMoving || reports.contains(where: \.isNews) || now - outbox.publishedAt > 0.5 {
                markDirty(now: now)
            }
        }
        // An answer may be what the next question waited for.
        serviceAt = min(serviceAt, now)
        hasReport = true
        reports.removeAll(keepingCapacity: true)
    }

    /// A dock whose rates do not fit its poses is told to people, once.
    private func tellRates() {
        guard rates.isLie, remarks.insert(.rates).inserted else { return }
        note(
            "the speed that the dock reports does not fit the positions that it reports: the speed is taken from the positions; "
                + "check its encoders and its firmware")
    }

    /// The dock is not latched by the emergency stop, and nobody has cleared it here: it shall be.
    private func repeatUnclearedStop(now: Seconds) {
        guard latch.clear == nil, machine.state == .faulted(.emergencyStop) else { return }
        latch.repeatEmergencyStop(from: now)
    }

    private func supplyChanged(_ state: BatteryState) {
        emit(.battery(state))
        director.supplyShare = supply.share
        if supply.isCritical {
            guard !director.isSaving else { return }
            director.save()
            let place = director.owesHome ? "the head goes home and stays there" : "the head stays where it is"
            note("the battery \"\(state.name)\" is critical: \(place) until it is charged")
        } else {
            director.endSaving()
        }
        wantsStep = true
    }

    /// A critical battery's way home begins as soon as the dock can be moved.
    func payOwedHome(now: Seconds) {
        guard director.owesHome, machine.state == .ready, let pose = motion(at: now)?.pose else { return }
        director.goHomeToSave(now: now, pose: pose, speedShare: machine.speedShare(now: now, wantsToMove: false))
    }
}

extension DockReport {
    /// More than a dock telling that it still stands where it stood.
    fileprivate var isNews: Bool {
        if case .motion(let sample, _) = self { return sample.rate.magnitude > .degrees(1) }
        return true
    }
}
