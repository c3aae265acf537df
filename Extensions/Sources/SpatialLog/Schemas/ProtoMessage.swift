/// The description of a Protobuf message, as readers need it to decode one.
struct ProtoMessage: Sendable {
    /// The type of a field.
    enum Kind: Sendable, Equatable {
        case double, int64, int32, fixed32, flag, text, data
        /// Another message, by its full name.
        case message(String)
        /// One of the message's own words.
        case choice

        /// The type's number in a descriptor.
        var number: Int {
            switch self {
            case .double: 1
            case .int64: 3
            case .int32: 5
            case .fixed32: 7
            case .flag: 8
            case .text: 9
            case .message: 11
            case .data: 12
            case .choice: 14
            }
        }
    }

    /// A field.
    struct Field: Sendable, Equatable {
        var number: Int
        var name: String
        var kind: Kind
        var isList = false

        init(_ number: Int, _ name: String, _ kind: Kind, isList: Bool = false) {
            (self.number, self.name, self.kind, self.isList) = (number, name, kind, isList)
        }
    }

    /// The full name, such as `foxglove.Pose`.
    var name: String
    var fields: [Field]
    /// The words of its enumeration `Type`, counted from 0.
    var choices: [String] = []

    /// The name without its package, and the package.
    private var parts: (package: String, name: String) {
        let place = name.lastIndex(of: ".") ?? name.startIndex
        return (String(name[..<place]), String(name[name.index(after: place)...]))
    }

    /// The name of the file that describes it.
    private var file: String {
        name.hasPrefix("google.protobuf.")
            ? "google/protobuf/\(parts.name.lowercased()).proto" : "foxglove/\(parts.name).proto"
    }

    /// The names of the messages that it contains, each once.
    private var needs: [String] {
        var names: [String] = []
        for case .message(let name) in fields.map(\.kind) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns the descriptors of a message and of all that it contains, as an encoded FileDescriptorSet. What a file
    /// needs is before it.
    static func descriptors(of name: String, in all: [ProtoMessage]) -> [UInt8] {
        var set = ProtoBytes(), done: Set<String> = []
        func add(_ name: String) {
            guard done.insert(name).inserted, let message = all.first(where: { $0.name == name }) else { return }
            for need in message.needs { add(need) }
            set.put(1, message.descriptor(all))
        }
        add(name)
        return set.bytes
    }

    private func descriptor(_ all: [ProtoMessage]) -> ProtoBytes {
        var result = ProtoBytes(), message = ProtoBytes()
        result.put(1, file)
        result.put(2, parts.package)
        for need in needs { if let other = all.first(where: { $0.name == need }) { result.put(3, other.file) } }
        message.put(1, parts.name)
        for field in fields { message.put(2, descriptor(field)) }
        if !choices.isEmpty {
            var type = ProtoBytes()
            type.put(1, "Type")
            for (number, word) in choices.enumerated() {
                var value = ProtoBytes()
                value.put(1, word)
                value.put(2, number)
                type.put(2, value)
            }
            message.put(4, type)
        }
        result.put(4, message)
        result.put(12, "proto3")
        return result
    }

    private func descriptor(_ field: Field) -> ProtoBytes {
        var result = ProtoBytes()
        result.put(1, field.name)
        result.put(3, field.number)
        result.put(4, field.isList ? 3 : 1)
        result.put(5, field.kind.number)
        switch field.kind {
        case .message(let other): result.put(6, "." + other)
        case .choice: result.put(6, ".\(name).Type")
        default: break
        }
        return result
    }
}
