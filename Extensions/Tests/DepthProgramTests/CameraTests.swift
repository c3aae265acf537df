import DockTestKit
import Foundation
import ProgramTestKit
import Testing

/// The program as a camera of another program: lines on descriptor 3, pixels on standard output.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CameraTests {
    private let place = TemporaryFolder()

    /// Starts the camera in a shell that keeps what it writes in files.
    private func camera() async throws -> (program: Running, port: Int) {
        let program = try Running(
            "/bin/sh",
            [
                "-c", "exec \"$0\" camera --listen 127.0.0.1:0 3>\(place.path)/lines >\(place.path)/pixels",
                Running.program("dockface-depth"),
            ], in: place)
        try await wait("the port: \(program.text)") { program.text.contains("listening on ") || program.hasEnded }
        let found = program.text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)
        return (program, try #require(found.flatMap { Int($0.1) }, "\(program.text)"))
    }

    private var lines: [String] {
        let text = (try? String(contentsOfFile: place.path + "/lines", encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private var pixels: [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: place.path + "/pixels"))).map(Array.init) ?? []
    }

    @Test func `each picture has a line with its time and size, and its pixels in order`() async throws {
        let (program, port) = try await camera(), sender = try StreamSender(port: port)
        var sizes: [Int] = []
        for (number, (width, height)) in [(64, 48), (80, 60), (64, 48), (17, 5)].enumerated() {
            let time = clock() - 0.05
            let pair = try SentPair(
                width: width, height: height, grey: UInt8(40 * number + 40),
                note: #"{"v":1,"unit":0.001,"t":\#(time),"clock":"monotonic"}"#)
            sender.send(pair.pair)
            try await wait("picture \(number): \(program.text)") { lines.count == number + 1 || program.hasEnded }
            let line = try #require(
                try JSONSerialization.jsonObject(with: Data(lines[number].utf8)) as? [String: Double])
            #expect(line["width"] == Double(width) && line["height"] == Double(height))
            #expect(abs((line["t"] ?? 0) - time) < 1e-6)
            sizes.append(3 * width * height)
            let all = sizes.reduce(0, +)
            try await wait("pixels of \(number)") { pixels.count >= all }
            #expect(pixels.count == all)
            #expect(pixels.suffix(sizes[number]).allSatisfy { abs(Int($0) - (40 * number + 40)) <= 3 })
        }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM)
    }

    @Test func `a reader that does not read costs pictures and no memory, and one that is gone ends it`() async throws {
        let pipe = place.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = Glibc.open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let program = try Running(
            "/bin/sh",
            [
                "-c", "exec \"$0\" camera --listen 127.0.0.1:0 3>\(place.path)/lines >\(pipe)",
                Running.program("dockface-depth"),
            ], in: place)
        try await wait("the port: \(program.text)") { program.text.contains("listening on ") || program.hasEnded }
        let found = program.text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)
        let sender = try StreamSender(port: try #require(found.flatMap { Int($0.1) }, "\(program.text)"))
        let pair = try SentPair(width: 640, height: 480)
        // More pictures than any buffer holds: 900 kB each as pixels.
        for _ in 0..<200 { #expect(sender.send(pair.pair)) }
        try await wait("the first lines") { lines.count >= 1 }
        #expect(lines.count <= 4)
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM, "\(program.text)")
    }

    private func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
