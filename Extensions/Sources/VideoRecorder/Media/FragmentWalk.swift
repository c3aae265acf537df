/// Walks over the boxes of a file of fragments, and says up to where it is whole. Pure; it sees only headers, so that a
/// file need not be read.
///
/// The bytes may be from anywhere. Every box is at least 8 bytes long, so a walk over n bytes has at most n / 8 steps.
public struct FragmentWalk: Sendable, Equatable {
    /// What a whole box has completed.
    public enum Piece: Sendable, Equatable {
        /// The beginning of the file: its kind and its tracks, without pictures.
        case head
        /// A fragment: its index and its pictures. A file that is cut behind it plays to its end.
        case fragment
        /// Something else, such as the table of fragments at the end.
        case other
    }

    /// What is wrong.
    public enum Problem: String, Sendable, Equatable, Error {
        /// No box can begin like this.
        case noBox = "it is not an MP4 file"
        /// A box is larger than `largest`.
        case tooLarge = "a part of it is too large"
        /// Boxes are in an order that no player accepts.
        case disorder = "its parts are not in order"
    }

    /// The largest box, in bytes (64 MiB). A second of pictures is a hundredth of that.
    public static let largest = 64 << 20

    /// Where the next box begins, in bytes.
    public private(set) var position = 0
    /// Behind the last whole piece, in bytes.
    public private(set) var end = 0
    /// The number of whole fragments.
    public private(set) var fragments = 0
    /// Whether the beginning of the file is whole.
    public private(set) var hasHead = false
    private var hasKind = false
    private var isInFragment = false

    /// Creates a walk at the beginning of a file.
    public init() {}

    /// Passes a box that is there as a whole. The result is the piece that it completes, or nil.
    /// - Throws: what is wrong; then the walk has not moved.
    mutating func pass(_ box: BoxHeader) throws(Problem) -> Piece? {
        try check(box)
        position += box.size
        guard hasHead else {
            hasKind = true
            guard box.kind == BoxKind.movie else { return nil }
            hasHead = true
            return complete(.head)
        }
        switch box.kind {
        case BoxKind.fragment:
            isInFragment = true
            return nil
        case BoxKind.data:
            isInFragment = false
            fragments += 1
            return complete(.fragment)
        default: return complete(.other)
        }
    }

    /// Judges a box that follows, before all of it is there.
    func check(_ box: BoxHeader) throws(Problem) {
        guard box.size <= Self.largest else { throw .tooLarge }
        let isFitting =
            if !hasKind {
                box.kind == BoxKind.fileType
            } else if !hasHead {
                box.kind != BoxKind.fragment && box.kind != BoxKind.data
            } else if isInFragment {
                box.kind == BoxKind.data
            } else {
                box.kind != BoxKind.data && box.kind != BoxKind.movie && box.kind != BoxKind.fileType
            }
        guard isFitting else { throw .disorder }
    }

    private mutating func complete(_ piece: Piece) -> Piece {
        end = position
        return piece
    }
}

/// Finds whole pieces in bytes that arrive bit by bit. It keeps at most one box.
public struct FragmentStream: Sendable {
    /// A whole piece of the file.
    public struct Whole: Sendable, Equatable {
        /// What it is.
        public var piece: FragmentWalk.Piece
        /// Its bytes.
        public var bytes: [UInt8]
    }

    /// The walk over the bytes so far.
    public private(set) var walk = FragmentWalk()
    private var bytes: [UInt8] = []
    /// The place in the file of the first of `bytes`.
    private var base = 0

    /// Creates a stream at the beginning of a file.
    public init() {}

    /// Takes bytes, and returns the pieces that are whole now.
    /// - Throws: what is wrong with the bytes. Take no more of them then.
    public mutating func feed(_ new: UnsafeRawBufferPointer) throws(FragmentWalk.Problem) -> [Whole] {
        bytes.append(contentsOf: new)
        var pieces: [Whole] = []
        while let box = try header(), box.size <= bytes.count - (walk.position - base) {
            let begin = walk.end - base
            guard let piece = try walk.pass(box) else { continue }
            pieces.append(Whole(piece: piece, bytes: Array(bytes[begin..<(walk.end - base)])))
        }
        let done = walk.end - base
        if done > 0 {
            bytes.removeFirst(done)
            base = walk.end
        }
        return pieces
    }

    private func header() throws(FragmentWalk.Problem) -> BoxHeader? {
        let reading = bytes.withUnsafeBytes { BoxHeader.read($0, at: walk.position - base) }
        switch reading {
        case .tooShort: return nil
        case .invalid: throw .noBox
        case .header(let box):
            try walk.check(box)
            return box
        }
    }
}
