import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import Geometry
import Glibc

/// `dockface calibrate --board METRES`: the pictures of a printed board tell where the rig stands and where its lens is.
struct BoardCalibration {
    let pictures: PictureCalibration
    let saving: LensSaving
    /// The height of the board's middle above the floor, in metres.
    let height: Double

    /// The width of the pictures: the marks of the board are small.
    private static let width = 1920

    /// Asks, turns the head, compares the pictures, and writes a profile.
    func run(_ ending: JSONEnding) throws {
        let desk = try CheckDesk(usesErrors: saving.isJSON)
        defer { desk.close() }
        do {
            let found = try pictures.run(desk, width: Self.width) { beginning, first, rig in
                try plan(beginning, first, rig)
            }
            let before = found.rig.profile.stand ?? RigStand()
            let finding = try StandFinding(found.answer, axis: (before.axisUp, before.axisAhead))
            ending.members.merge(finding.json) { $1 }
            desk.say("")
            for line in finding.lines { desk.say("  " + line) }
            desk.say("")
            try saving.save(finding, camera: found.camera, found.rig, desk, ending)
        } catch let refusal as LensFinding.Refusal {
            throw fail("no stand is written: \(refusal.text): \(refusal.hint)", status: 1, problem: "refused")
        } catch is LensTour.Stopped {
            throw LensSaving.stopped(desk, ending)
        } catch let error as DockError {
            throw error.exit
        }
    }

    private func plan(
        _ beginning: LensTour.Beginning, _ first: LensShot, _ rig: RigProfile
    ) throws -> PictureCalibration.Plan {
        guard let lens = rig.camera(at: first.camera).lens?.scaled(width: first.width, height: first.height) else {
            throw DockError(
                .configuration, "the lens is unknown for pictures of \(first.width)x\(first.height)",
                hint: "measure it first: dockface calibrate --camera, and start the daemon again with that profile")
        }
        let view = PanTilt(
            pan: lens.horizontalFieldOfView, tilt: 2 * atan(0.5 * lens.height / lens.focal.y))
        guard
            let views = LensViews.board(in: view).plan(
                pan: beginning.limits.pan, tilt: beginning.limits.tilt, around: beginning.pose)
        else {
            throw DockError(
                .limitReached, "the limits leave less than 12 degrees of pan or 6 of tilt, which is too little",
                hint: "widen them for this measurement")
        }
        let axis = rig.stand.map { ($0.axisUp, $0.axisAhead) } ?? (0, 0)
        return PictureCalibration.Plan(
            views: views,
            preview: [
                "measuring where the rig stands, with the running daemon and the profile \"\(rig.name)\"",
                PictureCalibration.way(views),
                "  the board (dockface board) hangs upright, its middle \(fixed(height, 2)) m above the floor",
                "  aim the head at it before you answer: in the middle of the picture, about a metre away, at an angle of "
                    + "about 35 degrees",
            ], module: "lens_board",
            arguments: [
                "find", "--lens", String(decoding: lens.json.bytes, as: UTF8.self), "--height", fixed(height, 4),
                "--axis", fixed(axis.0, 4), fixed(axis.1, 4),
            ])
    }
}

/// `dockface board`: writes the board that `calibrate --board` looks at.
struct BoardVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Write the board for `dockface calibrate --board` as a PDF, to print it.",
        discussion: """
            Print it on A4, at its real size (without "fit to page"): the board is 280 mm wide. Fix it to something flat.

            For example:
              dockface board
              dockface board --pdf /tmp/board.pdf
            """)

    @Option(help: ArgumentHelp("The file.", valueName: "file.pdf"))
    var pdf = "board.pdf"

    func run() throws {
        do {
            let program = try LensProgram(DetectorPlaces.words(module: "lens_board") + ["pdf", "--", pdf])
            let answer = try program.finish({ _ in }, isStopped: { false })
            if let problem = answer?["problem"]?.string {
                throw DockError(
                    .cannotOpen, "\(pdf) cannot be written: \(problem)", hint: "choose another place: --pdf FILE")
            }
            print("\(pdf): print it on A4 at its real size, and check that it is 280 mm wide")
        } catch let error as DockError {
            throw error.exit
        }
    }
}
