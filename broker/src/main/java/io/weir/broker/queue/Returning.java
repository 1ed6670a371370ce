package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Returns delivered entries to their queues, for redelivery: in order, in one batch for each loop. Immutable. */
public record Returning(QueueEntry entry, ApplicationSaw seen) {
    /**
     * Returns entries.
     *
     * @param seen which of them the application saw; called on the caller's loop
     * @param delayMillis the session's redelivery delay
     */
    public static void takeBack(List<QueueEntry> entries, Function<QueueEntry, ApplicationSaw> seen, long delayMillis) {
        if (entries.isEmpty()) {
            return;
        }
        Map<BrokerLoop, List<Returning>> byLoop = new LinkedHashMap<>();
        for (QueueEntry e : entries) {
            byLoop.computeIfAbsent(e.queue.loop, _ -> new ArrayList<>()).add(new Returning(e, seen.apply(e)));
        }
        byLoop.forEach((loop, some) -> loop.run(() -> takeBackHere(some, delayMillis)));
    }

    private static void takeBackHere(List<Returning> entries, long delayMillis) {
        Set<QueueAccess> queues = new LinkedHashSet<>();
        for (Returning r : entries) {
            r.entry().queue.takeBack(r.entry(), r.seen(), delayMillis);
            queues.add(r.entry().queue);
        }
        queues.forEach(QueueAccess::dispatch);
    }
}
