import Benchmark
import Operations

// The ratio is measured within one sample, so it holds however the machine's speed changes between two.

// In thousandths and in picoseconds, since the framework knows whole numbers only.
private let ratio = BenchmarkMetric.custom("ratio", useScalingFactor: false)
private let picoseconds = BenchmarkMetric.custom("operation", useScalingFactor: false)
private let floorPicoseconds = BenchmarkMetric.custom("floor", useScalingFactor: false)

let benchmarks: @Sendable () -> Void = {
    for row in Row.all {
        let configuration = Benchmark.Configuration(
            metrics: [ratio, picoseconds, floorPicoseconds],
            units: [ratio: .count, picoseconds: .count, floorPicoseconds: .count],
            warmupIterations: 5,
            maxDuration: .seconds(2),
            maxIterations: 500
        )
        Benchmark(row.id, configuration: configuration) { benchmark in
            guard let sample = row.sample() else { return }
            benchmark.measurement(ratio, Int(sample.ratio * 1000))
            benchmark.measurement(picoseconds, Int(sample.nanoseconds * 1000))
            benchmark.measurement(floorPicoseconds, Int(sample.floorNanoseconds * 1000))
        }
    }
}
