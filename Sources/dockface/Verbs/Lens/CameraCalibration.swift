import ArgumentParser
import Companion
import DockTypes
import Geometry

/// `dockface calibrate --camera`: the pictures of a still scene tell the lens and how the camera sits on the head.
struct CameraCalibration {
    let pictures: PictureCalibration
    let saving: LensSaving

    /// Asks, turns the head, compares the pictures, and writes a profile.
    func run(_ ending: JSONEnding) throws {
        let desk = try CheckDesk(usesErrors: saving.isJSON)
        defer { desk.close() }
        do {
            let found = try pictures.run(desk) { beginning, first, rig in
                guard
                    let views = LensViews.lens.plan(
                        pan: beginning.limits.pan, tilt: beginning.limits.tilt, around: beginning.pose)
                else {
                    throw DockError(
                        .limitReached,
                        "the limits leave less than 20 degrees of pan or 12 of tilt, which is too little",
                        hint: "widen them, or import the lens from a file: dockface calibrate --camera --import FILE")
                }
                return PictureCalibration.Plan(
                    views: views,
                    preview: [
                        "measuring the camera's lens with the running daemon and the profile \"\(rig.name)\"",
                        PictureCalibration.way(views),
                        "  pictures of \(first.width)x\(first.height) are compared on this machine; none is kept or sent",
                        "  aim the head, before you answer, at a scene that does not move, with detail everywhere and nothing "
                            + "nearer than 3 m",
                    ], module: "lens",
                    arguments: ["--hfov", String(rig.camera(at: first.camera).horizontalFieldOfView)])
            }
            try finish(LensFinding(found.answer, date: Check.today), found, desk, ending)
        } catch let refusal as LensFinding.Refusal {
            throw fail("no lens is written: \(refusal.text): \(refusal.hint)", status: 1, problem: "refused")
        } catch is LensTour.Stopped {
            throw LensSaving.stopped(desk, ending)
        } catch let error as DockError {
            throw error.exit
        }
    }

    private func finish(
        _ finding: LensFinding, _ found: PictureCalibration.Found, _ desk: CheckDesk, _ ending: JSONEnding
    ) throws {
        ending.members.merge(finding.json) { $1 }
        desk.say("")
        for line in finding.lines { desk.say("  " + line) }
        desk.say("")
        let before = found.rig.profile.camera(at: found.camera).horizontalFieldOfView
        if let surprise = finding.surprise(beside: before) {
            desk.ask("\(surprise). Is that possible, as with another lens or another kind of picture? [y/n]")
            guard desk.answer() == .yes else { throw LensTour.Stopped() }
        }
        try saving.save(finding.lens, camera: found.camera, found.rig, desk, ending)
    }
}
