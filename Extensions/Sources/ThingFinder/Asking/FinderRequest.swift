public import Geometry

/// A question to a verifier: is this the thing?
public struct FinderRequest: Sendable, Equatable {
    /// Its number, which is never used again.
    public let id: Int
    /// The thing that it is about.
    let thing: Int
    /// When the picture was taken, CLOCK_MONOTONIC, and its number if it has one. The answer repeats the time.
    public let picture: Seconds, sequence: Int?
    /// Where the thing is in that picture, normalised.
    public let rect: Rect
    /// The direction of the thing, in radians.
    public let bearing: PanTilt
    /// When it was asked, and until when it waits, CLOCK_MONOTONIC.
    public let asked: Seconds, deadline: Seconds
}

/// How a request ended.
public enum VerifierAnswer: Sendable, Equatable {
    /// The verifier has judged the picture of this time, with a confidence of 0...1.
    case verdict(request: Int, picture: Seconds, VerifierWord, confidence: Double)
    /// The verifier could not be asked, or its answer could not be read. `retryAfter`: how long it wants to be left
    /// alone, in seconds, or nil if it does not say.
    case failure(request: Int, String, retryAfter: Seconds?)

    /// The number of the request.
    var request: Int {
        switch self {
        case .verdict(let request, _, _, _), .failure(let request, _, _): request
        }
    }
}
