internal import DockWire
public import Geometry

extension SimulatedDock {
    /// The faults of a dock and its line. Each may start and end at any time.
    public struct Faults: Sendable, Equatable {
        /// The line from the host to the dock.
        public var toDock = LineFaults()
        /// The line from the dock to the host.
        public var toHost = LineFaults()
        /// Blocked motors. They stop at once, whatever is commanded.
        public var blocked: Set<Axis> = []
        /// Motors that turn against their command. Their encoders read correctly.
        public var reversedMotors: Set<Axis> = []
        /// Encoders that count the wrong way from the position at the start of the fault. Afterwards they read
        /// correctly again.
        public var reversedEncoders: Set<Axis> = []
        /// Encoders that keep the reading at the start of the fault, except for noise, while the axis turns. Takes
        /// precedence over reversed.
        public var frozenEncoders: Set<Axis> = []
        /// Rates that the dock reports, rad/s, whatever its motors do; nil: the true ones. Its firmware uses the true
        /// ones.
        public var falseRates: PanTilt?
        /// Text that the dock prints at every boot before its first frame, as a boot loader does; empty: none.
        ///
        /// No 00 ends the text, so it also corrupts the greeting that the dock sends unasked.
        public var bootText = ""
        /// Axes whose servo is unplugged from a bus on which each servo has a plug of its own.
        public var unplugged: Set<Axis> = []

        /// No faults.
        public init() {}

        /// The same faults on both directions of the line.
        public static func line(_ line: LineFaults) -> Faults {
            var faults = Faults()
            faults.toDock = line
            faults.toHost = line
            return faults
        }

        /// The dock sends nothing but receives: the line is half open.
        public var isMute: Bool {
            get { toHost.isDead }
            set { toHost.isDead = newValue }
        }

        /// The dock receives nothing but still sends: the line is half open in the other direction.
        public var isDeaf: Bool {
            get { toDock.isDead }
            set { toDock.isDead = newValue }
        }

        /// Fraction of the bytes that arrive with one wrong bit, in both directions, 0...1: ``LineFaults/flip`` of
        /// both.
        public var byteErrors: Double {
            get { max(toDock.flip, toHost.flip) }
            set {
                toDock.flip = newValue
                toHost.flip = newValue
            }
        }

        /// The boot output of an ESP32: text, line ends and a few bytes at the wrong speed.
        public static let bootLoaderText =
            "\u{1B}\u{7F}\u{1F}ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n"
            + "configsip: 0, SPIWP:0xee\r\nclk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r\n"
            + "mode:DIO, clock div:2\r\nload:0x3fff0030,len:1344\r\nentry 0x400805e4\r\n"

        /// Returns the frames as the host receives them, with false rates.
        func lied(_ bytes: [UInt8]) -> [UInt8] {
            guard let falseRates else { return bytes }
            var decoder = FrameDecoder(), run: [UInt8] = [], output: [UInt8] = []
            for byte in bytes {
                run.append(byte)
                guard let frame = try? decoder.push(byte) else { continue }
                if case .motion(var report) = try? DockMessage(frame) {
                    (report.panRate, report.tiltRate) = (milliDegrees(falseRates.pan), milliDegrees(falseRates.tilt))
                    var encoder = FrameEncoder(firstSequence: frame.sequence)
                    run = encoder.encode(DockMessage.motion(report)).array
                }
                output += run
                run.removeAll(keepingCapacity: true)
            }
            return output + run
        }

        func encoder(_ axis: Axis) -> Encoder.Fault? {
            frozenEncoders.contains(axis) ? .frozen : reversedEncoders.contains(axis) ? .reversed : nil
        }
    }
}
