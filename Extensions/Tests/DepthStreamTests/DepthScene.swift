import Codecs
import DockTestKit
import Foundation
import Geometry

@testable import DepthStream

/// A simulated head in front of a wall, as a depth camera sees it. The picture is 320 x 240 with a field of 60 degrees.
struct DepthScene {
    static let width = 320, height = 240
    /// The focal length in pixels, and in widths of the picture.
    static let focal = 277.0, share = focal / Double(width)

    /// The distance of the front of the head, and of the wall, in metres.
    var head = 1.0, wall = 4.0
    /// Where the head is, in metres from the axis.
    var x = 0.0, y = 0.0
    /// The share of blocks of 8 pixels that were not measured.
    var holes = 0.0
    /// The distance of a hand in front of the face, and its radius in metres.
    var hand: (distance: Double, radius: Double)?
    var unit = DepthUnit.millimetres

    /// The box of a detector that is off by up to this share of its size.
    func box(off: Double = 0, _ dice: inout Dice) -> Rect {
        let size = Self.focal * 0.15 / head
        func shift() -> Double { off == 0 ? 0 : Double.random(in: -off...off, using: &dice) * size }
        let (middleX, middleY) = (160 + Self.focal * x / head + shift(), 120 + Self.focal * y / head + shift())
        let (width, height) = (size + shift(), 1.2 * size + shift())
        return Rect(
            x: (middleX - width / 2) / 320, y: (middleY - height / 2) / 240, width: width / 320, height: height / 240)
    }

    /// The depth of a ray, in metres; nil in the shadow of the head.
    private func depth(_ column: Int, _ row: Int) -> Double? {
        let rayX = (Double(column) - 160) / Self.focal, rayY = (Double(row) - 120) / Self.focal
        if let hand {
            let dx = rayX * hand.distance - x * hand.distance / head,
                dy = rayY * hand.distance - y * hand.distance / head
            if dx * dx + dy * dy < hand.radius * hand.radius { return hand.distance }
        }
        let dx = (rayX * head - x) / 0.075, dy = (rayY * head - y) / 0.11, far = dx * dx + dy * dy
        if far < 1 { return head + 0.1 * (1 - (1 - far).squareRoot()) }
        // A second lens sees no place beside the head.
        return (-1.35..<0).contains(dx) && abs(dy) < 0.9 ? nil : wall
    }

    /// The picture, with noise that grows with the square of the distance.
    func picture(_ dice: inout Dice) -> DepthPicture? {
        let across = Self.width / 8
        let isHole = (0..<across * Self.height / 8).map { _ in Double.random(in: 0..<1, using: &dice) < holes }
        var samples: [UInt16] = []
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                guard let depth = depth(column, row), !isHole[row / 8 * across + column / 8] else {
                    samples.append(0)
                    continue
                }
                // The sum of four is nearly a normal distribution.
                let noise = (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -0.866...0.866, using: &dice) }
                let metres = depth + noise * 0.004 * depth * depth
                samples.append(UInt16((metres / unit.metres).rounded().clamped(to: 1...65_535)))
            }
        }
        return DepthPicture(width: Self.width, height: Self.height, samples: samples)
    }

    /// The picture as a map that is understood.
    func map(_ dice: inout Dice) -> DepthMap? { picture(&dice).map { DepthMap($0, unit: unit) } }
}
