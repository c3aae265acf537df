import Geometry
import Glibc
import RobotFace

// Usage: face-figures time GLYPHS COLUMNS ROWS     one line: milliseconds of CPU a frame, bytes a frame
//        face-figures rest COLUMNS ROWS SECONDS    one line: bytes a second of an idle face face-figures film NAME
//        GLYPHS             one line: milliseconds of CPU a frame of one moving face, at 80x24
//        face-figures sixel                        as sixel graphics of 800x480: milliseconds and bytes a frame
//        face-figures some FRAMES                  draws this many frames, for counting allocations
//        face-figures still NAME GLYPHS            the eyes of one face at 80x24, as text; GLYPHS png: as an image of 800x480
//        face-figures frames WIDTH HEIGHT EVERY    the scene as raw RGB pixels on standard output, every EVERYth frame
// For Benchmarks/face/run, which makes the table.

/// The same scene as sixel graphics of 800x480 pixels.
func sixel() {
    var best = Double.infinity, sum = 0
    for _ in 0..<3 {
        var scene = Scene()
        var painter = SixelPainter(columns: 80, rows: 25, cellWidth: 10, cellHeight: 20)
        var bytes: [UInt8] = []
        var used = 0.0
        sum = 0
        while let face = scene.next() {
            let start = threadTime()
            bytes.removeAll(keepingCapacity: true)
            painter.encode(face, isSynchronized: true, into: &bytes)
            used += threadTime() - start
            sum += bytes.count
        }
        best = min(best, used)
    }
    print(best / Double(Scene.frames) * 1000, sum / Scene.frames)
}

func number(_ index: Int) -> Int { CommandLine.arguments.count > index ? Int(CommandLine.arguments[index]) ?? 0 : 0 }

func time(_ glyphs: FaceGlyphs, columns: Int, rows: Int) {
    guard let terminal = SwallowingTerminal() else { exit(69) }
    var best = Double.infinity
    var bytes: [UInt8] = []
    var sum = 0
    // The fastest of five rounds counts, because other load on the machine only adds time.
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

/// Draws and writes one moving face with its marks 30 times a second: without waiting, and with the usual pause between
/// frames, during which the processor's caches go cold.
func film(_ name: String, _ glyphs: String) {
    guard let terminal = SwallowingTerminal(), let mood = Expression(named: name) else { exit(64) }
    func round(_ frames: Int, pause: UInt32) -> Double {
        var animator = FaceAnimator(seed: 2, style: .block, expression: mood, now: 0)
        var renderer = FaceRenderer(FaceGlyphs(rawValue: glyphs) ?? .blocks, depth: .trueColour, tolerance: 6)
        var bytes: [UInt8] = []
        let start = threadTime()
        for frame in 0..<frames {
            let now = Double(frame) / 30
            let face = animator.face(at: now), tempo = animator.tempo(at: now)
            bytes.removeAll(keepingCapacity: true)
            renderer.draw(face, tempo: tempo, now: now, into: &bytes)
            terminal.write(bytes)
            if pause > 0 { usleep(pause) }
        }
        return (threadTime() - start) / Double(frames) * 1000
    }
    print((0..<3).map { _ in round(300, pause: 0) }.min() ?? 0, round(150, pause: 33_000))
}

/// Draws and encodes the first frames of the scene, for a program that counts allocations from outside.
func some(_ frames: Int) {
    var scene = Scene()
    var painter = FacePainter(.blocks, columns: 80, rows: 24)
    var grid = CellGrid(columns: 80, rows: 24)
    var encoder = FrameEncoder(depth: .trueColour, tolerance: 6)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 20)
    for _ in 0..<frames {
        guard let face = scene.next() else { return }
        painter.paint(face, depth: .trueColour, into: &grid)
        bytes.removeAll(keepingCapacity: true)
        encoder.encode(grid, tolerance: 6, into: &bytes)
    }
}

/// Works like `FaceScreen`: draws frames as often as the animator requests them.
func rest(columns: Int, rows: Int, seconds: Double) {
    var animator = FaceAnimator(seed: 1, style: .block, expression: .normal, now: 0)
    var renderer = FaceRenderer(.blocks, depth: .trueColour, tolerance: 6)
    renderer.resize(columns: columns, rows: rows, cell: nil)
    var bytes: [UInt8] = []
    var now = 0.0, resting = 0.0, sum = 0, all = 0
    var wasQuick = true
    while now < seconds {
        let face = animator.face(at: now), tempo = animator.tempo(at: now)
        bytes.removeAll(keepingCapacity: true)
        renderer.draw(face, tempo: tempo, now: now, into: &bytes)
        let next = animator.interval(at: now)
        if now > 1 {
            all += bytes.count
            // Rest is the time without blinks, glances and their after-effects.
            if tempo == .breathing, !wasQuick { (sum, resting) = (sum + bytes.count, resting + next) }
        }
        wasQuick = tempo != .breathing
        now += next
    }
    let whole = Int(Double(all) / (seconds - 1))
    print("\(Int(Double(sum) / resting)) bytes/s in \(Int(resting)) s at rest, \(whole) overall")
}

func still(_ name: String, _ glyphs: String) {
    guard let face = Expression(named: name).map({ FaceState($0).eyesAlone }) else { exit(64) }
    guard let glyphs = FaceGlyphs(rawValue: glyphs) else {
        var raster = FaceRaster(width: 800, height: 480)
        return put(PNGEncoder.encode(raster.draw(face), width: 800, height: 480))
    }
    var painter = FacePainter(glyphs, columns: 80, rows: 24)
    var grid = CellGrid(columns: 80, rows: 24)
    painter.paint(face, depth: .trueColour, into: &grid)
    put(FrameEncoder.whole(grid, depth: .trueColour))
}

func put(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes { write(1, $0.baseAddress?.advanced(by: sent), bytes.count - sent) }
        if count <= 0 { exit(74) }
        sent += count
    }
}

func frames(width: Int, height: Int, every: Int) {
    var scene = Scene()
    var raster = FaceRaster(width: width, height: height)
    var frame = 0
    while let face = scene.next() {
        defer { frame += 1 }
        guard frame % max(every, 1) == 0 else { continue }
        put(raster.draw(face))
    }
}

switch CommandLine.arguments.dropFirst().first {
case "time":
    time(FaceGlyphs(rawValue: CommandLine.arguments[2]) ?? .blocks, columns: number(3), rows: number(4))
case "still" where CommandLine.arguments.count > 3: still(CommandLine.arguments[2], CommandLine.arguments[3])
case "sixel": sixel()
case "film" where CommandLine.arguments.count > 3: film(CommandLine.arguments[2], CommandLine.arguments[3])
case "some": some(number(2))
case "rest": rest(columns: number(2), rows: number(3), seconds: Double(number(4)))
case "frames": frames(width: number(2), height: number(3), every: number(4))
default: exit(64)
}
