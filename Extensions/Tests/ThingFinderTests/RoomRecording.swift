import ControlProtocol
import Foundation
import Geometry
import SpatialModel

@testable import ThingFinder

/// A room as a real detector has seen it from 350 poses (`Examples/rooms`), with its false and flickering boxes.
struct RoomRecording: Sendable {
    /// A thing of the room, for the judge and the scripted verifier. The finder never sees it.
    struct Truth: Sendable {
        var name: String, label: String
        var bearing: PanTilt, width: Double
    }

    let things: [Truth]
    let range: PoseRange
    let eye: FinderEye
    private let views: [SIMD2<Int>: [SeenBox]]
    private let step: Double

    static let roomA = RoomRecording(file: "room-a")
    /// A nearly empty room.
    static let roomB = RoomRecording(file: "room-b")
    /// A room that is crowded with look-alikes.
    static let roomC = RoomRecording(file: "room-c")

    private init(file name: String) {
        let path = #filePath.replacing(
            "Extensions/Tests/ThingFinderTests/RoomRecording.swift", with: "Examples/rooms/\(name).jsonl")
        self.init((try? String(contentsOfFile: path, encoding: .utf8)) ?? "{}")
    }

    init(_ text: String) {
        let lines = text.split(separator: "\n").compactMap { JSONValue(json: $0.utf8) }
        let head = lines[0]
        func degrees(_ name: String, of value: JSONValue) -> Double { .degrees(value[name]?.number ?? 0) }
        func range(_ name: String) -> ClosedRange<Double> {
            let ends = head[name]?.array?.compactMap(\.number) ?? [0, 0]
            return .degrees(ends[0]) ... .degrees(ends[1])
        }
        let image = head["image"], aspect = (image?["w"]?.number ?? 1) / (image?["h"]?.number ?? 1)
        eye = FinderEye(PictureLens(horizontalFieldOfView: degrees("hfov", of: head), aspect: aspect))
        self.range = PoseRange(pan: range("pan"), tilt: range("tilt"))
        step = head["step"]?.number ?? 10
        things = (head["things"]?.array ?? []).map { thing in
            Truth(
                name: thing["thing"]?.string ?? "", label: thing["class"]?.string ?? "",
                bearing: PanTilt(pan: degrees("pan", of: thing), tilt: degrees("tilt", of: thing)),
                width: degrees("width", of: thing))
        }
        views = lines.dropFirst().reduce(into: [:]) { views, line in
            let place = SIMD2(Int(line["pan"]?.number ?? 0), Int(line["tilt"]?.number ?? 0))
            views[place] = SeenBox.read(line["objects"]?.array ?? [])
        }
    }

    /// What the detector says from a pose: the nearest view, shifted by the rest. A picture that was taken in motion is
    /// blurred.
    func boxes(at pose: PanTilt, rate: Double) -> [SeenBox] {
        func nearest(_ angle: Double, _ range: ClosedRange<Double>) -> Int {
            Int((angle.clamped(to: range).inDegrees / step).rounded() * step)
        }
        let place = SIMD2(nearest(pose.pan, range.pan), nearest(pose.tilt, range.tilt))
        let from = PanTilt.degrees(pan: Double(place.x), tilt: Double(place.y)), isBlurred = rate > .degrees(20)
        return (views[place] ?? []).compactMap { box in
            guard let bearing = eye.bearing(of: box.rect.center, at: from),
                let middle = eye.point(of: bearing, at: pose)
            else { return nil }
            let moved = Rect(center: middle, width: box.rect.width, height: box.rect.height)
            guard let visible = moved.intersection(.full), visible.area > 0.25 * moved.area else { return nil }
            let score = isBlurred ? box.score / 2 : box.score
            return score < 0.3 ? nil : SeenBox(label: box.label, rect: visible, score: score)
        }
    }

    func thing(_ name: String) -> Truth { things.first { $0.name == name } ?? things[0] }
}
