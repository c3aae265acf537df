public import Geometry

extension RecorderMachine {
    /// Why nothing is recorded, although a recording is wanted.
    public enum Block: Sendable, Equatable {
        /// There is no room on the disk, or the disk fails.
        case disk(String)
        /// The encoder cannot be started, or fails again and again.
        case encoder(String)
        /// The daemon cannot show people that it records.
        case indicator(String)
    }

    /// What it does.
    public enum State: Sendable, Equatable {
        /// No one wants a recording.
        case off
        /// The camera gives no pictures.
        case waiting
        /// It records.
        case recording
        /// It cannot record.
        case blocked(Block)
    }

    /// What people near the robot must see.
    public enum Sign: Sendable, Equatable {
        /// Nothing is recorded.
        case off
        /// A recording is wanted, but the camera gives no pictures.
        case waiting
        /// Pictures are recorded.
        case recording
        /// A recording is wanted and fails, for this reason.
        case fault(String)
    }

    /// A chunk that begins.
    public struct Beginning: Sendable, Equatable {
        /// Its number in this run, from 1.
        public var id: Int
        /// The exposure of its first frame, CLOCK_MONOTONIC.
        public var exposure: Seconds
        /// The date of its first frame, in milliseconds since 1970.
        public var date: Int
        /// Whether the date can be right.
        public var isDated: Bool
        /// The size of its pictures.
        public var size: PictureSize
    }

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Show this, and answer with `shown`.
        case show(Sign)
        /// Open or close the camera's pictures.
        case watch(Bool)
        /// Make room for a chunk, and answer with `room`.
        case makeRoom
        /// Start an encoder that the next chunk will use.
        case warm
        /// Begin a chunk.
        case begin(Beginning)
        /// Add the frame to the open chunk.
        case put
        /// End the chunk with this number. `next`: the exposure at which the next one begins, if it does so at once.
        case end(Int, ChunkEnd, next: Seconds?)
        /// Write a line to the log; `isWarning`: something is wrong.
        case say(String, isWarning: Bool)
    }

    /// Frames that were not recorded, by reason.
    public struct Drops: Sendable, Equatable {
        /// It was not shown yet that pictures are recorded, when they were taken or when they left the delay line.
        public var unannounced = 0
        /// There was no room, or no encoder.
        public var blocked = 0
        /// They had no time after that of the frame before, or an impossible one.
        public var timeless = 0
    }
}
