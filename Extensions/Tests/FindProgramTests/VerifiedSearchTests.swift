import Codecs
import ControlProtocol
import DockClient
import DockTestKit
import Foundation
import Geometry
import JPEGCodec
import ProgramTestKit
import Testing

@testable import dockface_find

/// Searches of the program `find` with verifiers, beside the real daemon, whose camera shows a drawn label.
@Suite(
    .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon or ffmpeg is missing"), .serialized,
    .timeLimit(.minutes(10)))
struct VerifiedSearchTests {
    private let place = TemporaryFolder()

    /// Where the label is in the camera's picture.
    private static let rect = Rect(x: 0.35, y: 0.3, width: 0.3, height: 0.4)
    private static let folder = #filePath.replacing("VerifiedSearchTests.swift", with: "")

    private static var detectors: String? {
        ProcessInfo.processInfo.environment["DOCKFACE_DETECTORS"].flatMap {
            access($0 + "/bin/python3", X_OK) == 0 ? $0 : nil
        }
    }

    private var socket: String { place.path + "/s" }

    /// A label: many rectangles of all sizes and colours, other ones for each seed.
    private func label(_ seed: UInt64, width: Int, height: Int) throws -> RGBPicture {
        var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
        func dice(_ most: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % most
        }
        var bytes = [UInt8](repeating: 200, count: 3 * width * height)
        for _ in 0..<160 {
            let (x, y, across, along) = (dice(width), dice(height), 4 + dice(width / 6), 4 + dice(height / 6))
            let colour = [dice(256), dice(256), dice(256)].map { UInt8($0) }
            for row in y..<min(height, y + along) {
                for column in x..<min(width, x + across) {
                    for part in 0..<3 { bytes[3 * (row * width + column) + part] = colour[part] }
                }
            }
        }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    private func write(_ picture: RGBPicture, _ name: String) throws -> String {
        let bytes = try #require(JPEGEncoder()?.encode(picture, quality: 92)), path = place.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The camera's picture: the label in its place, and a plain wall.
    private func scene(_ label: RGBPicture) throws -> RGBPicture {
        let (width, height) = (640, 480)
        var bytes = [UInt8](repeating: 120, count: 3 * width * height)
        let (left, top) = (Int(Self.rect.x * 640), Int(Self.rect.y * 480))
        for row in 0..<label.height {
            let from = 3 * row * label.width, to = 3 * ((top + row) * width + left)
            bytes.replaceSubrange(to..<(to + 3 * label.width), with: label.bytes[from..<(from + 3 * label.width)])
        }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    /// The rig and the daemon. `picture`: what its camera shows; nil for the scene with the label.
    private func robot(_ picture: String? = nil) async throws -> [Running] {
        let binary = try #require(Running.daemon), link = place.path + "/rig"
        let still = try picture ?? write(scene(label(1, width: 192, height: 192)), "still.jpg")
        let rig = try Running(binary, ["simulate", "--link", link], in: place)
        try await wait("the rig: \(rig.text)") { FileManager.default.fileExists(atPath: link + ".head") }
        let rect = [Self.rect.x, Self.rect.y, Self.rect.width, Self.rect.height].map { "\($0)" }.joined(separator: " ")
        let camera = "exec:ffmpeg -loglevel error -re -loop 1 -framerate 10 -i \(still) -q:v 2 -f mjpeg -"
        let daemon = try Running(
            binary,
            ["run", "--headless", "--port", link, "--config", "none", "--mode", "manual", "--socket", socket]
                + ["--camera", camera, "--detector", "exec:python3 -u \(Self.folder)fixed_things.py cup \(rect)"],
            in: place)
        let dock = try await dock()
        let answers = try dock.updates(.detections)
        for await _ in answers { break }
        try await wait("the dock") { try await dock.status().accessory.dock == "ready" }
        dock.close()
        return [rig, daemon]
    }

    private func dock() async throws -> Dock {
        var dock: Dock?
        try await wait("the daemon") {
            dock = try? await Dock.connect(path: socket)
            return dock != nil
        }
        return try #require(dock)
    }

    private func find(_ words: String..., more: [String] = []) throws -> Running {
        let variables = Self.detectors.map { ["DOCKFACE_DETECTORS": $0] } ?? [:]
        return try Running(
            Running.program("dockface-find"), words + ["--control", socket] + more, in: place, variables: variables)
    }

    private func own(_ manner: String) -> [String] {
        ["--verifier", "exec:python3 '\(Self.folder)verifier.py' \(manner) '\(place.path)'"]
    }

    private func end(_ programs: [Running]) async {
        for program in programs.reversed() {
            program.signal(program === programs.first ? SIGKILL : SIGTERM)
            _ = await program.status()
        }
    }

    @Test func `two matches find a thing, and its picture goes when it is forgotten`() async throws {
        let robot = try await robot()
        let search = try find("cup", "--keep-picture", more: own("good"))
        #expect(await search.status() == 0, "\(search.text)")
        let matches = search.text.components(separatedBy: "match, 90 % sure: verifier: cup, ").count - 1
        #expect(matches == 2 && search.text.contains("the verifier has confirmed it twice"), "\(search.text)")
        let things = try Running(Running.program("dockface-find"), ["things", "--json"], in: place)
        #expect(await things.status() == 0)
        let picture = try #require(JSONValue(json: things.text.utf8)?["picture"]?.string, "\(things.text)")
        let attributes = try FileManager.default.attributesOfItem(atPath: picture)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: picture)))
        #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.count <= ThingPictures.largest && bytes.count > 1000)
        let forget = try Running(Running.program("dockface-find"), ["forget", "cup"], in: place)
        #expect(await forget.status() == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: (picture as NSString).deletingLastPathComponent)
        #expect(left.isEmpty)
        // Without the word, none is kept.
        let again = try find("cup", more: own("good"))
        #expect(await again.status() == 0 && !FileManager.default.fileExists(atPath: picture), "\(again.text)")
        await end(robot)
    }

