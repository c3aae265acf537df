/// A value that the API sends as an object. Its rows are its form, its encoder and its decoder at once.
public protocol Record: Sendable {
    /// Creates a value in which nothing is known yet; `init(json:)` fills it in.
    init()
    /// The members.
    static var rows: [RecordRow<Self>] { get }
}

/// A member of a record.
public struct RecordRow<Subject>: Sendable {
    /// Its name and form.
    public let field: Field
    /// Returns its value as JSON.
    public let get: @Sendable (Subject) -> JSONValue
    /// Sets it from JSON of its form.
    public let set: @Sendable (inout Subject, JSONValue) -> Void

    /// Creates the row of a required member.
    public init(
        _ name: String, _ shape: Shape, get: @escaping @Sendable (Subject) -> JSONValue,
        set: @escaping @Sendable (inout Subject, JSONValue) -> Void
    ) {
        field = .required(name, shape)
        self.get = get
        self.set = set
    }
}

extension Record {
    /// Its form.
    public static var shape: Shape { .object(rows.map(\.field)) }

    /// The value as JSON.
    public var json: JSONValue {
        .object(Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.field.name, $0.get(self)) }))
    }

    /// Reads the value. The result is nil if a member is missing or has another form.
    ///
    /// The daemon may be newer or older than the reader: unknown members are ignored, unknown words are kept, and a
    /// missing member that may be null counts as null.
    public init?(json: JSONValue) {
        guard let members = json.object else { return nil }
        self.init()
        for row in Self.rows {
            guard let value = members[row.field.name] else {
                guard row.field.shape.allowsNull else { return nil }
                continue
            }
            guard row.field.shape.reads(value) else { return nil }
            row.set(&self, value)
        }
    }
}
