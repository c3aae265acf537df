import DockTestKit
import Foundation
import ProgramTestKit
import Testing

@testable import VideoRecorder

/// The built program from outside, without a daemon.
@Suite(.timeLimit(.minutes(10))) struct RecordProgramTests {
    private let place = TemporaryFolder()
    private var recordings: Recordings { Recordings(place: place) }

    private func start(_ words: String..., variables: [String: String] = [:]) throws -> Running {
        try Running(Running.recorder, words, in: place, variables: variables)
    }

    @Test func `it says what it records, where, how much room there is, and how to stop`() async throws {
        let recorder = try start()
        try await wait("its words") { recorder.text.contains("waiting for the daemon") }
        #expect(recorder.text.contains("records the camera's pictures, without sound: faces are covered"))
        #expect(recorder.text.contains("\(recordings.path), at most 16 GB, for at most 72 hours (0 bytes used, "))
        #expect(recorder.text.contains("free on the disk); stop it with Ctrl-C"))
        recorder.signal(SIGTERM)
        #expect(await recorder.status() == 128 + SIGTERM && recordings.chunks.isEmpty)
    }

    @Test func `with sound it says where that comes from, and that voices are not changed`() async throws {
        let recorder = try start("run", "--sound", "hw:9,9")
        try await wait("its words") { recorder.text.contains("waiting for the daemon") }
        #expect(recorder.text.contains("with sound from hw:9,9: voices are not changed; faces are covered"))
        // The settings do not name it. The running recorder does.
        let status = try start("status"), json = try start("status", "--json")
        #expect(
            await status.status() == 0
                && status.text.contains("sound       recorded from hw:9,9: voices are not changed"))
        #expect(await json.status() == 0 && json.text.contains(#""sound":"hw:9,9""#))
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0)
        let after = try start("status")
        #expect(await after.status() == 0 && after.text.contains("sound       not recorded"))
        let set = try start("status", variables: ["DOCKFACE_RECORD_SOUND": "default"])
        #expect(
            await set.status() == 0 && set.text.contains("sound       recorded from default: voices are not changed"))
        let wrong = try start(variables: ["DOCKFACE_RECORD_SOUND": "two words"])
        #expect(await wrong.status() == 78 && wrong.text.contains("a device of ALSA"))
    }

    @Test func `Ctrl-C is an orderly end`() async throws {
        let recorder = try start("run", "--privacy", "none", "--budget", "500 MB")
        try await wait("its words") { recorder.text.contains("waiting for the daemon") }
        #expect(recorder.text.contains("pictures are kept as they are, with faces") && recorder.text.contains("500 MB"))
        recorder.signal(SIGINT)
        #expect(await recorder.status() == 0)
    }

    @Test func `a second recorder of one folder ends with status 75`() async throws {
        let first = try start()
        try await wait("the first one") { first.text.contains("waiting for the daemon") }
        let second = try start()
        #expect(await second.status() == 75 && second.text.contains("another recorder uses"))
        let status = try start("status", "--json")
        #expect(await status.status() == 0 && status.text.contains(#""recording":false,"running":true"#))
        first.signal(SIGINT)
        #expect(await first.status() == 0)
    }

    @Test(arguments: [
        ["list", "tomorrow"], ["run", "--budget", "much"], ["run", "--privacy", "some"], ["run", "--length", "1"],
        ["run", "--sound", "-x"],
        ["export", "-10m"], ["delete"], ["delete", "--all", "-10m"], ["record"], ["show", "--since", "1h"],
    ])
    func `a mistake on the command line has status 64`(words: [String]) async throws {
        let program = try Running(Running.recorder, words, in: place)
        #expect(await program.status() == 64, "\(program.text)")
    }

    @Test func `a mistake in the settings has status 78, and names its line`() async throws {
        place.write("# settings\nprivcay = \"none\"\n", to: "config/dockface/record.toml")
        let program = try start()
        #expect(await program.status() == 78)
        #expect(program.text.contains("record.toml:2:1: \"privcay\" is unknown; did you mean \"privacy\"?"))
    }

    @Test func `variables come before the file, and a wrong budget is named`() async throws {
        place.write("budget = \"1 GB\"\nprivacy = \"picture\"\n", to: "config/dockface/record.toml")
        let first = try start("status")
        #expect(
            await first.status() == 0 && first.text.contains("of 1 GB") && first.text.contains("covered as a whole"))
        let second = try start("status", variables: ["DOCKFACE_RECORD_BUDGET": "lots"])
        #expect(await second.status() == 78 && second.text.contains("16 GB, 500 MB or 1.5 TB"))
    }

    @Test func `without recordings the verbs say so`() async throws {
        for verb in ["list", "show", "verify"] {
            let program = try start(verb)
            #expect(await program.status() == 0 && program.text.contains("`dockface record` starts recording"))
        }
        let status = try start("status")
        #expect(await status.status() == 0 && status.text.contains("none yet"))
    }

    @Test(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"))
    func `recordings are listed, shown, checked, exported and deleted`() async throws {
        for start in [1_795_000_000_000, 1_795_000_002_000, 1_795_000_600_000] { try recordings.make(start) }
        let list = try start("list")
        #expect(await list.status() == 0 && list.text.split(separator: "\n").count == 3)
        #expect(list.text.hasPrefix("2026-11-18 11:06:40     2.0 s"))
        let json = try start("list", "2026-11-18T11:06..11:10", "--json")
        #expect(await json.status() == 0 && json.text.split(separator: "\n").count == 2)
        #expect(json.text.contains(#""file":"chunk_1795000000000_2000_clear.mp4""#))
        let show = try start("show")
        #expect(await show.status() == 0 && show.text.contains("chunk_1795000600000_2000_clear.mp4"))
        let verify = try start("verify", "--decode")
        #expect(await verify.status() == 0 && verify.text.contains("3 checked, 0 damaged"), "\(verify.text)")

        let film = place.path + "/visit.mp4"
        let export = try start("export", "2026-11-18", "--to", film)
        #expect(await export.status() == 0 && export.text.contains("6.0 s in \(film)"), "\(export.text)")
        #expect(export.text.contains("9 min 56 s were not recorded, at 1 places"))
        let movie = place.path + "/visit.mov", other = try start("export", "2026-11-18", "--to", movie)
        #expect(await other.status() == 0, "\(other.text)")
        let bytes = try #require(FileManager.default.contents(atPath: movie))
        #expect(String(decoding: bytes[4..<12], as: UTF8.self) == "ftypqt  ")
        let again = try start("export", "2026-11-18", "--to", film)
        #expect(await again.status() == 64 && again.text.contains("exists already"))

        let asks = try start("delete", "2026-11-18T11:06..11:07")
        #expect(await asks.status() == 64 && asks.text.contains("--yes"))
        let delete = try start("delete", "2026-11-18T11:06..11:07", "--yes")
        #expect(await delete.status() == 0 && delete.text.contains("deleted 2 recordings"))
        #expect(recordings.chunks.map(\.start) == [1_795_000_600_000])
    }

    @Test(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"))
    func `a damaged recording is found, with status 1`() async throws {
        for start in [1_795_000_000_000, 1_795_000_002_000] { try recordings.make(start) }
        let name = recordings.chunks[0].file
        #expect(truncate(recordings.path + "/" + name, 3000) == 0)
        let verify = try start("verify")
        #expect(
            await verify.status() == 1 && verify.text.contains(name) && verify.text.contains("2 checked, 1 damaged"))
    }

    @Test(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"))
    func `a sheet shows each recording, and a player gets all of them`() async throws {
        for number in 0..<5 {
            try recordings.make(1_795_000_000_000 + number * 2000, size: number > 3 ? "96x32" : "64x48")
        }
        let sheet = place.path + "/sheet.jpg"
        let program = try start("sheet", "2026-11-18", "--to", sheet)
        #expect(await program.status() == 0, "\(program.text)")
        #expect(program.text.split(separator: "\n").count == 2 && program.text.hasPrefix("2026-11-18 11:06:40  "))
        let probe = try ChildRun.run([
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", sheet,
        ])
        #expect(String(decoding: probe.output, as: UTF8.self) == "960,360\n")
        let again = try start("sheet", "2026-11-18", "--to", sheet)
        #expect(await again.status() == 64 && again.text.contains("exists already"))

        let none = try start("play", variables: ["PATH": place.path])
        #expect(await none.status() != 0 && none.text.contains("no video player is installed"))
        place.write("#!/bin/sh\nfor file; do echo \"plays $file\"; done\n", to: "bin/mpv")
        chmod(place.path + "/bin/mpv", 0o755)
        let path = ["PATH": place.path + "/bin:/usr/bin:/bin"]
        let last = try start("play", variables: path)
        #expect(await last.status() == 0 && last.text == "plays \(recordings.path)/\(recordings.chunks[4].file)\n")
        let all = try start("play", "2026-11-18", variables: path)
        #expect(await all.status() == 0 && all.text.split(separator: "\n").count == 5)
    }

    @Test func `of many recordings a sheet shows the first, the last, and others between`() {
        let names = (0..<1000).map { ChunkName(start: $0 * 1000, duration: 1000, verdict: .clear) }
        let chosen = ContactSheet.choose(names)
        #expect(chosen.count == ContactSheet.most && chosen.first == names.first && chosen.last == names.last)
        #expect(
            Set(chosen.map(\.start)).count == chosen.count && ContactSheet.choose(Array(names.prefix(3))).count == 3)
        #expect([1, 4, 5, 16, 17, 48].map(ContactSheet.columns) == [1, 4, 4, 4, 6, 6])
    }

    @Test(.enabled(if: Running.hasEncoder, "ffmpeg is not installed"))
    func `pictures of another size become another film`() async throws {
        try recordings.make(1_795_000_000_000)
        try recordings.make(1_795_000_002_000, size: "128x96")
        let export = try start("export", "2026-11-18", "--to", place.path + "/visit.mp4", "--json")
        #expect(await export.status() == 0 && export.text.contains("visit-2.mp4"), "\(export.text)")
    }
}
