package io.weir.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What applications were handed, and what became of it: finds lost messages and repetitions that nobody announced. Shared. */
final class Handings {
    /** What became of a message that was handed over. */
    enum Fate {
        /** Acknowledged or committed: it must never come again. */
        SETTLED,
        /** The call that settles it failed, or there is none: it may come again, flagged. */
        UNKNOWN,
        /** Taken back: it must come again. */
        TAKEN_BACK
    }

    /** A message in the application's hands. */
    static final class Handing {
        private final String body;
        private final boolean flagged;
        private Fate fate = Fate.TAKEN_BACK;

        private Handing(String body, boolean flagged) {
            this.body = body;
            this.flagged = flagged;
        }
    }

    private final Map<String, List<Handing>> handings = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();

    /** A message is handed to the application. */
    synchronized Handing handed(String body, boolean flagged) {
        List<Handing> of = handings.computeIfAbsent(body, b -> new ArrayList<>());
        // Without its flag it is the first delivery, which another consumer of another link may have overtaken.
        if (flagged && of.stream().anyMatch(h -> h.fate == Fate.SETTLED)) {
            wrong.add(body + " came again after it was settled");
        } else if (!flagged && of.stream().anyMatch(h -> !h.flagged)) {
            wrong.add(body + " came again and was not flagged");
        }
        Handing h = new Handing(body, flagged);
        of.add(h);
        return h;
    }

    /** Messages that were handed over end so; of one that was handed over twice the last counts. */
    synchronized void ended(List<Handing> some, Fate fate) {
        Map<String, Handing> last = new TreeMap<>();
        some.forEach(h -> last.put(h.body, h));
        last.values().forEach(h -> h.fate = fate);
    }

    /** Whether each of these was handed over at least once. */
    synchronized boolean had(List<String> all) {
        return handings.keySet().containsAll(all);
    }

    /** How many were handed over more than once. */
    synchronized long repeated() {
        return handings.values().stream().filter(of -> of.size() > 1).count();
    }

    /** What is wrong, now that the broker has none of these any more. */
    synchronized List<String> wrong(List<String> sent) {
        List<String> all = new ArrayList<>(wrong);
        for (String body : sent) {
            List<Handing> of = handings.getOrDefault(body, List.of());
            if (of.stream().allMatch(h -> h.fate == Fate.TAKEN_BACK)) {
                all.add(body + " is lost: handed over " + of.size() + " times, and never to stay");
            }
            if (of.stream().filter(h -> h.fate == Fate.SETTLED).count() > 1) {
                all.add(body + " was settled twice");
            }
        }
        return all;
    }
}
