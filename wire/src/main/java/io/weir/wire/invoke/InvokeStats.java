package io.weir.wire.invoke;

import static io.weir.base.StatSpec.counter;
import static io.weir.base.StatSpec.gauge;
import static io.weir.base.StatSpec.histogram;

import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The statistics of incoming calls, declared once, and their counters, resolved once. Shared by all connections. */
public final class InvokeStats {
    public static final StatSpec CALLS = counter(
            "weir_invoke_calls_total",
            "calls",
            "Incoming calls by outcome: answered, threw (an exception that the method declares), wrong-owner,"
                    + " cancelled, or the failure's name in docs/wire.md.",
            "outcome");
    public static final StatSpec TIME = histogram(
            "weir_invoke_time", "nanoseconds", "Duration of incoming calls, including their wait for a thread.");
    public static final StatSpec RUNNING = gauge("weir_invoke_running", "calls", "Incoming calls that are running.");
    public static final StatSpec WAITING =
            gauge("weir_invoke_waiting", "calls", "Incoming calls that wait for a thread.");
    public static final StatSpec DUPLICATES = counter(
            "weir_invoke_duplicates_total",
            "calls",
            "Repeated requests that got the first one's response without being executed again.");
    public static final StatSpec REMEMBERED =
            gauge("weir_invoke_remembered", "answers", "Responses kept for requests that may be repeated.");

    /** All statistics declared here. */
    public static final List<StatSpec> ALL = List.of(CALLS, TIME, RUNNING, WAITING, DUPLICATES, REMEMBERED);

    public static final String ANSWERED = "answered";
    public static final String THREW = "threw";
    public static final String WRONG_OWNER = "wrong-owner";
    public static final String CANCELLED = "cancelled";

    public final Histogram time;
    public final Counter duplicates;
    private final Map<String, Counter> outcomes = new HashMap<>();

    /** The counters in these statistics. */
    public InvokeStats(Stats stats) {
        time = stats.histogram(TIME);
        duplicates = stats.counter(DUPLICATES);
        for (String outcome : List.of(ANSWERED, THREW, WRONG_OWNER, CANCELLED)) {
            outcomes.put(outcome, stats.counter(CALLS, outcome));
        }
        for (InvocationFault.Code code : InvocationFault.Code.values()) {
            if (code.number() < InvocationFault.FIRST_OF_CALLER) {
                outcomes.put(code.label(), stats.counter(CALLS, code.label()));
            }
        }
    }

    /**
     * Counts a call.
     *
     * @param outcome one of those above, or the label of a fault found by the owner's end; others are not counted
     */
    public void count(String outcome) {
        Counter c = outcomes.get(outcome);
        if (c != null) {
            c.inc();
        }
    }
}
