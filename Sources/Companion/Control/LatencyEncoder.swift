internal import ControlProtocol
internal import DockControl

/// Encodes the stage times as the result of method `latency` (docs/CONTROL-API.md).
enum LatencyEncoder {
    static func json(_ shot: LoopSnapshot) -> JSONValue {
        .object([
            "window": .number(LatencyTally.window), "stages": .array(shot.timing.latency.map(json)),
            "pictureLag": shot.timing.pictureLag.map {
                .object([
                    "seconds": .number($0.lag), "deviation": .number($0.deviation),
                    "corrected": .number(shot.timing.lagCorrection),
                ])
            } ?? .null,
        ])
    }

    private static func json(_ stage: StageFigures) -> JSONValue {
        .object([
            "stage": .string(stage.stage.rawValue), "from": .string(stage.stage.ends.from),
            "to": .string(stage.stage.ends.to), "all": json(stage.all), "recent": json(stage.recent),
            "why": .string(orNull: stage.why),
        ])
    }

    private static func json(_ spread: StageFigures.Spread) -> JSONValue {
        .object([
            "count": .number(spread.count), "p50": .number(orNull: spread.p50), "p99": .number(orNull: spread.p99),
        ])
    }
}
