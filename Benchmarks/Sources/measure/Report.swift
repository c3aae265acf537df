/// All figures of a run, and their table.
struct Report {
    /// dockface and the C program, alternating.
    var rounds: [(dockface: Stand.Result, peer: Stand.Result)] = []
    /// With every tenth line 6 ms late.
    var late = Stand.Result()
    var idle = Stand.Result()
    /// A C program that is woken as often as the idle daemon.
    var idlePeer = Stand.Result()
    var face = Stand.Result()
    var idleFace = Stand.Result()
    /// Milliseconds from start to first answer.
    var starts: [Double] = []

    /// - Throws: a failure if too little was measured.
    func check(turns: Int) throws(Failure) {
        if late.latencies.count < turns / 2 { throw Failure("too few set-points with late lines") }
        for (dockface, peer) in rounds where dockface.latencies.count < turns / 2 || peer.latencies.count < turns / 2 {
            throw Failure(
                "too few set-points: dockface \(dockface.latencies.count), the C program \(peer.latencies.count) "
                    + "of \(turns) lines")
        }
    }

    /// The table in Markdown.
    var table: String {
        let mine = Percentiles(rounds.flatMap(\.dockface.latencies))
        let its = Percentiles(rounds.flatMap(\.peer.latencies))
        let late = Percentiles(self.late.latencies)
        let ratios = rounds.map { Percentiles($0.dockface.latencies).median / Percentiles($0.peer.latencies).median }
        let unanswered = rounds.map(\.dockface.unanswered).reduce(0, +)
        let lines = rounds.map(\.dockface.latencies.count).reduce(0, +) + unanswered
        let answers = Percentiles(starts)
        return """
            | measured | dockface | C program | limit |
            | --- | --- | --- | --- |
            | line to first byte of the set-point, p50 | \(mine.median.text(0)) us | \(its.median.text(0)) us | |
            | ... p99 | \(mine.at(0.99).text(0)) us | \(its.at(0.99).text(0)) us | |
            | ratio of the medians (single rounds) | \((mine.median / its.median).text(2)) \
            (\(ratios.map { $0.text(2) }.joined(separator: ", "))) | 1 | <= 2 |
            | every tenth line 6 ms late: p50, p99 | \(late.median.text(0)), \(late.at(0.99).text(0)) us | | |
            | lines without a set-point of their own | \(unanswered) of \(lines) | \
            \(rounds.map(\.peer.unanswered).reduce(0, +)) | |
            | CPU, 3 faces at 30 frames/s, no face shown | \(mean(rounds.map(\.dockface.cpu)).text(2)) % | \
            \(mean(rounds.map(\.peer.cpu)).text(2)) % | <= 1.0 % |
            | CPU, idle: connected, no frames (C: woken as often) | \(idle.cpu.text(2)) % | \
            \(idlePeer.cpu.text(2)) % | <= 0.1 % |
            | CPU, 3 faces and the face at 80x24 | \(face.cpu.text(2)) % | | |
            | CPU, idle and the face at 80x24 | \(idleFace.cpu.text(2)) % | | |
            | sleeps per second: tracking, idle, tracking with face, idle with face | \
            \(mean(rounds.map(\.dockface.sleeps)).text(0)), \(idle.sleeps.text(0)), \(face.sleeps.text(0)), \
            \(idleFace.sleeps.text(0)) | \(mean(rounds.map(\.peer.sleeps)).text(0)) | |
            | resident memory: tracking, with face | \((rounds.last?.dockface.resident ?? 0).text(1)), \
            \(face.resident.text(1)) MB | \((rounds.last?.peer.resident ?? 0).text(1)) MB | <= 20 MB |
            | start to first answer, median (worst of \(starts.count)) | \(answers.median.text(1)) ms \
            (\(answers.at(1).text(1)) ms) | | <= 60 ms |
            """
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
