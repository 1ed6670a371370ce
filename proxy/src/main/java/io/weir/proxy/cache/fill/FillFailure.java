package io.weir.proxy.cache.fill;

/**
 * Why a fetch failed.
 *
 * @param status the status for a client that has not received a head yet: 502, 503 or 504
 * @param detail for the log and the error page: what happened
 * @param code the fault's name if the fetch had one, else empty: each reader's failure is counted under it
 */
public record FillFailure(int status, String detail, String code) {
    public static final FillFailure CUT =
            new FillFailure(503, "reader delayed other readers of a large object for too long");
    static final FillFailure RESIGNED = new FillFailure(503, "the request that was to fetch it was cancelled");
    public static final FillFailure UNREADABLE =
            new FillFailure(503, "the disk cannot read what was written of the body");
    static final FillFailure TRUNCATED = new FillFailure(502, "body is not as long as its Content-Length");

    /** A failure without a name. */
    public FillFailure(int status, String detail) {
        this(status, detail, "");
    }
}
