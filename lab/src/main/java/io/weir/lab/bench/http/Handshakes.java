package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loads by {@code openssl s_time -new}: a connection, a whole TLS 1.3 handshake, an answer and an end, one after the other.
 * wrk will not do: it resumes its sessions. Stateless.
 */
final class Handshakes {
    /** Clients at once: each waits for 40 ms in every connection, for it writes twice without an answer between. */
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
                // what openssl writes behind the path, " HTTP/1.0", becomes a field: it knows no Host, and caches want
                // one
                url.substring(path) + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\nX-Rest:");
    }

    /**
     * What all clients counted together.
     *
     * @param least bytes that each answer has; fewer mean that something else was answered
     */
    static Wrk parse(List<String> printed, int least) throws BenchFailure {
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
        return new Wrk(connections, seconds, 0, refused);
    }
}
