/// How far apart two words are spelled.
enum Spelling {
    /// How many letters must be typed, struck or swapped to make one word of the other, upper and
    /// lower case alike; nil where they are too far apart to be taken for each other.
    ///
    /// A word that begins with the other, `FeedService` with `Feed`, is near too.
    static func distance(_ one: String, _ other: String) -> Int? {
        let one = Array(one.lowercased().utf8)
        let other = Array(other.lowercased().utf8)
        let (shorter, longer) = one.count < other.count ? (one, other) : (other, one)
        if shorter.count >= 4, longer.starts(with: shorter) {
            return min(longer.count - shorter.count, 3)
        }
        let limit = max(1, longer.count / 4)
        guard longer.count - shorter.count <= limit, shorter.count > 1 else { return nil }
        let distance = transformations(shorter, longer)
        return distance <= limit ? distance : nil
    }

    private static func transformations(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var best = previous[column] + (isSame ? 0 : 1)
                best = min(best, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1],
                    one[row - 1] == other[column]
                {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[other.count]
    }
}
