internal import DockControl

/// A page of metrics in text form: each family has one help text and one kind, followed by its samples.
struct MetricsPage {
    private(set) var text = ""
    /// The labels on every sample, which distinguish this daemon from others.
    private let labels: [(String, String)]

    init(labels: [(String, String)]) { self.labels = labels }

    mutating func gauge(_ name: String, _ help: String, _ fill: (inout Samples) -> Void) {
        add(name, help, "gauge", fill)
    }

    /// Adds a counter, whose name ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ fill: (inout Samples) -> Void) {
        add(name, help, "counter", fill)
    }

    mutating func histogram(_ name: String, _ help: String, _ fill: (inout Samples) -> Void) {
        add(name, help, "histogram", fill)
    }

    /// Adds a family. A family without samples is omitted.
    private mutating func add(_ name: String, _ help: String, _ kind: String, _ fill: (inout Samples) -> Void) {
        var samples = Samples(name: name, common: labels)
        fill(&samples)
        guard !samples.text.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n" + samples.text
    }

    /// Adds metrics with the names that are customary for all programs.
    mutating func add(_ process: ProcessFigures) {
        counter("process_cpu_seconds_total", "Processor time, user and system.") { $0.put(process.processorTime) }
        gauge("process_resident_memory_bytes", "Resident memory in bytes.") { $0.put(process.residentMemory) }
        gauge("process_open_fds", "Open descriptors.") { $0.put(process.openDescriptors) }
        gauge("process_max_fds", "Limit of open descriptors.") { $0.put(process.mostDescriptors) }
        gauge("process_threads", "Threads.") { $0.put(process.threads) }
    }

    /// The samples of one family.
    struct Samples {
        let name: String
        fileprivate(set) var text = ""

        private let common: [(String, String)]

        fileprivate init(name: String, common: [(String, String)]) { (self.name, self.common) = (name, common) }

        mutating func put(_ value: Int, _ labels: [(String, String)] = []) { put("", labels, String(value)) }

        mutating func put(_ value: Double, _ labels: [(String, String)] = []) { put("", labels, Self.words(value)) }

        /// Adds a histogram, which is omitted if it has no values.
        mutating func put(_ spread: StageFigures.Spread, _ labels: [(String, String)] = []) {
            guard spread.count > 0 else { return }
            for (lane, bound) in LatencyHistogram.bounds.enumerated() {
                put("_bucket", labels + [("le", Self.words(bound))], String(spread.counts[lane]))
            }
            put("_bucket", labels + [("le", "+Inf")], String(spread.count))
            put("_sum", labels, Self.words(spread.sum))
            put("_count", labels, String(spread.count))
        }

        private mutating func put(_ suffix: String, _ labels: [(String, String)], _ value: String) {
            let words = (common + labels).map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
            text += "\(name)\(suffix)\(words.isEmpty ? "" : "{\(words)}") \(value)\n"
        }

        private static func words(_ value: Double) -> String {
            if value.isNaN { return "NaN" }
            return value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
        }

        /// Escapes backslash, quote and line end with a backslash. Nothing else is special.
        private static func escaped(_ text: String) -> String {
            var escaped = ""
            for letter in text.unicodeScalars {
                switch letter {
                case "\\": escaped += "\\\\"
                case "\"": escaped += "\\\""
                case "\n": escaped += "\\n"
                default: escaped.unicodeScalars.append(letter)
                }
            }
            return escaped
        }
    }
}
