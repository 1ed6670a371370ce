package io.weir.lab.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Books of a messaging run with crashes. Every send is entered before it is tried and every receipt when it came; a send that
 * failed is unknown, never lost. {@link #violations()} compares when all destinations are empty. Shared; lives for one run.
 */
public final class Ledger {
    private final Map<String, AtomicLong> numbers = new ConcurrentHashMap<>();
    private final Map<String, Sent> sends = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> subscriptions = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    private final Set<String> undoing = ConcurrentHashMap.newKeySet();

    /** Who gets each message of a destination once: the queue itself, or each subscription of a topic. */
    public void subscription(String destination, String subscription) {
        subscriptions
                .computeIfAbsent(destination, d -> ConcurrentHashMap.newKeySet())
                .add(subscription);
    }

    /** A subscription with a consumer that rolls back: what comes again may be out of order there. */
    public void undone(String subscription) {
        undoing.add(subscription);
    }

    /** New work: a transaction, or a single send. */
    public Work work() {
        return new Work();
    }

    /** A message is about to be sent as a part of some work. */
    public Sent send(Work work, String producer, String destination) {
        long number = numbers.computeIfAbsent(producer, p -> new AtomicLong()).getAndIncrement();
        Sent sent = new Sent(producer, number, destination, work);
        work.add(sent);
        sends.put(sent.id(), sent);
        return sent;
    }

    /**
     * A message came.
     *
     * @param consumer a new name after each restart of it
     */
    public Receipt received(String id, String subscription, String consumer, boolean redelivered) {
        Receipt receipt = new Receipt(id, subscription, consumer, redelivered);
        receipts.add(receipt);
        return receipt;
    }

    public int sent() {
        return sends.size();
    }

    public int received() {
        return receipts.size();
    }

    /** Sends whose call returned. */
    public long promised() {
        return sends.values().stream()
                .filter(s -> s.work().outcome() == Outcome.DONE)
                .count();
    }

    /** What is wrong, a line each, bounded; empty when every promise was kept. */
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
        order(wrong);
        return wrong.size() <= 50 ? wrong : wrong.subList(0, 50);
    }

    /** Work whose outcome was unknown and that happened, because something of it was seen. */
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
        Outcome outcome = sent.work().outcome();
        if (outcome == Outcome.ROLLED_BACK && !received.isEmpty()) {
            wrong.add(sent.id() + " was rolled back and received");
        }
        boolean promised = outcome == Outcome.DONE;
        // A send in doubt may have reached one subscription before the disk and be unknown to the others.
        boolean together = outcome == Outcome.UNKNOWN && sent.work().sends().size() > 1 && seen.contains(sent.work());
        for (String subscription : subscriptions.getOrDefault(sent.destination(), Set.of(sent.destination()))) {
            List<Receipt> all = received.getOrDefault(subscription, List.of());
            if (all.isEmpty() && promised) {
                wrong.add(sent.id() + " was promised and never reached " + subscription);
            } else if (all.isEmpty() && together) {
                wrong.add(sent.id() + " is missing at " + subscription + " though other parts of its transaction came");
            }
            repeated(sent, subscription, all, seen, wrong);
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
            if (before != null && acknowledged(before, seen)) {
                wrong.add(sent.id() + " came to " + subscription + " again after its acknowledgement was committed");
            }
        }
    }

    /** Committed, or in doubt and known to have happened by what it sent. */
    private static boolean acknowledged(Work work, Set<Work> seen) {
        return work.outcome() == Outcome.DONE || (work.outcome() == Outcome.UNKNOWN && seen.contains(work));
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