    @Test func `what a verifier rejects is not found, and one that cannot work ends the search`() async throws {
        let robot = try await robot()
        for (manner, status, words) in [
            ("rejects", Int32(1), "not found: cup"), ("contradicts", 1, "not found: cup"),
            ("unusable", 69, "no model"), ("dies", 69, "the library is missing"),
        ] {
            let search = try find("cup", "--time-limit", manner == "dies" ? "60" : "8", more: own(manner))
            #expect(await search.status() == status && search.text.contains(words), "\(manner): \(search.text)")
        }
        await end(robot)
    }

    @Test(.enabled(if: detectors != nil, "the detectors are not installed"))
    func `the thing of a photo is found, and that of another photo is not`() async throws {
        let robot = try await robot()
        let photo = try write(label(1, width: 192, height: 192), "mug.jpg")
        let search = try find("--photo", photo)
        #expect(await search.status() == 0, "\(search.text)")
        #expect(search.text.contains("found: mug, ") && search.text.contains("details are those of the photo"))
        let other = try write(label(2, width: 192, height: 192), "other.jpg")
        let none = try find("cup", "--photo", other, "--time-limit", "8")
        #expect(await none.status() == 1 && none.text.contains("reject, "), "\(none.text)")
        let plain = try write(
            #require(RGBPicture(width: 99, height: 99, bytes: Array(repeating: 90, count: 29_403))), "plain.jpg")
        let useless = try find("--photo", plain)
        #expect(await useless.status() == 69 && useless.text.contains("no pattern"), "\(useless.text)")
        await end(robot)
    }

    /// Whether the models that read text are installed. They are downloaded by hand.
    private static var readsText: Bool {
        guard let detectors, let places = FileManager.default.enumerator(atPath: detectors + "/lib") else {
            return false
        }
        return places.contains { ($0 as? String)?.hasSuffix("dockface_detectors/models/text-reader.onnx") ?? false }
    }

    @Test(.enabled(if: readsText, "the models that read text are not installed"))
    func `the thing with a text on it is found, and one with another text is not`() async throws {
        let python = try #require(Self.detectors) + "/bin/python3", picture = place.path + "/box.jpg"
        let draw = """
            import cv2, numpy
            p = numpy.full((480, 640, 3), 120, numpy.uint8)
            p[144:336, 224:416] = 230
            for y, word in ((200, "PANDUCALE"), (250, "Almond"), (300, "Cookies")):
                cv2.putText(p, word, (232, y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (30, 20, 40), 2, cv2.LINE_AA)
            cv2.imwrite("\(picture)", p, [cv2.IMWRITE_JPEG_QUALITY, 92])
            """
        let drawing = try Running(python, ["-c", draw], in: place)
        #expect(await drawing.status() == 0, "\(drawing.text)")
        let robot = try await robot(picture)
        let search = try find("cup", "--text", "Panducale")
        #expect(await search.status() == 0 && search.text.contains("PANDUCALE"), "\(search.text)")
        let other = try find("cup", "--text", "Cornflakes", "--time-limit", "8")
        #expect(await other.status() == 1 && other.text.contains("reject, "), "\(other.text)")
        await end(robot)
    }

    @Test(.enabled(if: detectors != nil, "the detectors are not installed"))
    func `a model is asked only at the address that its owner named`() async throws {
        let robot = try await robot()
        let python = try #require(Self.detectors) + "/bin/python3"
        let server = try Running(python, [Self.folder + "chat_server.py", place.path, "match"], in: place)
        try await wait("the server: \(server.text)") {
            (try? String(contentsOfFile: place.path + "/port", encoding: .utf8))?.hasSuffix("\n") ?? false
        }
        let port = try String(contentsOfFile: place.path + "/port", encoding: .utf8).dropLast()
        let nowhere = try find("cup", "--llm")
        #expect(
            await nowhere.status() == 78 && nowhere.text.contains("no vision model is written down"), "\(nowhere.text)")
        let variable = try Running(
            Running.program("dockface-find"), ["cup", "--llm", "--control", socket], in: place,
            variables: ["DOCKFACE_FIND_LLM_ADDRESS": "http://127.0.0.1:\(port)/v1", "DOCKFACE_FIND_LLM_MODEL": "eye"])
        #expect(await variable.status() == 78, "\(variable.text)")
        let search = try find(
            "cup", "--describe", "a box", "--llm-address", "http://127.0.0.1:\(port)/v1", "--llm-model", "eye")
        #expect(await search.status() == 0, "\(search.text)")
        #expect(search.text.contains("llm: the model says: a box, same thing"), "\(search.text)")
        let requests = try String(contentsOfFile: place.path + "/requests", encoding: .utf8)
        let bodies = requests.split(separator: "\n").compactMap { JSONValue(json: $0.utf8) }
        let asked = bodies.filter { "\($0)".contains("image_url") }
        #expect(asked.count == 2 && bodies.allSatisfy { $0["model"]?.string == "eye" })
        server.signal(SIGKILL)
        await end(robot)
    }

