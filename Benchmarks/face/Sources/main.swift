import Geometry
import Glibc
import RobotFace

// Usage: face-figures time GLYPHS COLUMNS ROWS     one line: milliseconds of CPU a frame, bytes a frame
//        face-figures rest COLUMNS ROWS SECONDS    one line: bytes a second of a face that only lives
//        face-figures frames WIDTH HEIGHT EVERY    the scene as raw RGB pixels on standard output, each EVERYth picture
// For Benchmarks/face/run, which makes the table.

func number(_ index: Int) -> Int { CommandLine.arguments.count > index ? Int(CommandLine.arguments[index]) ?? 0 : 0 }

func time(_ glyphs: FaceGlyphs, columns: Int, rows: Int) {
    guard let terminal = SwallowingTerminal() else { exit(69) }
    var best = Double.infinity
    var bytes: [UInt8] = []
    var sum = 0
    // The fastest of five rounds: what else the machine does only ever adds.
    for _ in 0..<5 {
        var scene = Scene()
        var painter = FacePainter(glyphs, columns: columns, rows: rows)
        var grid = CellGrid(columns: columns, rows: rows)
        var encoder = FrameEncoder(depth: .trueColour, tolerance: 6)
        var used = 0.0
        sum = 0
        while let face = scene.next() {
            let start = threadTime()
            painter.paint(face, depth: .trueColour, into: &grid)
            bytes.removeAll(keepingCapacity: true)
            encoder.encode(grid, into: &bytes)
            terminal.write(bytes)
            used += threadTime() - start
            sum += bytes.count
        }
        best = min(best, used)
    }
    print(best / Double(Scene.frames) * 1000, sum / Scene.frames)
}

/// What `FaceScreen` does: pictures as often as the animator wants them.
func rest(columns: Int, rows: Int, seconds: Double) {
    var animator = FaceAnimator(seed: 1, style: .block, expression: .normal, now: 0)
    var painter = FacePainter(.blocks, columns: columns, rows: rows)
    var grid = CellGrid(columns: columns, rows: rows)
    var encoder = FrameEncoder(depth: .trueColour, tolerance: 6)
    var bytes: [UInt8] = []
    var now = 0.0, sum = 0
    while now < seconds {
        painter.paint(animator.face(at: now), depth: .trueColour, into: &grid)
        bytes.removeAll(keepingCapacity: true)
        encoder.encode(grid, into: &bytes)
        // The first picture is not rest.
        if now > 1 { sum += bytes.count }
        now += animator.interval(at: now)
    }
    print(Double(sum) / (seconds - 1))
}

func frames(width: Int, height: Int, every: Int) {
    var scene = Scene()
    var raster = FaceRaster(width: width, height: height)
    var frame = 0
    while let face = scene.next() {
        defer { frame += 1 }
        guard frame % max(every, 1) == 0 else { continue }
        let pixels = raster.draw(face)
        var sent = 0
        while sent < pixels.count {
            let count = pixels.withUnsafeBytes { write(1, $0.baseAddress! + sent, pixels.count - sent) }
            if count <= 0 { exit(74) }
            sent += count
        }
    }
}

switch CommandLine.arguments.dropFirst().first {
case "time":
    time(FaceGlyphs(rawValue: CommandLine.arguments[2]) ?? .blocks, columns: number(3), rows: number(4))
case "rest": rest(columns: number(2), rows: number(3), seconds: Double(number(4)))
case "frames": frames(width: number(2), height: number(3), every: number(4))
default: exit(64)
}
