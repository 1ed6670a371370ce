package io.weir.proxy.context;

import io.weir.http.DecoderLimits;
import io.weir.kernel.connection.Pressure;
import io.weir.kernel.settings.KernelConfig;
import io.weir.proxy.program.config.ProxyConfig;
import java.time.Duration;

/**
 * The knobs that the engine reads for each request, converted to plain numbers once at each change. Immutable.
 *
 * @param headerNanos a request's head from first to last byte
 * @param clientBodyNanos pause within a request's body
 * @param clientBodyRate minimum bytes a second of a request's body, 0 for no bound
 * @param lingerNanos how long input is discarded after an answer that closes
 * @param writeNanos how long a client may read nothing of an answer
 * @param writeRate minimum bytes a second at which a client must read an answer, 0 for no bound
 * @param times time-outs for origins
 * @param afterAbortNanos how long a fetch continues without readers
 * @param functionNanos how long a function of a route may take
 * @param tunnelNanos silence in a tunnel
 * @param readAhead bytes of further requests or of a body that are buffered
 * @param pipelining requests that are read while an earlier one is answered
 * @param drainBytes rest of a request that is read and discarded so that the connection can be kept
 * @param retries resends after a dead reused connection
 * @param maxBody largest request body, 0 for no bound
 * @param resendBytes of a request's body that are kept until its connection is known not to be dead
 * @param tunnels open at a time
 */
public record EngineSettings(
        long headerNanos,
        long clientBodyNanos,
        long clientBodyRate,
        long lingerNanos,
        long writeNanos,
        long writeRate,
        OriginTimes times,
        long afterAbortNanos,
        long functionNanos,
        long tunnelNanos,
        int readAhead,
        int pipelining,
        long drainBytes,
        int retries,
        long maxBody,
        long resendBytes,
        int tunnels,
        DecoderLimits requestLimits,
        DecoderLimits responseLimits) {
    /** The Sun proxy's CloseTimeout. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final int CHUNK_LINE = 256;
    private static final int CHUNK_EXTENSIONS = 16_384;
    private static final int METHOD = 32;
    private static final int TRAILER_FIELDS = 32;
    private static final int TRAILER_BYTES = 8192;

    static EngineSettings of(KernelConfig kernel, ProxyConfig proxy) {
        var times = proxy.timeOuts();
        var limits = proxy.limits();
        return new EngineSettings(
                kernel.timeOuts().header().toNanos(),
                kernel.timeOuts().body().toNanos(),
                kernel.timeOuts().bodyRate().bytes(),
                LINGER.toNanos(),
                kernel.timeOuts().write().toNanos(),
                kernel.timeOuts().writeRate().bytes(),
                new OriginTimes(
                        times.connect().toNanos(),
                        times.dns()
                                .plus(times.connect())
                                .plus(times.tlsHandshake())
                                .toNanos(),
                        times.responseHeader().toNanos(),
                        times.bodyIdle().toNanos()),
                times.afterClientAbort().toNanos(),
                times.function().toNanos(),
                times.tunnelIdle().toNanos(),
                kernel.readAhead().asInt(),
                kernel.pipeliningDepth(),
                proxy.drainAfterError().bytes(),
                proxy.retries(),
                limits.requestBody().bytes(),
                limits.resendBody().bytes(),
                limits.tunnels(),
                decoder(limits.requestLine().asInt(), limits.requestHead().asInt(), limits.requestHeaders()),
                decoder(limits.responseHead().asInt(), limits.responseHead().asInt(), limits.responseHeaders()));
    }

    /** The same for clients under pressure on a resource. */
    EngineSettings under(Pressure pressure) {
        return new EngineSettings(
                pressure.time(headerNanos),
                pressure.time(clientBodyNanos),
                pressure.rate(clientBodyRate),
                lingerNanos,
                pressure.time(writeNanos),
                pressure.rate(writeRate),
                times,
                afterAbortNanos,
                functionNanos,
                tunnelNanos,
                readAhead,
                pipelining,
                drainBytes,
                retries,
                maxBody,
                resendBytes,
                tunnels,
                requestLimits,
                responseLimits);
    }

    private static DecoderLimits decoder(int line, int head, int fields) {
        return new DecoderLimits(
                line, METHOD, head, fields, CHUNK_LINE, CHUNK_EXTENSIONS, TRAILER_BYTES, TRAILER_FIELDS);
    }
}
