import DockSimulator
import Geometry
import Testing

@Suite struct PlantTests {
    @Test(arguments: [RigModel.good, .cheap])
    func `no command makes the plant exceed speed, acceleration or end stops`(model: RigModel) {
        var random = SeededRandom(seed: 3)
        var plant = Plant(model: model)
        for _ in 0..<3_000 {
            let wish = PanTilt(pan: 20 * random.normal(), tilt: 20 * random.normal())
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let before = plant.rate
                plant.advance(0.001, toward: wish)
                #expect(plant.rate.magnitude <= model.maximumSpeed)
                #expect(model.panRange.contains(plant.motors.pan) && model.tiltRange.contains(plant.motors.tilt))
                for axis in Axis.allCases where plant.rate[axis] != 0 {
                    let gain = abs(plant.rate[axis] - before[axis])
                    #expect(gain <= model.maximumAcceleration * 0.001 + 1e-9)
                }
                let play = plant.pose - plant.motors
                #expect(play.magnitude <= model.backlash / 2 + 1e-9)
            }
        }
    }

    @Test func `an invalid velocity moves nothing`() {
        var plant = Plant(model: .good)
        plant.advance(0.1, toward: PanTilt(pan: .nan, tilt: .infinity))
        #expect(plant.pose == .zero && plant.isAtRest)
    }

    @Test func `a small step follows with the model's time constant`() {
        var plant = Plant(model: .good)
        let wish = PanTilt.degrees(pan: 10, tilt: 0)
        plant.advance(0.040, toward: wish)
        #expect(abs(plant.rate.pan / wish.pan - 0.632) < 0.02)
    }

    @Test func `a cheap motor sticks at low speed and its head lags by half the play`() {
        var plant = Plant(model: .cheap)
        plant.advance(1, toward: .degrees(pan: 1.4, tilt: 0))
        #expect(plant.pose == .zero)
        plant.advance(1, toward: .degrees(pan: 10, tilt: 0))
        #expect(abs((plant.motors.pan - plant.pose.pan).inDegrees - 0.3) < 1e-6)
    }

    @Test func `a blocked motor stands still`() {
        var plant = Plant(model: .good)
        plant.blocked = [.pan]
        plant.advance(0.5, toward: .degrees(pan: 50, tilt: 20))
        #expect(plant.pose.pan == 0 && plant.pose.tilt > 0)
    }

    @Test func `a pose can be looked up at any time of the last seconds`() {
        var track = PoseTrack()
        for step in 0..<10_000 { track.append(PanTilt(pan: Double(step), tilt: 0), at: Double(step) / 1000) }
        #expect(track.span > 4)
        #expect(abs((track.pose(at: 8.0005)?.pan ?? 0) - 8000.5) < 1e-6)
        #expect(track.pose(at: 0)?.pan == 5904 && track.pose(at: 99)?.pan == 9999)
    }
}
