package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loads by {@code openssl s_time -new}: a connection, a full TLS 1.3 handshake, an answer and a close, one after the
 * other. wrk cannot be used, because it resumes sessions. Stateless.
 */
final class Handshakes {
    /**
     * Concurrent clients: each waits for 40 ms in every connection, because it writes twice without an answer in
     * between.
     */
    static final int CLIENTS = 96;

    private static final Pattern TOTAL =
            Pattern.compile("(\\d+) connections in (\\d+) real seconds, (\\d+) bytes read per connection");

    private Handshakes() {}

    /** The command line of one client. */
    static List<String> command(String taskset, String openssl, int core, int seconds, String url) {
        int path = url.indexOf('/', "https://".length());
        String address = url.substring("https://".length(), path);
        return List.of(
                taskset,
                "-c",
                String.valueOf(core),
                openssl,
                "s_time",
                "-new",
                "-tls1_3",
                "-time",
                String.valueOf(seconds),
                "-connect",
                address,
                "-www",
                // what openssl appends to the path, " HTTP/1.0", becomes a field: openssl sends no Host, which caches
                // need
                url.substring(path) + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\nX-Rest:");
    }

    /**
     * The sum of all clients' counts.
     *
     * @param least minimum bytes of each answer; fewer mean a different answer
     */
    static Counts parse(List<String> printed, int least) throws BenchFailure {
        long connections = 0;
        double seconds = 0;
        long refused = 0;
        for (String each : printed) {
            Matcher total = TOTAL.matcher(each);
            if (!total.find()) {
                throw new BenchFailure("openssl s_time counted nothing: " + each.strip());
            }
            long made = Long.parseLong(total.group(1));
            connections += made;
            seconds = Math.max(seconds, Double.parseDouble(total.group(2)));
            refused += Long.parseLong(total.group(3)) < least ? made : 0;
        }
        return new Counts(connections, seconds, 0, refused);
    }
}
