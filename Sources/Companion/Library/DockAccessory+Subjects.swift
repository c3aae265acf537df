public import FaceTracker
public import Geometry

extension DockAccessory {
    /// The subjects in view, ten times a second.
    public struct TrackingState: Sendable, Equatable {
        /// Exposure of the frame, CLOCK_MONOTONIC, in seconds.
        public var time: Seconds
        /// The people and objects.
        public var trackedSubjects: [TrackedSubjectType]
        /// The followed subject, or nil if there is none at the moment.
        public var followed: Int?
    }

    /// A tracked person.
    public struct TrackedPerson: Sendable, Equatable {
        /// The person's number, which is never reused for another subject in this run.
        public var identifier: Int
        /// The rectangle of the face, normalised, with the origin at the top left.
        public var rect: Rect
        /// The rank by salience, where 1 is the most important, or nil if not ranked.
        public var saliencyRank: Int?
        /// The known attributes of the face, such as its distance.
        public var attributes: FaceAttributes
        /// How far the face is, with its error and what it was found with, or nil if unknown.
        public var distance: SubjectDistance?

        /// Confidence that the person speaks, 0...1, or nil if not computed.
        public var speakingConfidence: Double? { attributes.speaking }
        /// Confidence that the person looks into the camera, 0...1, or nil if not computed.
        public var lookingAtCameraConfidence: Double? { attributes.looking }
    }

    /// A tracked object.
    public struct TrackedObject: Sendable, Equatable {
        /// The object's number, which is never reused for another subject in this run.
        public var identifier: Int
        /// The rectangle of the object, normalised, with the origin at the top left.
        public var rect: Rect
        /// The rank by salience, where 1 is the most important, or nil if not ranked.
        public var saliencyRank: Int?
        /// The known attributes, such as the distance.
        public var attributes: FaceAttributes
        /// How far the object is, with its error and what it was found with, or nil if unknown.
        public var distance: SubjectDistance?
    }

    /// A tracked person or object. Values that both have are also members of this type.
    public enum TrackedSubjectType: Sendable, Equatable {
        /// A person.
        case person(TrackedPerson)
        /// Anything else.
        case object(TrackedObject)

        init(
            _ kind: SubjectKind, identifier: Int, rect: Rect, saliencyRank: Int?, attributes: FaceAttributes,
            distance: SubjectDistance?
        ) {
            var attributes = attributes
            attributes.distance = distance?.metres
            switch kind {
            case .person:
                self = .person(
                    TrackedPerson(
                        identifier: identifier, rect: rect, saliencyRank: saliencyRank, attributes: attributes,
                        distance: distance))
            case .object:
                self = .object(
                    TrackedObject(
                        identifier: identifier, rect: rect, saliencyRank: saliencyRank, attributes: attributes,
                        distance: distance))
            }
        }

        /// Person or object.
        public var kind: SubjectKind {
            switch self {
            case .person: .person
            case .object: .object
            }
        }

        /// Its number, which is never reused for another subject in this run.
        public var identifier: Int {
            switch self {
            case .person(let person): person.identifier
            case .object(let object): object.identifier
            }
        }

        /// Its rectangle, normalised, with the origin at the top left.
        public var rect: Rect {
            switch self {
            case .person(let person): person.rect
            case .object(let object): object.rect
            }
        }

        /// Its rank by salience, where 1 is the most important, or nil if not ranked.
        public var saliencyRank: Int? {
            switch self {
            case .person(let person): person.saliencyRank
            case .object(let object): object.saliencyRank
            }
        }

        /// Its known attributes, such as its distance.
        public var attributes: FaceAttributes {
            switch self {
            case .person(let person): person.attributes
            case .object(let object): object.attributes
            }
        }

        /// How far it is, with its error and what it was found with, or nil if unknown.
        public var distance: SubjectDistance? {
            switch self {
            case .person(let person): person.distance
            case .object(let object): object.distance
            }
        }

        /// Confidence that the person speaks, 0...1, or nil if not computed.
        public var speakingConfidence: Double? { attributes.speaking }
        /// Confidence that the person looks into the camera, 0...1, or nil if not computed.
        public var lookingAtCameraConfidence: Double? { attributes.looking }
    }

    /// The earlier name of `TrackedSubjectType`.
    @available(*, deprecated, renamed: "TrackedSubjectType")
    public typealias TrackedSubject = TrackedSubjectType
}
