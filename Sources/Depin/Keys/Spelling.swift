/// A word, for telling how far others are spelled from it.
struct Spelling: Sendable {
    /// Upper and lower case are alike.
    private let letters: [UInt8]
    /// The letters that occur, a bit for each, or for two that are rare.
    private let alphabet: UInt64

    init(_ word: String) {
        letters = Array(word.lowercased().utf8)
        alphabet = letters.reduce(0) { $0 | 1 << UInt64($1 % 64) }
    }

    /// How many letters must be typed, struck or swapped to make one word of the other; nil where they
    /// are too far apart to be taken for each other.
    ///
    /// A word that begins with the other, `FeedService` with `Feed`, is near too.
    func distance(to other: Spelling) -> Int? {
        let isShorter = letters.count < other.letters.count
        let shorter = isShorter ? letters : other.letters
        let longer = isShorter ? other.letters : letters
        if shorter.count >= 4, longer.starts(with: shorter) {
            return min(longer.count - shorter.count, 3)
        }
        let limit = max(1, longer.count / 4)
        guard longer.count - shorter.count <= limit, shorter.count > 1,
            // Each letter that only one of them has must be typed or struck.
            (alphabet & ~other.alphabet).nonzeroBitCount <= limit,
            (other.alphabet & ~alphabet).nonzeroBitCount <= limit
        else { return nil }
        return Self.transformations(shorter, longer, limit: limit)
    }

    private static func transformations(_ one: [UInt8], _ other: [UInt8], limit: Int) -> Int? {
        var beforePrevious = Array(0...other.count)
        var previous = beforePrevious
        var current = beforePrevious
        var leastOfPrevious = 0
        for row in one.indices {
            current[0] = row + 1
            var least = row + 1
            for column in other.indices {
                let isSame = one[row] == other[column]
                var best = previous[column] + (isSame ? 0 : 1)
                best = min(best, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1],
                    one[row - 1] == other[column]
                {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current[column + 1] = best
                least = min(least, best)
            }
            // Nothing gets nearer again; a swap reaches back by two rows.
            if least > limit, leastOfPrevious >= limit { return nil }
            leastOfPrevious = least
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        let distance = previous[other.count]
        return distance <= limit ? distance : nil
    }
}
