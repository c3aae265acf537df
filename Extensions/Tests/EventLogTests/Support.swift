import ControlProtocol
import DockClient
import Foundation
import Synchronization
import Testing

@testable import EventLog

/// UTC plus one hour, without summer time.
let zone = LocalZone { _ in 3600 }

/// 2026-11-27 14:05:03 in `zone`.
let noon = wall("2026-11-27T14:05:03+01:00").unix

/// A moment so many seconds after `noon`; the monotonic clock shows 1000 more.
func at(_ seconds: Double) -> Moment { Moment(monotonic: 1000 + seconds, wall: zone.wall(noon + seconds)) }

func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

func wall(_ text: String) -> WallTime { WallTime(iso: text) ?? WallTime(unix: 0) }

func subject(_ id: Int, coasting: Bool = false, kind: String = "person") -> SubjectReading {
    var subject = SubjectReading()
    (subject.id, subject.kind, subject.isCoasting) = (id, kind, coasting)
    return subject
}

func tracking(_ subjects: [SubjectReading], followed: Int? = nil) -> TrackingReading {
    var reading = TrackingReading()
    (reading.subjects, reading.followed) = (subjects, followed)
    return reading
}

func accessory(_ dock: String, reason: String? = nil, stoppedBy: String? = nil) -> AccessoryReading {
    var reading = AccessoryReading()
    (reading.dock, reading.reason, reading.stoppedBy) = (dock, reason, stoppedBy)
    return reading
}

/// Returns the records in the lines to write, without their times.
func written(_ actions: [LogBook.Action]) -> [StoredRecord] {
    actions.compactMap { if case .write(let line) = $0 { StoredRecord(line: line.bytes.dropLast()) } else { nil } }
}

/// "kind what" of each record.
func words(_ records: [StoredRecord]) -> [String] { records.map { "\($0.kind) \($0.what)" } }
func words(_ records: [LogRecord]) -> [String] { records.map { "\($0.kind.rawValue) \($0.what)" } }
