internal import Glibc
package import Geometry

/// The target of a track.
package enum MotionTarget: Sendable, Equatable {
    case face(FaceParameter)
    case eyes(EyeParameter)
    case left(EyeParameter)
    case right(EyeParameter)
}

/// The way in which a track's value is applied to the parameter: it is added, or it is a factor (1 + value, except that
/// keys are the factor itself).
package enum MotionOperation: String, Sendable {
    case plus, times
}

/// A key of a curve: the value is held before the first key and after the last one, and eased between them.
package struct MotionKey: Sendable, Equatable {
    package var time: Seconds
    package var value: Float

    /// Creates a key with a value at a time.
    package init(time: Seconds, value: Float) {
        self.time = time
        self.value = value
    }
}

/// One moving parameter of a mood or of a gesture.
package struct MotionTrack: Sendable, Equatable {
    package enum Curve: Sendable, Equatable {
        case sine(amplitude: Float, period: Seconds, phase: Double)
        case hop(amplitude: Float, period: Seconds)
        case shake(amplitude: Float, hertz: Double, on: Seconds, off: Seconds)
        /// Repeats after `period`; 0 plays once.
        case keys([MotionKey], period: Seconds)
    }

    package var target: MotionTarget
    package var operation: MotionOperation
    package var curve: Curve

    /// Creates a track of one parameter along one curve.
    package init(target: MotionTarget, operation: MotionOperation, curve: Curve) {
        (self.target, self.operation, self.curve) = (target, operation, curve)
    }

    /// Whether it plays once from the entry of the mood, and therefore at full strength at once.
    var isOnce: Bool {
        if case .keys(_, period: 0) = curve { true } else { false }
    }

    /// Returns whether it still moves at this time after its start.
    func moves(at time: Seconds) -> Bool {
        if case .keys(let keys, period: 0) = curve { time < keys.last?.time ?? 0 } else { true }
    }

    /// Whether ten frames per second are enough to show it.
    var isSlow: Bool {
        if case .sine(_, let period, _) = curve { period >= 3 } else { false }
    }

    /// Returns the value to add (or the factor less 1) at `time` seconds after its start.
    func change(at time: Seconds) -> Float {
        switch curve {
        case .sine(let amplitude, let period, let phase):
            return amplitude * Float(sin(2 * .pi * (time / period + phase)))
        case .hop(let amplitude, let period):
            return amplitude * Float(abs(sin(.pi * time / period)))
        case .shake(let amplitude, let hertz, let on, let off):
            let inside = time - (time / (on + off)).rounded(.down) * (on + off)
            return inside < on ? amplitude * Float(sin(2 * .pi * hertz * time)) : 0
        case .keys(let keys, let period):
            let inside = period > 0 ? time - (time / period).rounded(.down) * period : time
            return Self.value(of: keys, at: inside) - (operation == .times ? 1 : 0)
        }
    }

    private static func value(of keys: [MotionKey], at time: Seconds) -> Float {
        guard let first = keys.first, let last = keys.last else { return 0 }
        if time <= first.time { return first.value }
        if time >= last.time { return last.value }
        var before = first
        for key in keys {
            if key.time > time {
                let share = Float((time - before.time) / (key.time - before.time))
                return before.value + (key.value - before.value) * share * share * (3 - 2 * share)
            }
            before = key
        }
        return last.value
    }

    /// Applies the track to a face.
    func apply(at time: Seconds, gain: Float, to face: inout FaceState) {
        let change = gain * change(at: time)
        func moved(_ value: Float) -> Float { operation == .plus ? value + change : value * (1 + change) }
        switch target {
        case .face(let parameter):
            face.face[parameter] = moved(face.face[parameter])
        case .eyes(let parameter):
            face.left[parameter] = moved(face.left[parameter])
            face.right[parameter] = moved(face.right[parameter])
        case .left(let parameter):
            face.left[parameter] = moved(face.left[parameter])
        case .right(let parameter):
            face.right[parameter] = moved(face.right[parameter])
        }
    }
}

/// The constructors for the motion rows.
extension MotionTrack {
    /// Returns amplitude · sin 2π(t / period + phase).
    static func sine(
        _ target: MotionTarget, _ operation: MotionOperation, _ amplitude: Float, every period: Seconds,
        phase: Double = 0
    ) -> MotionTrack {
        MotionTrack(
            target: target, operation: operation, curve: .sine(amplitude: amplitude, period: period, phase: phase))
    }

    /// Returns amplitude · |sin πt / period|.
    static func hop(
        _ target: MotionTarget, _ operation: MotionOperation, _ amplitude: Float, every period: Seconds
    ) -> MotionTrack {
        MotionTrack(target: target, operation: operation, curve: .hop(amplitude: amplitude, period: period))
    }

    /// Returns amplitude · sin 2πft for `on` seconds, then nothing for `off` seconds.
    static func shake(
        _ target: MotionTarget, _ operation: MotionOperation, _ amplitude: Float, hertz: Double, on: Seconds,
        off: Seconds
    ) -> MotionTrack {
        MotionTrack(
            target: target, operation: operation, curve: .shake(amplitude: amplitude, hertz: hertz, on: on, off: off))
    }

    /// Returns keys of (seconds, value). Without a period they play once.
    static func keys(
        _ target: MotionTarget, _ operation: MotionOperation, every period: Seconds = 0,
        _ keys: (time: Seconds, value: Float)...
    ) -> MotionTrack {
        MotionTrack(
            target: target, operation: operation,
            curve: .keys(keys.map { MotionKey(time: $0.time, value: $0.value) }, period: period))
    }
}
