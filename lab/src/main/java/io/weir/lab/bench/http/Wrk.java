package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loads by {@code wrk}: requests one after the other on kept connections, or on new ones. Stateless. */
final class Wrk {
    private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ([0-9.]+)(us|ms|s|m|h),");
    private static final Pattern ERRORS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    private static final Pattern REFUSED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

    private Wrk() {}

    /**
     * The command line: one thread, 32 connections, on one processor.
     *
     * @param more options before the URL
     */
    static List<String> command(
            String taskset, String wrk, int core, int seconds, Contender contender, List<String> more) {
        List<String> words =
                new ArrayList<>(List.of(taskset, "-c", String.valueOf(core), wrk, "-t1", "-c32", "-d" + seconds + "s"));
        if (contender.closing()) {
            words.addAll(List.of("-H", "Connection: close"));
        }
        words.addAll(more);
        words.add(contender.url());
        return words;
    }

    static Counts parse(String printed) throws BenchFailure {
        Matcher total = TOTAL.matcher(printed);
        if (!total.find()) {
            throw new BenchFailure("wrk counted nothing: " + printed.strip());
        }
        Matcher errors = ERRORS.matcher(printed);
        long disturbed = 0;
        if (errors.find()) {
            for (int i = 1; i <= errors.groupCount(); i++) {
                disturbed += Long.parseLong(errors.group(i));
            }
        }
        Matcher refused = REFUSED.matcher(printed);
        return new Counts(
                Long.parseLong(total.group(1)),
                Double.parseDouble(total.group(2)) * unit(total.group(3)),
                disturbed,
                refused.find() ? Long.parseLong(refused.group(1)) : 0);
    }

    static double unit(String name) {
        return switch (name) {
            case "us" -> 1e-6;
            case "ms" -> 1e-3;
            case "m" -> 60;
            case "h" -> 3600;
            default -> 1;
        };
    }
}
