import DockSimulator
import Geometry

/// The board that `LineDriver` talks to, written from the same short description: two motors with velocity commands.
struct LineBoard: RigElectronics {
    static var followsPlaces: Bool { false }

    private var reader = LineReader()
    private var speed = PanTilt.zero
    private var until: Seconds = 0
    private var hasTorque = false
    private var nextPlace: Seconds = 0
    private var said: [UInt8] = []

    init(model: RigModel, options: [String: Double]) {}

    var powered: Set<Axis> { hasTorque ? [.pan, .tilt] : [] }
    var nextWord: Seconds { nextPlace }

    mutating func receive(_ byte: UInt8, at time: Seconds) {
        guard let fields = reader.push(byte) else { return }
        switch (fields[0], fields.count) {
        case ("H", 1): introduce()
        case ("T", 2): hasTorque = fields[1] == "1"
        case ("S", 1): speed = .zero
        case ("V", 3):
            guard let pan = Double(fields[1]), let tilt = Double(fields[2]) else { return }
            (speed, until) = (.degrees(pan: pan, tilt: tilt), time + 0.25)
        default: break
        }
    }

    mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        if time >= until { speed = .zero }
        if time >= nextPlace {
            nextPlace = time + 0.02
            said += LineReader.framed("P,\(text(motors.pan)),\(text(motors.tilt)),\(hasTorque ? 1 : 0)")
        }
        return speed
    }

    mutating func reboot() {
        (speed, hasTorque, reader) = (.zero, false, LineReader())
        introduce()
    }

    private mutating func introduce() { said += LineReader.framed("I,Line board,1.0,00C0FFEE") }

    private func text(_ radians: Double) -> String { String((radians.inDegrees * 100).rounded() / 100) }
}
