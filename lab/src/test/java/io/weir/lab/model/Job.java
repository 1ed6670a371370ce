package io.weir.lab.model;

import io.weir.broker.admin.BrokerAdmin;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Bulk work of an administrator on one place. Confined to the books. */
final class Job {
    final Place from;
    /** Where it moves letters to; null: it deletes them. */
    final @Nullable Place to;

    final Choice choice;
    final CompletableFuture<BrokerAdmin.Done> answer;
    /** What certainly waited when it began, and how often it had been delivered. */
    final Map<Copy, Integer> candidates = new HashMap<>();
    /** The number of the last letter that it may take: what came after it began stays. */
    int last = Integer.MAX_VALUE;
    /** Letters that left by it, or otherwise. */
    int done;
    /** Of those the ones that may have left otherwise. */
    int doubtful;
    /** Letters that came there by themselves, and may have left by it at once. */
    int hidden;

    Job(Place from, @Nullable Place to, Choice choice, CompletableFuture<BrokerAdmin.Done> answer) {
        this.from = from;
        this.to = to;
        this.choice = choice;
        this.answer = answer;
    }

    boolean takes(Copy c) {
        return c.place == from && c.letter.number <= last && choice.wants(c.letter);
    }

    @Override
    public String toString() {
        return (to == null ? "delete " + choice + " of " + from : "move " + choice + " of " + from + " to " + to);
    }
}
