package io.weir.lab.ledger;

import io.weir.base.SystemClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ledger of a messaging run with crashes. Every send is recorded before it is tried and every receipt when it
 * arrives; a send that failed is unknown, never lost. {@link #violations()} compares when all destinations are empty.
 * Shared; lives for one run.
 */
public final class Ledger {
    private static final int MOST_NOTES = 400;
    /** Number of a session's receipts that are reported around a wrong one. */
    private static final int AROUND = 3;

    private final Map<String, AtomicLong> numbers = new ConcurrentHashMap<>();
    private final Map<String, Sent> sends = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> subscriptions = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    private final Set<String> undoing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger deaths = new AtomicInteger();
    private final ConcurrentLinkedDeque<String> notes = new ConcurrentLinkedDeque<>();
    private final long opened = SystemClock.INSTANCE.nanos();

    /** Registers a receiver of each message of a destination: the queue itself, or each subscription of a topic. */
    public void subscription(String destination, String subscription) {
        subscriptions
                .computeIfAbsent(destination, d -> ConcurrentHashMap.newKeySet())
                .add(subscription);
    }

    /** Registers a subscription with a consumer that rolls back: redelivered messages may be out of order there. */
    public void undone(String subscription) {
        undoing.add(subscription);
    }

    /** Starts new work: a transaction, or a single send. */
    public Work work() {
        return new Work();
    }

    /** Records that a message is about to be sent as part of some work. */
    public Sent send(Work work, String producer, String destination) {
        long number = numbers.computeIfAbsent(producer, p -> new AtomicLong()).getAndIncrement();
        Sent sent = new Sent(producer, number, destination, work);
        work.add(sent);
        sends.put(sent.id(), sent);
        return sent;
    }

    /**
     * Records the arrival of a message.
     *
     * @param consumer a new name after each restart of it
     */
    public Receipt received(String id, String subscription, String consumer, boolean redelivered) {
        Receipt receipt = new Receipt(id, subscription, consumer, redelivered, now());
        receipts.add(receipt);
        return receipt;
    }

    /**
     * Records that it arrived at an AUTO_ACKNOWLEDGE session: after a death only the last consumed message may be
     * redelivered.
     */
    public void automatic(Receipt receipt, String session) {
        receipt.by(session + " of life " + deaths.get());
    }

    /** Records that the server died or was stopped, and that clients meet the next one from now on. */
    public void death() {
        note("life " + deaths.incrementAndGet() + " begins");
    }

    /** Records a note that may explain an error. The last ones are kept. */
    public void note(String what) {
        notes.add(now() + " " + what);
        if (notes.size() > MOST_NOTES) {
            notes.poll();
        }
    }

    /** The notes, the oldest first. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    private String now() {
        return String.format("+%.6f s", (SystemClock.INSTANCE.nanos() - opened) / 1e9);
    }

    public int sent() {
        return sends.size();
    }

    public int received() {
        return receipts.size();
    }

    /** Messages that arrived more than once at one subscription. */
    public long repeated() {
        return receipts.size()
                - receipts.stream()
                        .map(r -> r.id() + " " + r.subscription())
                        .distinct()
                        .count();
    }

    /** Sends whose call returned. */
    public long promised() {
        return sends.values().stream()
                .filter(s -> s.work().outcome() == KnownOutcome.DONE)
                .count();
    }

    /** The violations, a line each, a bounded number; empty if every guarantee was kept. */
    public List<String> violations() {
        List<String> wrong = new ArrayList<>();
        Map<String, Map<String, List<Receipt>>> bySubscription = new HashMap<>();
        for (Receipt each : receipts) {
            if (!sends.containsKey(each.id())) {
                wrong.add(each.id() + " was received and never sent");
            }
            bySubscription
                    .computeIfAbsent(each.id(), i -> new HashMap<>())
                    .computeIfAbsent(each.subscription(), s -> new ArrayList<>())
                    .add(each);
        }
        Set<Work> seen = seen(bySubscription);
        for (Sent each : sends.values()) {
            check(each, bySubscription.getOrDefault(each.id(), Map.of()), seen, wrong);
        }
        again(bySubscription, wrong);
        order(wrong);
        return wrong.size() <= 50 ? wrong : wrong.subList(0, 50);
    }

    /** Work of unknown outcome that is known to have happened, because a part of it was received. */
    private Set<Work> seen(Map<String, Map<String, List<Receipt>>> received) {
        Set<Work> happened = ConcurrentHashMap.newKeySet();
        for (Sent each : sends.values()) {
            if (received.containsKey(each.id())) {
                happened.add(each.work());
            }
        }
        return happened;
    }

    private void check(Sent sent, Map<String, List<Receipt>> received, Set<Work> seen, List<String> wrong) {
        KnownOutcome outcome = sent.work().outcome();
        if (outcome == KnownOutcome.ROLLED_BACK && !received.isEmpty()) {
            wrong.add(sent.id() + " was rolled back and received");
        }
        boolean promised = outcome == KnownOutcome.DONE;
        // a send in doubt may have reached one subscription before the disk and be unknown to the others
        boolean together =
                outcome == KnownOutcome.UNKNOWN && sent.work().sends().size() > 1 && seen.contains(sent.work());
        for (String subscription : subscriptions.getOrDefault(sent.destination(), Set.of(sent.destination()))) {
            List<Receipt> all = received.getOrDefault(subscription, List.of());
            if (all.isEmpty() && promised) {
                wrong.add(sent.id() + " was promised and never reached " + subscription);
            } else if (all.isEmpty() && together) {
                wrong.add(sent.id() + " is missing at " + subscription + " though other parts of its transaction came");
            }
            repeated(sent, subscription, all, seen, wrong);
            if (!all.isEmpty() && promised && undone(all.getLast())) {
                wrong.add(sent.id() + " was rolled back at " + subscription + " and never came again");
            }
        }
        for (String subscription : new TreeSet<>(received.keySet())) {
            if (!subscriptions
                    .getOrDefault(sent.destination(), Set.of(sent.destination()))
                    .contains(subscription)) {
                wrong.add(sent.id() + " came to " + subscription + " and was sent to " + sent.destination());
            }
        }
    }

    private static void repeated(
            Sent sent, String subscription, List<Receipt> all, Set<Work> seen, List<String> wrong) {
        for (int i = 1; i < all.size(); i++) {
            if (!all.get(i).redelivered()) {
                wrong.add(sent.id() + " came to " + subscription + " " + all.size()
                        + " times and the repetition is not flagged");
            }
            Work before = all.get(i - 1).work();
            // duplicates before an acknowledgement precede it
            if (before != null && !before.equals(all.get(i).work()) && acknowledged(before, seen)) {
                wrong.add(sent.id() + " came to " + subscription + " again after its acknowledgement was committed");
            }
        }
    }

    private void again(Map<String, Map<String, List<Receipt>>> received, List<String> wrong) {
        Map<String, Set<String>> bySession = new TreeMap<>();
        received.forEach((id, all) -> all.values().forEach(of -> {
            for (int i = 0; i + 1 < of.size(); i++) {
                String session = of.get(i).session();
                if (session != null) {
                    bySession.computeIfAbsent(session, s -> new TreeSet<>()).add(id);
                }
            }
        }));
        bySession.forEach((session, ids) -> {
            if (ids.size() > 1) {
                StringBuilder all = new StringBuilder(session
                        + " acknowledged by itself, and more than the last message that it had consumed came again: "
                        + ids);
                ids.forEach(id ->
                        around(id, session).forEach(line -> all.append("\n    ").append(line)));
                wrong.add(all.toString());
            }
        });
    }

    /** All receipts of a message, and what the session received just before and after. */
    private List<String> around(String id, String session) {
        List<Receipt> all = List.copyOf(receipts);
        List<Receipt> own =
                all.stream().filter(r -> session.equals(r.session())).toList();
        List<String> lines = new ArrayList<>();
        all.stream().filter(r -> r.id().equals(id)).forEach(r -> lines.add(r + " of " + r.session()));
        for (int i = 0; i < own.size(); i++) {
            if (own.get(i).id().equals(id)) {
                lines.add("in " + session + ": "
                        + own.subList(Math.max(0, i - AROUND), Math.min(own.size(), i + AROUND + 1)));
            }
        }
        return lines;
    }

    private static boolean undone(Receipt last) {
        Work work = last.work();
        return work != null && work.outcome() == KnownOutcome.ROLLED_BACK;
    }

    /** Whether the work is committed, or in doubt and known to have happened from what it sent. */
    private static boolean acknowledged(Work work, Set<Work> seen) {
        return work.outcome() == KnownOutcome.DONE || (work.outcome() == KnownOutcome.UNKNOWN && seen.contains(work));
    }

    private void order(List<String> wrong) {
        Map<String, Long> last = new HashMap<>();
        for (Receipt each : receipts) {
            Sent sent = sends.get(each.id());
            if (sent == null || (each.redelivered() && undoing.contains(each.subscription()))) {
                continue;
            }
            String line = each.consumer() + " of " + sent.producer() + " at " + each.subscription();
            Long before = last.put(line, sent.number());
            if (before != null && before >= sent.number()) {
                wrong.add(line + ": " + sent.number() + " came after " + before);
            }
        }
    }
}
