import Geometry
import RobotFace

/// Ten seconds at 30 frames a second: glances, blinks, lids that slant and bend, all with halo. Only the eyes are
/// drawn, as for the other programs.
struct Scene {
    static let frames = 300
    private static let moods = ["normal", "happy", "sad", "sleepy", "anger", "joy"]

    private var animator = FaceAnimator(seed: 2, style: .block, expression: .normal, now: 0)
    private var frame = 0

    /// The next frame; nil after the last.
    mutating func next() -> FaceState? {
        guard frame < Self.frames else { return nil }
        let now = Double(frame) / 30
        if frame % 50 == 0, let mood = Expression(named: Self.moods[frame / 50]) { animator.show(mood, now: now) }
        if frame % 15 == 0 {
            animator.look(at: GazeTarget(bearing: frame % 30 == 0 ? 0.3 : -0.3, elevation: 0.1), now: now)
        }
        frame += 1
        return animator.face(at: now).eyesAlone
    }
}
