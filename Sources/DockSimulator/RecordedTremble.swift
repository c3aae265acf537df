/// How a real detector's rectangle trembles around a face, and how sure the detector is of it, frame by frame.
///
/// Measured in `Examples/faces/man-turning-head.jsonl` (12 frames a second): the deviation from the mean of nine frames.
enum RecordedTremble {
    /// One frame.
    struct Look {
        /// Deviation of the centre, in widths and heights of the face.
        var dx: Double, dy: Double
        /// Width, relative to the mean.
        var scale: Double
        /// The detector's confidence, 0...1.
        var score: Double
    }

    /// Returns a frame of the recording, which is played forward, then backward, and so on.
    static func look(_ step: Int) -> Look {
        let period = 2 * rows.count - 2, place = step % period
        let row = rows[place < rows.count ? place : period - place]
        return Look(
            dx: Double(row.0) / 1000, dy: Double(row.1) / 1000, scale: Double(row.2) / 1000, score: Double(row.3) / 1000
        )
    }

    /// Thousandths.
    private static let rows: [(Int, Int, Int, Int)] = [
        (-3, 2, 996, 950), (-1, 0, 996, 956), (0, -2, 1000, 960), (1, -1, 1002, 960), (3, 0, 999, 960),
        (4, 0, 996, 959), (6, 2, 1000, 959), (2, 0, 1000, 951), (1, 3, 1005, 938), (-5, 1, 999, 905),
        (-5, 0, 1003, 884), (-6, -3, 992, 878), (-3, -4, 995, 890), (-4, -1, 995, 889), (-1, -1, 1000, 906),
        (-1, 0, 1005, 923), (3, 2, 1000, 936), (2, 3, 1006, 943), (2, 1, 998, 947), (2, 0, 1005, 949),
        (0, 0, 1004, 952), (0, 0, 1006, 951), (0, 0, 1003, 950), (0, -1, 1000, 950), (0, -2, 1010, 954),
        (0, -1, 1003, 956), (0, 1, 1004, 956), (1, 0, 1006, 958), (-1, 3, 1011, 961), (-2, -3, 1021, 960),
        (-3, -1, 1022, 965), (-1, 1, 1017, 968), (2, 2, 1020, 970), (1, 2, 1019, 970), (2, -1, 1020, 970),
        (3, -2, 1021, 970), (0, -4, 1018, 969), (1, 2, 1018, 967), (1, 2, 996, 968), (2, 3, 998, 968),
        (1, 3, 990, 973), (-4, 0, 977, 975), (-2, -1, 976, 972), (-1, -1, 981, 973), (0, -1, 984, 972),
        (0, 0, 978, 974), (1, -1, 978, 973), (2, 1, 983, 972), (1, 0, 982, 973), (1, 0, 985, 972), (2, 1, 990, 971),
        (2, -1, 991, 970), (2, -1, 984, 969), (1, 0, 990, 967), (-1, 3, 991, 967), (-2, -1, 992, 963),
        (0, 0, 1000, 961), (0, -5, 996, 953), (-1, -4, 1007, 952), (0, 2, 1009, 955), (-5, 6, 1015, 952),
        (-4, 5, 1011, 956),
    ]
}
