package io.weir.proxy.cache.fill;

/**
 * Why a fetch failed.
 *
 * @param status what a client gets that has had no head yet: 502, 503 or 504
 * @param detail for the log and the error page: what happened
 * @param code the fault's name where the fetch had one, else empty: by it each reader's failure is counted
 */
public record FillFailure(int status, String detail, String code) {
    public static final FillFailure CUT = new FillFailure(503, "reader held up others of a large object for too long");
    static final FillFailure RESIGNED = new FillFailure(503, "the request that was to fetch it went away");
    static final FillFailure TRUNCATED = new FillFailure(502, "body is not as long as its Content-Length");

    /** One without a name. */
    public FillFailure(int status, String detail) {
        this(status, detail, "");
    }
}
