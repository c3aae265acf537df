/// A value that a closure reads and a test changes.
final class Box<Value>: @unchecked Sendable {
    // Unchecked: used by one thread, or set before another begins.
    var value: Value
    init(_ value: Value) { self.value = value }
}
