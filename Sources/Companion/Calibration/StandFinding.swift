public import ControlProtocol
public import DockControl
public import Geometry

/// What the pictures of a board say of where the rig stands, and whether that can be believed.
public struct StandFinding: Sendable, Equatable {
    /// Where the rig stands, and its head.
    public var stand = RigStand()
    /// How the camera is turned against the head, corrected by the board.
    public private(set) var mount = MountAngles.straight
    /// The standard deviations of place and lens, in metres, and of the heading, in radians.
    private var deviation = Deviation()
    private var views = 0, corners = 0
    private var rms = 0.0

    private struct Deviation: Sendable, Equatable { var place = 0.0, lens = 0.0, heading = 0.0 }

    /// The limits that a measurement must keep. A board that is seen head-on leaves the heading uncertain by a degree, which
    /// is 5 cm at 3 m.
    private static let most = (rms: 1.0, moved: 0.02, place: 0.03, heading: Double.degrees(0.6), lens: 0.01)

    /// Reads the last line of the program that compares the pictures.
    /// - Parameters:
    ///   - json: what the program has found: `stand`, `lens`, `mount`, `deviations`, `views`, `corners`, `rms`.
    ///   - axis: where the tilt axis is, in metres: up and ahead of the pan axis.
    /// - Throws: `LensFinding.Refusal` if it did not find the board, or the result must not be used.
    public init(_ json: JSONValue, axis: (up: Double, ahead: Double)) throws(LensFinding.Refusal) {
        func number(_ value: JSONValue?) -> Double { value?.number ?? .infinity }
        let place = json["stand"], lens = json["lens"], errors = json["deviations"]
        guard let place, let lens, !place.isNull, !lens.isNull else {
            throw LensFinding.Refusal(
                text: "the board is in \(json["views"]?.integer ?? 0) of the pictures, and 4 are needed",
                hint: "aim at it so that all of it is in the middle of the picture, a metre away, and in good light")
        }
        (stand.x, stand.y, stand.z) = (number(place["x"]), number(place["y"]), number(place["z"]))
        stand.heading = number(place["heading"])
        (stand.axisUp, stand.axisAhead) = axis
        (stand.lensRight, stand.lensUp) = (number(lens["right"]), number(lens["up"]))
        stand.lensAhead = number(lens["ahead"])
        let turn = json["mount"]
        mount = MountAngles(yaw: number(turn?["yaw"]), pitch: number(turn?["pitch"]), roll: number(turn?["roll"]))
        deviation.place = number(errors?["place"])
        (deviation.lens, deviation.heading) = (number(errors?["lens"]), number(errors?["heading"]))
        (views, corners, rms) = (json["views"]?.integer ?? 0, json["corners"]?.integer ?? 0, number(json["rms"]))
        guard number(json["moved"]) <= Self.most.moved else {
            throw LensFinding.Refusal(
                text: "something moved in the pictures while the head stood still",
                hint: "keep people out of view, and calibrate again")
        }
        guard rms <= Self.most.rms else {
            throw LensFinding.Refusal(
                text: "the board does not fit the lens: \(CalibrationReport.decimals(rms)) pixels",
                hint:
                    "make sure that it is flat, upright and 280 mm wide, and measure the lens again if the camera moved"
            )
        }
        let numbers = [
            stand.x, stand.y, stand.z, stand.heading, stand.lensRight, stand.lensUp, stand.lensAhead, mount.yaw,
            mount.pitch,
            mount.roll,
        ]
        guard numbers.allSatisfy({ abs($0) < 100 }),
            [mount.yaw, mount.pitch, mount.roll].allSatisfy({ abs($0) < .degrees(45) }),
            deviation.place <= Self.most.place,
            deviation.heading <= Self.most.heading, deviation.lens <= Self.most.lens
        else {
            throw LensFinding.Refusal(
                text: "the place stays uncertain by \(Self.centimetres(deviation.place)) and "
                    + "\(CalibrationReport.decimals(deviation.heading.inDegrees)) degrees",
                hint: "look at the board from about a metre, at an angle of about 35 degrees, not head-on")
        }
        stand = stand.rounded
        func angle(_ value: Double) -> Double { .degrees((value.inDegrees * 1000).rounded() / 1000) }
        mount = MountAngles(yaw: angle(mount.yaw), pitch: angle(mount.pitch), roll: angle(mount.roll))
    }

    private static func centimetres(_ length: Double) -> String { "\(CalibrationReport.decimals(length * 100, 1)) cm" }

    /// The results, line by line.
    public var lines: [String] {
        func metres(_ value: Double) -> String { CalibrationReport.decimals(value, 3) }
        return [
            "place    \(metres(stand.x)) m right, \(metres(stand.y)) m up, \(metres(stand.z)) m from the board's wall "
                + "+-\(Self.centimetres(deviation.place))",
            "heading  \(CalibrationReport.decimals(stand.heading.inDegrees)) "
                + "+-\(CalibrationReport.decimals(deviation.heading.inDegrees)) degrees",
            "lens     \(metres(stand.lensRight)) m right, \(metres(stand.lensUp)) m up, \(metres(stand.lensAhead)) m ahead "
                + "of the tilt axis +-\(Self.centimetres(deviation.lens))",
            "\(corners) corners in \(views) pictures fit to \(CalibrationReport.decimals(rms)) pixels",
        ]
    }

    /// The results for a program: metres and radians.
    public var json: [String: JSONValue] {
        [
            "stand": StandReading(stand).json, "views": .number(views), "corners": .number(corners),
            "rms": .number(rms),
            "deviations": .object([
                "place": .number(deviation.place), "heading": .number(deviation.heading),
                "lens": .number(deviation.lens),
            ]),
        ]
    }
}

extension RigStand {
    /// The same to a tenth of a millimetre and a hundredth of a degree, as a profile shows it.
    fileprivate var rounded: RigStand {
        func length(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        var result = self
        (result.x, result.y, result.z) = (length(x), length(y), length(z))
        result.heading = .degrees((heading.inDegrees * 100).rounded() / 100)
        (result.axisUp, result.axisAhead) = (length(axisUp), length(axisAhead))
        (result.lensRight, result.lensUp, result.lensAhead) = (length(lensRight), length(lensUp), length(lensAhead))
        return result
    }
}
