/// A living face in the terminal of this process, in one call.
///
/// ```swift
/// let face = try LiveFace()
/// face.show("happy")
/// face.look(right: 0.3, up: 0.1)
/// await face.finished()
/// ```
///
/// It blinks and moves its eyes by itself until `close()`. If a person presses q or Esc, `finished()` ends the face and
/// returns, so a program should await it. The terminal is then restored, and also if the program is killed.
public final class LiveFace: Sendable {
    private let screen: FaceScreen
    private let ends: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    /// Takes over the terminal and shows an expression.
    /// - Parameters:
    ///   - expression: the first expression.
    ///   - options: the terminal and the look of the face.
    ///   - onKey: receives every other key that is pressed, on the face's thread. It must return quickly.
    /// - Throws: `TerminalError` if the process has no terminal.
    public init(
        _ expression: Expression = .normal, options: TerminalOptions = TerminalOptions(),
        onKey: @escaping @Sendable (Key) -> Void = { _ in }
    ) throws(TerminalError) {
        var options = options
        options.expression = expression
        let (ends, ending) = AsyncStream<Void>.makeStream()
        (self.ends, self.ending) = (ends, ending)
        screen = try FaceScreen(
            options: options,
            onInput: { event in
                guard case .key(let key, _, .press) = event else { return }
                if key == .escape || key == .character("q") { ending.finish() } else { onKey(key) }
            }, onEnd: { _ in ending.finish() })
        screen.start()
    }

    deinit {
        screen.stop()
        ending.finish()
    }

    /// The expression that is shown.
    public var expression: Expression { screen.expression }

    /// Changes to another expression.
    public func show(_ expression: Expression) { screen.update(FaceChange(expression: expression)) }

    /// Changes to the expression with this name, number ("1"..."21") or synonym.
    /// - Returns: false if there is none, and nothing changes.
    @discardableResult
    public func show(_ name: String) -> Bool {
        guard let expression = Expression(named: name) else { return false }
        show(expression)
        return true
    }

    /// Looks at a person.
    /// - Parameters:
    ///   - right: the direction, in radians from straight ahead, positive to the robot's right. The eyes turn as far as
    ///     they can; a direction that is not finite is straight ahead.
    ///   - up: the elevation, in radians, positive upward.
    ///   - width: the angular width of the person's face, in radians, which shows how near they are, or nil if unknown.
    public func look(right: Double, up: Double, width: Double? = nil) {
        screen.update(FaceChange(gaze: .at(GazeTarget(bearing: right, elevation: up, faceWidth: width))))
    }

    /// Looks around, because no person is present.
    public func lookAround() { screen.update(FaceChange(gaze: .noPerson)) }

    /// Shows a text in the row below the face, cut to its width; an empty one removes it.
    public func caption(_ text: String) { screen.update(FaceChange(statusLine: text)) }

    /// Waits until a person ends the face, the terminal is closed, or `close()` is called. The terminal is restored when
    /// it returns.
    public func finished() async {
        for await _ in ends {}
        screen.stop()
    }

    /// Ends the face and restores the terminal. It returns when that is done, and may be called twice.
    public func close() {
        screen.stop()
        ending.finish()
    }
}
