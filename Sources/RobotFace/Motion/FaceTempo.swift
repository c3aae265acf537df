/// The speed at which a face changes at a time, which determines how exactly and how often it must be drawn.
public enum FaceTempo: Sendable, Comparable {
    /// Only the breathing moves.
    case breathing
    /// Something moves that the viewer's eye can follow.
    case moving
    /// A blink, a saccade or a change of mood, which is over before a viewer notices the frames in between.
    case darting
}

extension FaceState {
    /// Returns the largest distance, in units, that any point of the face has moved since another frame. It is infinite
    /// if something else is shown.
    func shift(since old: FaceState) -> Float {
        guard style == old.style, expression == old.expression, mark == old.mark, markSide == old.markSide,
            left.glyph == old.left.glyph, right.glyph == old.right.glyph, colour == old.colour, accent == old.accent
        else { return .infinity }
        let size = style.size
        let eyes = max(
            left.shift(since: old.left, width: size.width, height: size.height),
            right.shift(since: old.right, width: size.width, height: size.height))
        let change = abs(face.values - old.face.values)
        func moved(_ parameter: FaceParameter, _ weight: Float) -> Float { change[parameter.rawValue] * weight }
        // A corner of the canvas is 2.3 units from the centre of the face's roll.
        let whole =
            moved(.gap, 0.5) + moved(.roll, 2.3 * .pi / 180) + moved(.x, 1) + moved(.y, 1)
            + moved(.gazeX, 0.55 * size.width) + moved(.gazeY, 0.4 * size.height)
        let mark =
            moved(.markX, 1) + moved(.markY, 1) + moved(.markScale, 0.4) + moved(.markOpacity, 0.2)
            + moved(.markReveal, 1) + moved(.blush, 0.2)
        return whole + eyes + mark
    }

    private func abs(_ values: SIMD16<Float>) -> SIMD16<Float> { values.replacing(with: -values, where: values .< 0) }
}

extension EyePose {
    fileprivate func shift(since old: EyePose, width: Float, height: Float) -> Float {
        let difference = values - old.values
        let change = difference.replacing(with: -difference, where: difference .< 0)
        func moved(_ parameter: EyeParameter, _ weight: Float) -> Float { change[parameter.rawValue] * weight }
        let box =
            moved(.width, width / 2) + moved(.height, height / 2) + moved(.x, width) + moved(.y, height)
            + moved(.lid, height) + moved(.upperCorner, 0.2) + moved(.lowerCorner, 0.2) + moved(.morph, 0.5)
        let lids =
            moved(.upperLid, height) + moved(.lowerLid, height) + moved(.upperBend, 0.3) + moved(.lowerBend, 0.3)
            + (moved(.upperSlope, width / 2) + moved(.lowerSlope, width / 2)) * (.pi / 180)
        let inside =
            moved(.pupil, 0.5) + moved(.pupilAspect, 0.5) + moved(.pupilX, width / 2) + moved(.pupilY, height / 2)
            + moved(.catchLight, 0.5)
        let brow =
            moved(.brow, 0.5) + moved(.browHeight, 1) + moved(.browBend, 0.2) + moved(.browSlope, 0.5 * .pi / 180)
        // Brightness moves no point, but a change of a tenth is as visible as a tenth of a cell.
        return box + lids + inside + brow + moved(.brightness, 0.3) + moved(.glow, 0.1)
    }
}
