import DockControl
import Files
import Testing

@testable import Companion

/// Profiles whose values are valid alone but contradict each other, or need more precision than the device has.
@Suite struct ProfileSenseTests {
    /// A profile of a driver; the options begin in line 18.
    private static func text(_ driver: String, baud: String) -> String {
        """
        name = "x"
        driver = "\(driver)"
        serial = { baud = \(baud) }

        [pan]
        min = -30
        max = 40
        max_speed = 60
        max_acceleration = 300

        [tilt]
        min = -20
        max = 20
        max_speed = 60
        max_acceleration = 300

        [options]

        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var driver: String
        var old = ""
        var new = ""
        var options = ""
        /// The expected errors; empty if the profile is right.
        var says: [String] = []
        var testDescription: String { "\(driver) \(new) \(options)" }
    }

    static let cases: [Case] = [
        Case(driver: "maestro"),
        Case(driver: "maestro", old: "max = 40", new: "max = 100"),
        Case(
            driver: "maestro", old: "max = 40", new: "max = 101",
            says: ["x.toml:7:1: \"pan.max\" is 101, and servos take pulses of 500 to 2500 us", "expected -100 to 100"]),
        Case(
            driver: "maestro", options: "tilt_center_us = 700\ntilt_us_per_degree = 12.5",
            says: ["x.toml:12:1: \"tilt.min\" is -20", "expected -16 to 144 degrees"]),
        // With the opposite sign there is room.
        Case(
            driver: "maestro", old: "min = -20\nmax = 20", new: "min = -20\nmax = 16\ninvert = true",
            options: "tilt_center_us = 700\ntilt_us_per_degree = 12.5"),
        Case(
            driver: "maestro", options: "pan_channel = 1",
            says: ["x.toml:18:1: \"pan_channel\" and \"tilt_channel\" are both 1: two servos cannot share it"]),
        Case(
            driver: "maestro", options: "pan_channel = 1.5",
            says: ["x.toml:18:1: \"options.pan_channel\" is wrong: expected a whole number from 0 to 23"]),
        Case(driver: "maestro", options: "crc = 0.5", says: ["expected a whole number from 0 to 1"]),
        Case(driver: "feetech", old: "min = -30\nmax = 40", new: "min = -180\nmax = 179.9"),
        Case(
            driver: "feetech", old: "max = 40", new: "max = 180",
            says: ["x.toml:7:1: \"pan.max\" is 180", "positions are 0 to 4095, 2048 at 0", "expected -180 to 179.91"]),
        Case(
            driver: "feetech", options: "pan_center = 256",
            says: ["x.toml:6:1: \"pan.min\" is -30", "expected -22.5 to 337.41 degrees"]),
        Case(driver: "feetech", old: "max = 40", new: "max = 22\ninvert = true", options: "pan_center = 256"),
        Case(driver: "feetech", old: "min = -30\nmax = 40", new: "min = -150\nmax = 149", options: "scs = 1"),
        Case(
            driver: "feetech", old: "max = 40", new: "max = 150", options: "scs = 1",
            says: ["x.toml:7:1: \"pan.max\" is 150", "expected -150 to 149.7 degrees"]),
        Case(
            driver: "feetech", options: "scs = 1\npan_center = 2048",
            says: ["x.toml:19:1: \"options.pan_center\" is 2048", "expected 0 to 1023"]),
        Case(driver: "feetech", options: "tilt_id = 1", says: ["x.toml:18:1: \"pan_id\" and \"tilt_id\" are both 1"]),
        Case(driver: "feetech", options: "pan_id = 2", says: ["x.toml:18:1: \"pan_id\" and \"tilt_id\" are both 2"]),
        Case(
            driver: "feetech", options: "tilt_id = 3.5",
            says: ["\"options.tilt_id\" is wrong: expected a whole number from 0 to 253"]),
        Case(
            driver: "feetech", old: "max_speed = 60", new: "max_speed = 300", options: "speed_unit_steps = 0.1",
            says: ["x.toml:8:1: \"pan.max_speed\" is 300", "expected at most 287.99 deg/s"]),
        Case(
            driver: "feetech", old: "baud = 9600", new: "baud = 9600.5",
            says: ["\"serial.baud\" is wrong: expected a whole number"]),
        Case(
            driver: "feetech", old: "baud = 115200", new: "baud = 2000000",
            says: ["x.toml:3:1: \"serial.baud\" is 2000000", "expected 19200 to 1000000"]),
        Case(
            driver: "dynamixel", old: "min = -30", new: "min = -181",
            says: ["x.toml:6:1: \"pan.min\" is -181", "expected -180 to 179.91"]),
        Case(driver: "visca", options: "speed_table = 1\naddress = 2"),
        Case(
            driver: "visca", old: "max = 40", new: "max = 101", options: "speed_table = 1",
            says: ["x.toml:7:1: \"pan.max\" is 101, and a Sony EVI-D100", "expected -100 to 100 degrees"]),
        Case(
            driver: "visca", old: "min = -20\nmax = 20", new: "min = -89\nmax = 30\ninvert = true",
            options: "speed_table = 2"
        ),
        Case(
            driver: "visca", old: "min = -20", new: "min = -31", options: "speed_table = 2",
            says: ["x.toml:12:1: \"tilt.min\" is -31", "expected -30 to 90 degrees"]),
        Case(
            driver: "visca", old: "min = -30\nmax = 40", new: "min = -170\nmax = 170",
            options: "pan_units_per_degree = 200",
            says: ["x.toml:6:1: \"pan.min\" is -170", "16 bits", "expected -163.83 to 163.83"]),
        Case(
            driver: "visca", options: "speed_table = 1\npan_codes = 20",
            says: ["x.toml:19:1: \"options.pan_codes\" applies only if speed_table is 0"]),
        Case(driver: "visca", options: "speed_table = 1.5", says: ["expected a whole number from 0 to 2"]),
        Case(driver: "visca", options: "address = 1.5", says: ["expected a whole number from 1 to 7"]),
        Case(
            driver: "visca", options: "pan_max_speed = 40",
            says: [
                "x.toml:8:1: \"pan.max_speed\" is 60, and no code of this camera is faster: expected at most 40 deg/s"
            ]),
        Case(
            driver: "visca", options: "pan_min_speed = 90\npan_max_speed = 70",
            says: ["x.toml:18:1: the slowest code of pan is 90 deg/s, and the fastest 70"]),
        Case(
            driver: "visca", old: "[options]", new: "[safety]\non_exit = \"relax\"\n[options]",
            says: ["x.toml:18:1: \"safety.on_exit\" is \"relax\"", "expected \"hold\""]),
        Case(driver: "waveshare", old: "min = -30\nmax = 40", new: "min = -180\nmax = 180"),
        Case(
            driver: "waveshare", old: "max = 20", new: "max = 20\ninvert = true\nhome = 0",
            says: []),
        Case(
            driver: "waveshare", old: "min = -20", new: "min = -31",
            says: [
                "x.toml:12:1: \"tilt.min\" is -31, and the board takes no such position: expected -30 to 90 degrees"
            ]),
        Case(
            driver: "waveshare", old: "max = 20", new: "max = 31\ninvert = true",
            says: ["x.toml:13:1: \"tilt.max\" is 31", "expected -90 to 30 degrees"]),
        Case(driver: "waveshare", options: "tilt_id = 2", says: ["x.toml:18:1: \"pan_id\" and \"tilt_id\" are both 2"]),
        Case(
            driver: "waveshare", old: "max_speed = 60", new: "max_speed = 250",
            says: ["x.toml:8:1: \"pan.max_speed\" is 250", "expected at most 219.72"]),
        Case(driver: "mavlink", options: "component = 191"),
        Case(
            driver: "mavlink", options: "component = 154",
            says: ["x.toml:18:1: \"options.component\" is 154, which is also the gimbal's"]),
        Case(
            driver: "mavlink", old: "max = 20", new: "max = 91",
            says: ["x.toml:13:1: \"tilt.max\" is 91", "expected -90 to 90"]),
        Case(
            driver: "mavlink", old: "[options]", new: "[safety]\non_estop = \"relax\"\n[options]",
            says: ["\"safety.on_estop\" is \"relax\""]),
    ]

    @Test(arguments: cases) func `a contradiction is reported with its place and the expectation`(row: Case) throws {
        var text = Self.text(row.driver, baud: row.new.contains("baud = 9600.5") ? "9600" : "115200")
        if !row.old.isEmpty {
            #expect(text.contains(row.old))
            text = text.replacing(row.old, with: row.new, maxReplacements: 1)
        }
        text += row.options + "\n"
        do {
            _ = try ProfileReader.read(text, file: "x.toml")
            #expect(row.says.isEmpty, "was accepted")
        } catch {
            #expect(!row.says.isEmpty, "said: \(error)")
            for part in row.says { #expect(error.description.contains(part), "said: \(error)") }
        }
    }
}
