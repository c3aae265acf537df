import DockSimulator
import Geometry
import Glibc
import Testing

@testable import DockControl

/// Latency, lag and speed of known rigs: analytic plants, then every simulated rig behind the real loop.
@Suite struct ResponseFitTests {
    /// A rig of delay and first-order lag, in closed form, with noise and reports at uneven times.
    static func recording(
        delay: Seconds, lag: Seconds, gain: Double = 1, noise: Double = 0, seed: UInt64 = 1
    ) -> MotionRecording {
        var random = SeededRandom(seed: seed), now: Seconds = 50
        var recording = MotionRecording(commands: [], readings: [], cuts: [])
        var changes: [(at: Seconds, by: Double)] = []
        func tell(_ velocity: Double) {
            let before = recording.commands.last?.velocity ?? 0
            recording.commands.append(.init(time: now, velocity: velocity))
            changes.append((now + delay, velocity - before))
        }
        now += Wiggle.still
        for stroke in Wiggle(maxSpeed: 10).strokes {
            recording.cuts.append(now)
            tell(stroke.velocity)
            now += stroke.duration
            tell(0)
            now += Wiggle.rest
        }
        recording.cuts.append(now)
        var at: Seconds = 50.003
        while at < now {
            var position = 0.3, rate = 0.0
            for change in changes where at > change.at {
                let elapsed = at - change.at, rest = lag > 0 ? exp(-elapsed / lag) : 0
                position += gain * change.by * (elapsed - lag * (1 - rest))
                rate += gain * change.by * (1 - rest)
            }
            recording.readings.append(.init(time: at, position: position + noise * random.normal(), rate: rate))
            at += 0.018 + 0.004 * random.uniform()
        }
        return recording
    }

