import Hummingbird
import NIOCore

extension ResponseBody {
    /// This body, and something to be done after its last byte, or when it cannot be sent.
    package func ending(_ end: @escaping @Sendable () async -> Void) -> ResponseBody {
        let body = self
        return ResponseBody(contentLength: contentLength) { writer in
            do {
                try await body.write(writer)
            } catch {
                await end()
                throw error
            }
            await end()
        }
    }

    /// A body of lines that are made while they are sent.
    package init(lines: AsyncThrowingStream<String, any Error>) {
        self.init(asyncSequence: lines.map { ByteBuffer(string: $0) })
    }
}
