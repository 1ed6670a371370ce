package io.weir.proxy.accesslog;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record read from an access log, with the values that its format has. Immutable.
 *
 * @param millis when it was written, epoch milliseconds; -1 if the format has no time
 * @param client the client's address; empty if unknown
 * @param url host, if the format has it, and target; empty if unknown or the head was malformed
 * @param status 0 if none was sent or unknown
 * @param micros from the request's first byte to the answer's last, microseconds; -1 if unknown
 * @param bytes of content sent to the client; 0 if unknown
 */
public record ReadRecord(long millis, String client, String url, int status, long micros, long bytes) {
    static ReadRecord of(long millis, Function<String, @Nullable String> token) {
        return new ReadRecord(
                millis,
                text(token.apply(LogVariable.CLIENT_IP.token())),
                url(token),
                (int) number(token.apply(LogVariable.STATUS.token()), 0),
                micros(token),
                number(token.apply(LogVariable.CONTENT_LENGTH.token()), 0));
    }

    private static String url(Function<String, @Nullable String> token) {
        String target = text(token.apply(LogVariable.TARGET.token()));
        if (target.isEmpty()) {
            String line = text(token.apply(LogVariable.REQUEST_LINE.token()));
            int from = line.indexOf(' ') + 1;
            int to = line.lastIndexOf(' ');
            target = from > 0 && to > from ? line.substring(from, to) : line;
        }
        if (target.isEmpty()) {
            String query = text(token.apply(LogVariable.QUERY.token()));
            target = text(token.apply(LogVariable.URI.token())) + (query.isEmpty() ? "" : "?" + query);
        }
        return target.startsWith("/") ? text(token.apply("Req->headers.host")) + target : target;
    }

    private static long micros(Function<String, @Nullable String> token) {
        long micros = number(token.apply(LogVariable.DURATION.token()), -1);
        if (micros < 0) {
            long millis = number(token.apply(LogVariable.XFER_TIME_TOTAL.token()), -1);
            micros = millis < 0 ? -1 : millis * 1000;
        }
        if (micros < 0) {
            long seconds = number(token.apply(LogVariable.XFER_TIME.token()), -1);
            micros = seconds < 0 ? -1 : seconds * 1_000_000;
        }
        return micros;
    }

    private static String text(@Nullable String value) {
        return value == null || value.equals("-") ? "" : value;
    }

    private static long number(@Nullable String value, long otherwise) {
        if (value == null || value.isEmpty() || value.length() > 18) {
            return otherwise;
        }
        long n = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return otherwise;
            }
            n = n * 10 + (c - '0');
        }
        return n;
    }
}
