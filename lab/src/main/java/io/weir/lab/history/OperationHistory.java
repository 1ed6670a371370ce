package io.weir.lab.history;

import io.weir.lab.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a run: clients record the start and the end of each operation; one that never ended is an {@link
 * Outcome#INFO}. Shared by the clients of a run: its methods are synchronized, because a test run has no hot path.
 */
public final class OperationHistory {
    private final Map<Long, Operation> open = new LinkedHashMap<>();
    private final List<Operation> ended = new ArrayList<>();
    private long nextCall;

    /** Records a call. @return the handle for its end */
    public synchronized long invoke(long process, String key, String action, long input, long at) {
        long call = nextCall++;
        open.put(call, new Operation(process, key, action, input, Outcome.INFO, null, at, Long.MAX_VALUE));
        return call;
    }

    /** Records that it took effect. */
    public void ok(long call, long output, long at) {
        end(call, Outcome.OK, output, at);
    }

    /** Records that it certainly took no effect. */
    public void fail(long call, long at) {
        end(call, Outcome.FAIL, null, at);
    }

    /** Records that the outcome is unknown: the same as never ending it. */
    public void info(long call) {
        end(call, Outcome.INFO, null, Long.MAX_VALUE);
    }

    /** All operations so far, in the order of their calls; pending ones count as unknown. */
    public synchronized List<Operation> operations() {
        List<Operation> all = new ArrayList<>(ended);
        all.addAll(open.values());
        all.sort((a, b) -> Long.compare(a.called(), b.called()));
        return all;
    }

    /** The operations by key. */
    public Map<String, List<Operation>> byKey() {
        Map<String, List<Operation>> keys = new LinkedHashMap<>();
        for (Operation o : operations()) {
            keys.computeIfAbsent(o.key(), k -> new ArrayList<>()).add(o);
        }
        return keys;
    }

    /** The history in Porcupine's and Jepsen's terms, one event a line, for other checkers. */
    public String jsonLines() {
        record Event(long at, boolean end, String text) {}
        List<Event> events = new ArrayList<>();
        for (Operation o : operations()) {
            events.add(new Event(o.called(), false, json(o, "invoke", o.input())));
            if (o.returned() != Long.MAX_VALUE) {
                events.add(
                        new Event(o.returned(), true, json(o, o.outcome() == Outcome.OK ? "ok" : "fail", o.output())));
            } else {
                events.add(new Event(Long.MAX_VALUE, true, json(o, "info", null)));
            }
        }
        events.sort((a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Boolean.compare(a.end(), b.end()));
        StringBuilder text = new StringBuilder();
        events.forEach(e -> text.append(e.text()).append('\n'));
        return text.toString();
    }

    private static String json(Operation o, String type, @Nullable Long value) {
        return "{\"process\":" + o.process() + ",\"type\":\"" + type + "\",\"f\":\"" + o.action() + "\",\"key\":\""
                + o.key() + "\",\"value\":" + value + ",\"time\":"
                + ("invoke".equals(type) ? o.called() : o.returned()) + "}";
    }

    private synchronized void end(long call, Outcome outcome, @Nullable Long output, long at) {
        Operation o = open.remove(call);
        if (o == null) {
            throw new IllegalStateException("ended twice or never called: " + call);
        }
        ended.add(new Operation(o.process(), o.key(), o.action(), o.input(), outcome, output, o.called(), at));
    }
}