    @Test(.enabled(if: detectors != nil, "the detectors are not installed"))
    func `a sign is on while pictures may leave the machine, and not for a model on it`() async throws {
        let robot = try await robot(), dock = try await dock(), signs = try dock.updates(.indicators)
        // This daemon has no screen.
        let dark = try find("unicorn", "--llm-address", "http://192.0.2.1:9/v1", "--llm-model", "eye")
        #expect(await dark.status() == 78 && dark.text.contains("no screen of this robot"), "\(dark.text)")
        let settings = place.path + "/config/dockface"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try "llm.sign = \"none\"\n".write(toFile: settings + "/find.toml", atomically: true, encoding: .utf8)
        func isLive(_ reading: IndicatorsReading) -> Bool { reading.indicators.contains { $0.name == "live" } }
        for (address, isAway) in [("http://127.0.0.1:9/v1", false), ("http://192.0.2.1:9/v1", true)] {
            // Things with other names are asked about only in the third round, so that nothing is sent.
            let search = try find("unicorn", "--llm-address", address, "--llm-model", "eye")
            if isAway {
                for await update in signs where isLive(update.value) { break }
                #expect(search.text.contains("the pictures are sent without encryption"), "\(search.text)")
            }
            try await wait("the search: \(search.text)") { search.text.contains("looking round") }
            let stop = try Running(Running.program("dockface-find"), ["stop"], in: place)
            #expect(await stop.status() == 0)
            #expect(await search.status() == 0, "\(search.text)")
            if isAway { for await update in signs where !isLive(update.value) { break } }
            #expect(search.text.contains("without encryption") == isAway, "\(search.text)")
        }
        dock.close()
        await end(robot)
    }

    @Test func `a search of another terminal is stopped, and gives everything back`() async throws {
        let robot = try await robot(), dock = try await dock()
        try await dock.setTrackingMode(.system)
        let idle = try Running(Running.program("dockface-find"), ["stop"], in: place)
        #expect(await idle.status() == 0 && idle.text.contains("no search is running"), "\(idle.text)")
        let search = try find("unicorn")
        try await wait("the search: \(search.text)") { search.text.contains("looking round") }
        let stop = try Running(Running.program("dockface-find"), ["stop"], in: place)
        #expect(await stop.status() == 0 && stop.text.contains("the search has ended"), "\(stop.text)")
        #expect(await search.status() == 0)
        let status = try await dock.status()
        #expect(status.accessory.mode == .system && !status.isLeased)
        dock.close()
        await end(robot)
    }
}
