internal import DockWire
public import Geometry

extension SimulatedDock {
    /// What can go wrong with a dock and its line; each may come and go at any time.
    public struct Faults: Sendable, Equatable {
        /// The line from the host to the dock.
        public var toDock = LineFaults()
        /// The line from the dock to the host.
        public var toHost = LineFaults()
        /// Motors that are blocked: they stand still at once, whatever is asked.
        public var blocked: Set<Axis> = []
        /// Motors that turn against their command; the encoder tells what really happens.
        public var reversedMotors: Set<Axis> = []
        /// Encoders that count the wrong way from where the axis stood when that began; right again, they tell the truth.
        public var reversedEncoders: Set<Axis> = []
        /// Encoders that stay at what they read when that began, noise apart, while the axis turns. Stronger than reversed.
        public var frozenEncoders: Set<Axis> = []
        /// What the dock reports as its rates, rad/s, whatever its motors do; nil: the truth. Its firmware knows better.
        public var falseRates: PanTilt?
        /// What the dock prints at every boot before its first frame, as a boot loader does; empty = nothing.
        ///
        /// No 00 ends it, so it takes the greeting that the dock sends unasked along into the garbage.
        public var bootText = ""

        /// No faults.
        public init() {}

        /// The same faults on both directions of the line.
        public static func line(_ line: LineFaults) -> Faults {
            var faults = Faults()
            faults.toDock = line
            faults.toHost = line
            return faults
        }

        /// The dock says nothing and hears all: the line is half open.
        public var isMute: Bool {
            get { toHost.isDead }
            set { toHost.isDead = newValue }
        }

        /// The dock hears nothing and goes on talking: the line is half open the other way.
        public var isDeaf: Bool {
            get { toDock.isDead }
            set { toDock.isDead = newValue }
        }

        /// Share of the bytes that arrive with one wrong bit, either way, 0...1: ``LineFaults/flip`` of both.
        public var byteErrors: Double {
            get { max(toDock.flip, toHost.flip) }
            set {
                toDock.flip = newValue
                toHost.flip = newValue
            }
        }

        /// What an ESP32 prints at its boot: text, line ends and a few bytes at the wrong speed.
        public static let bootLoaderText =
            "\u{1B}\u{7F}\u{1F}ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
            + "configsip: 0, SPIWP:0xee\r\nclk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r\n"
            + "mode:DIO, clock div:2\r\nload:0x3fff0030,len:1344\r\nentry 0x400805e4\r\n"

        /// The frames as the host gets them, with the rates that are no truth.
        func lied(_ bytes: [UInt8]) -> [UInt8] {
            guard let falseRates else { return bytes }
            var decoder = FrameDecoder(), run: [UInt8] = [], told: [UInt8] = []
            for byte in bytes {
                run.append(byte)
                guard let frame = try? decoder.push(byte) else { continue }
                if case .motion(var report) = try? DockMessage(frame) {
                    (report.panRate, report.tiltRate) = (milliDegrees(falseRates.pan), milliDegrees(falseRates.tilt))
                    var encoder = FrameEncoder(firstSequence: frame.sequence)
                    run = encoder.encode(DockMessage.motion(report)).array
                }
                told += run
                run.removeAll(keepingCapacity: true)
            }
            return told + run
        }

        func encoder(_ axis: Axis) -> Encoder.Fault? {
            frozenEncoders.contains(axis) ? .frozen : reversedEncoders.contains(axis) ? .reversed : nil
        }
    }
}
