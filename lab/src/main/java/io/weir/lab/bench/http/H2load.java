package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The output of {@code h2load}. Stateless. */
final class H2load {
    private static final Pattern TOOK = Pattern.compile("finished in ([0-9.]+)(us|ms|s|m|h),");
    private static final Pattern REQUESTS = Pattern.compile("requests: (\\d+) total, \\d+ started, \\d+ done,"
            + " (\\d+) succeeded, (\\d+) failed, (\\d+) errored, (\\d+) timeout");
    private static final Pattern STATUS = Pattern.compile("status codes: \\d+ 2xx, \\d+ 3xx, (\\d+) 4xx, (\\d+) 5xx");
    private static final Pattern PROTOCOL = Pattern.compile("Application protocol: (\\S+)");

    private H2load() {}

    /**
     * Its counts. Requests without an answer, which a time-out or the end of a connection failed, are disturbed.
     *
     * @param spoken the protocol, as ALPN names it
     * @throws BenchFailure also if another one was agreed on
     */
    static Counts parse(String printed, String spoken) throws BenchFailure {
        Matcher took = TOOK.matcher(printed);
        Matcher requests = REQUESTS.matcher(printed);
        Matcher status = STATUS.matcher(printed);
        if (!took.find() || !requests.find() || !status.find()) {
            throw new BenchFailure("h2load counted nothing: " + printed.strip());
        }
        Matcher protocol = PROTOCOL.matcher(printed);
        if (protocol.find() && !protocol.group(1).equals(spoken)) {
            throw new BenchFailure("h2load spoke " + protocol.group(1) + " instead of " + spoken);
        }
        long refused = number(status, 1) + number(status, 2);
        return new Counts(
                number(requests, 2),
                Double.parseDouble(took.group(1)) * Wrk.unit(took.group(2)),
                Math.max(number(requests, 3) - refused, number(requests, 4)),
                refused);
    }

    private static long number(Matcher matcher, int group) {
        return Long.parseLong(matcher.group(group));
    }
}