    @Test(arguments: [(0.015, 0.04), (0.03, 0.08), (0.0, 0.02), (0.12, 0.012), (0.05, 0.3)] as [(Seconds, Seconds)])
    func `an analytic plant is found to a millisecond`(delay: Seconds, lag: Seconds) throws {
        let recording = Self.recording(delay: delay, lag: lag, gain: 0.9)
        let fit = try #require(ResponseFit([recording]))
        #expect(abs(fit.delay - delay) < 0.001, "\(fit.delay)")
        #expect(abs(fit.axes[0].lag - lag) < 0.002, "\(fit.axes[0].lag)")
        #expect(abs(fit.axes[0].gain - 0.9) < 0.005, "\(fit.axes[0].gain)")
        let ratio = try #require(recording.speedRatio), rates = try #require(recording.rateRatio)
        #expect(lag > 0.1 || abs(ratio.value - 0.9) < 0.005, "\(ratio)")
        #expect(abs(rates - 1) < 0.01, "\(rates)")
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `two axes with the noise of a cheap encoder share their delay, and keep their own lags`(seed: UInt64) throws {
        let pan = Self.recording(delay: 0.03, lag: 0.08, noise: .degrees(0.25), seed: seed)
        let tilt = Self.recording(delay: 0.03, lag: 0.05, noise: .degrees(0.1), seed: seed + 100)
        let fit = try #require(ResponseFit([pan, tilt]))
        #expect(abs(fit.delay - 0.03) < 0.008, "\(fit.delay)")
        #expect(abs(fit.axes[0].lag - 0.08) < 0.02 && abs(fit.axes[1].lag - 0.05) < 0.012, "\(fit.axes)")
        #expect(abs(try #require(pan.noise).inDegrees - 0.25) < 0.1)
    }

    @Test func `data that no such model describes is reported as such, without a number`() {
        var still = Self.recording(delay: 0.02, lag: 0.04)
        for index in still.readings.indices { still.readings[index].position = 0.1 }
        #expect(ResponseFit([still]) == nil)
        #expect(ResponseFit([Self.recording(delay: 0.02, lag: 0.04, gain: -1)]) == nil)
        #expect(ResponseFit([Self.recording(delay: 0.02, lag: 0.04, noise: .degrees(4))]) == nil)
        #expect(ResponseFit([Self.recording(delay: 0.9, lag: 0.04)]) == nil)
        #expect(ResponseFit([]) == nil)
        #expect(ResponseFit([MotionRecording(commands: [], readings: [], cuts: [])]) == nil)
    }

    // MARK: rigs

    /// Moves both axes back and forth, as `dockface calibrate` does, from `start` (seconds) on.
    private func recordings<Device: SimulatedDevice>(_ rig: DeviceRig<Device>, start: Seconds = 2) -> [MotionRecording]
    {
        rig.run(start)
        return Axis.allCases.map { axis in
            rig.run(0.5)
            let began = rig.now
            rig.run(Wiggle.still)
            var cuts: [Seconds] = []
            for stroke in Wiggle(maxSpeed: rig.profile[axis].maxSpeed).strokes {
                cuts.append(rig.now)
                var velocity = PanTilt.zero
                velocity[axis] = stroke.lead
                rig.give(.velocity(velocity, duration: 2 * Wiggle.leadTime))
                rig.run(Wiggle.leadTime)
                velocity[axis] = stroke.velocity
                rig.give(.velocity(velocity, duration: stroke.duration))
                rig.run(stroke.duration + Wiggle.rest)
            }
            cuts.append(rig.now)
            #expect(rig.states.last == .ready, "\(rig.states) \(rig.notes)")
            return MotionRecording(rig.records, axis: axis, from: began, cuts: cuts)
        }
    }

    /// Times at which the motion begins, spread over an interval between two readings of a pair of servos, seconds. The
    /// result depends on how far the last reading was from the first command, so tests of servos take the mean.
    private static let starts = (0..<8).map { 2 + 0.0037 * Seconds($0) }

    /// Checks the fit of both axes and its error: seconds, and a fraction of the speed.
    private func finds<Device: SimulatedDevice>(
        _ rig: @autoclosure () -> DeviceRig<Device>, starts: [Seconds] = [2], delay: Seconds? = nil,
        lag: Seconds? = nil, sum: Seconds, within most: Seconds,
        speed: Double, _ name: String
    ) {
        var fits: [(delay: Seconds, axes: [(lag: Seconds, ratio: Double, left: Double)])] = []
        for start in starts {
            let recordings = recordings(rig(), start: start)
            guard let fit = ResponseFit(recordings) else {
                Issue.record("\(name), from \(start) s on: nothing fits")
                return
            }
            let axes = zip(recordings, fit.axes).map { ($1.lag, $0.speedRatio?.value ?? 0, $1.unexplained) }
            fits.append((fit.delay, axes))
        }
        func mean(_ value: (Int) -> Double) -> Double { fits.indices.map(value).reduce(0, +) / Double(fits.count) }
        let found = mean { fits[$0].delay }
        for axis in Axis.allCases.indices {
            let foundLag = mean { fits[$0].axes[axis].lag }, ratio = mean { fits[$0].axes[axis].ratio }
            let said = "\(name): delay \(found), lag \(foundLag), speed \(ratio), \(fits)"
            #expect(abs(found - (delay ?? found)) < most && abs(foundLag - (lag ?? foundLag)) < most, "\(said)")
            #expect(abs(found + foundLag - sum) < most && abs(ratio - 1) < speed, "\(said)")
            // Each start by itself, within the spread of the phase: one interval between two readings.
            #expect(fits.allSatisfy { abs($0.delay + $0.axes[axis].lag - sum) < 2 * most }, "\(said)")
            #expect(fits.allSatisfy { abs($0.axes[axis].ratio - 1) < 2 * speed }, "\(said)")
        }
    }

    @Test(arguments: [RigModel.good, .cheap]) func `our own dock, good and cheap`(model: RigModel) {
        var profile = RigProfile.dlpDock
        for axis in [\RigProfile.pan, \RigProfile.tilt] {
            profile[keyPath: axis].maxSpeed = model.maximumSpeed
            profile[keyPath: axis].maxAcceleration = model.maximumAcceleration
        }
        // Its clock is found by a request that takes longer than its answer; the firmware ramps a set-point of 50.
        let delay = model.commandLatency - (model.commandLatency - model.reportAge) / 2 + 0.0085
        finds(
            CoreRig(.init(model: model, seed: 5), profile: profile), starts: Self.starts, delay: delay,
            lag: model.lag, sum: delay + model.lag,
            // The play of a cheap gear looks like delay.
            within: model.backlash > 0 ? 0.012 : 0.01, speed: 0.03, model.name)
    }

    /// Streamed positions run a refresh interval ahead: the response is faster than the rig's latency and lag by this
    /// time.
    @Test func `servos that are sent positions`() {
        let model = RigModel.good, sum = model.commandLatency + model.lag - PositionStream.firstStep
        finds(DriverRows.feetech.rig(), starts: Self.starts, sum: sum, within: 0.01, speed: 0.02, "feetech")
        finds(DriverRows.dynamixel.rig(), starts: Self.starts, sum: sum, within: 0.01, speed: 0.02, "dynamixel")
        // It is stopped where its lag lets it brake, and its dead time makes it fall short by this much.
        finds(DriverRows.mavlink.rig(), sum: sum, within: 0.01, speed: 0.03, "mavlink")
    }

    /// Whole degrees, and codes between which a camera alternates at 9600 baud: coarser than a lag.
    @Test func `a board that accepts whole degrees, and a camera with speed codes`() {
        let model = RigModel.good
        // Its servos turn at the commanded speed at once: a quarter of the lag is the motor's.
        finds(
            DriverRows.waveshare.rig(), sum: model.commandLatency + model.lag / 4, within: 0.012, speed: 0.03,
            "waveshare")
        // Nine bytes at 9600 baud.
        finds(
            DriverRows.visca.rig(), sum: model.commandLatency + model.lag + 0.0094, within: 0.012, speed: 0.03, "visca")
    }

    @Test func `a wrong unit of speed in the profile shows in the rates that FeeTech's servos report`() throws {
        func ratio(unit: Double?) throws -> Double {
            let ratios = try Self.starts.map { start in
                let rig = DriverRows.feetech.rig { $0.options["speed_unit_steps"] = unit }
                return try #require(recordings(rig, start: start)[0].rateRatio)
            }
            return ratios.reduce(0, +) / Double(ratios.count)
        }
        let wrong = try ratio(unit: 2), right = try ratio(unit: nil)
        #expect(abs(wrong - 2) < 0.08, "\(wrong)")
        #expect(abs(right - 1) < 0.04, "\(right)")
    }

    @Test func `a board whose unit of speed differs from its profile turns too fast by that factor`() throws {
        let rig = DriverRows.waveshare.rig { $0.options["speed_unit_steps"] = 0.8 }
        let ratio = try #require(recordings(rig)[0].speedRatio)
        #expect(abs(ratio.value - 1 / 0.8) < 0.1, "\(ratio)")
        let right = try #require(recordings(DriverRows.waveshare.rig())[0].speedRatio)
        #expect(abs(right.value - 1) < 0.08, "\(right)")
    }
}
