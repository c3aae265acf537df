internal import Companion
public import Foundation

extension DockAccessory {
    /// The subjects in view, ten times a second.
    public struct TrackingState: Sendable, Equatable, CustomStringConvertible {
        /// Exposure of the frame, on the wall clock.
        public let time: Date
        /// The same time, CLOCK_MONOTONIC, in seconds.
        public let clock: TimeInterval
        /// The people and objects.
        public let trackedSubjects: [TrackedSubjectType]
        /// The followed subject, or nil if there is none at the moment.
        public let followed: UUID?

        init(_ state: Companion.DockAccessory.TrackingState, subjects: SubjectNumbers) {
            time = Date(clock: state.time)
            clock = state.time
            trackedSubjects = state.trackedSubjects.map { TrackedSubjectType($0, subjects: subjects) }
            followed = state.followed.map { subjects.uuid(of: $0) }
        }

        /// The number of subjects and the time.
        public var description: String { "\(trackedSubjects.count) subjects at \(clock) s" }
    }

    /// A tracked person or object.
    public enum TrackedSubjectType: Sendable, Equatable {
        /// A person.
        case person(TrackedPerson)
        /// Anything else.
        case object(TrackedObject)

        init(_ subject: Companion.DockAccessory.TrackedSubjectType, subjects: SubjectNumbers) {
            switch subject {
            case .person(let person):
                self = .person(TrackedPerson(person, identifier: subjects.uuid(of: person.identifier)))
            case .object(let object):
                self = .object(TrackedObject(object, identifier: subjects.uuid(of: object.identifier)))
            }
        }
    }

    /// A tracked person.
    public struct TrackedPerson: Sendable, Equatable {
        /// The person's identifier in this run. Its last twelve digits are the number of the library, in decimal.
        public let identifier: UUID
        private let person: Companion.DockAccessory.TrackedPerson

        init(_ person: Companion.DockAccessory.TrackedPerson, identifier: UUID) {
            self.person = person
            self.identifier = identifier
        }

        /// The rectangle of the face, normalised, with the origin at the top left.
        public var rect: CGRect { CGRect(person.rect) }
        /// The rank by salience, where 1 is the most important, or nil if not ranked.
        public var saliencyRank: Int? { person.saliencyRank }
        /// Confidence that the person speaks, 0...1, or nil if not computed.
        public var speakingConfidence: Double? { person.speakingConfidence }
        /// Confidence that the person looks into the camera, 0...1, or nil if not computed.
        public var lookingAtCameraConfidence: Double? { person.lookingAtCameraConfidence }
    }

    /// A tracked object.
    public struct TrackedObject: Sendable, Equatable {
        /// The object's identifier in this run. Its last twelve digits are the number of the library, in decimal.
        public let identifier: UUID
        private let object: Companion.DockAccessory.TrackedObject

        init(_ object: Companion.DockAccessory.TrackedObject, identifier: UUID) {
            self.object = object
            self.identifier = identifier
        }

        /// The rectangle of the object, normalised, with the origin at the top left.
        public var rect: CGRect { CGRect(object.rect) }
        /// The rank by salience, where 1 is the most important, or nil if not ranked.
        public var saliencyRank: Int? { object.saliencyRank }
    }
}
