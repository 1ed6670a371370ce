package io.weir.cluster.state.purges;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Draft;
import io.weir.cluster.state.entry.DraftTable;
import io.weir.cluster.state.entry.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The rules of purges. Pure except for their changes to the draft; confined to the application of one entry. */
public final class PurgeRules {
    private final Draft draft;
    private final Predicate<String> members;
    private final DraftTable<Long> applied;
    private final DraftTable<String> addresses;
    private PurgeLog log;

    /**
     * Starts from the state before the entry.
     *
     * @param members whether there is a member of that name
     */
    public PurgeRules(Draft draft, PurgeLog before, Predicate<String> members) {
        this.draft = draft;
        this.members = members;
        this.log = before;
        this.applied = new DraftTable<>(before.applied());
        this.addresses = new DraftTable<>(before.addresses());
    }

    /** The result for the next state. */
    public PurgeLog done() {
        return new PurgeLog(log.id(), log.last(), log.floor(), log.kept(), applied.done(), addresses.done());
    }

    public Answer apply(PurgeCommand command) {
        return switch (command) {
            case PurgeCommand.Add c -> add(c);
            case PurgeCommand.Applied c -> applied(c);
            case PurgeCommand.Serves c -> serves(c);
        };
    }

    private Answer add(PurgeCommand.Add c) {
        if (c.id() == 0) {
            return Draft.refused(Refusal.MALFORMED, "a purge needs an id other than 0");
        }
        long number = draft.index();
        long id = log.id() == 0 ? c.id() : log.id();
        Purge purge = new Purge(number, c.url());
        if (purge.all()) {
            // a cache that missed any earlier one is right after this one
            log = new PurgeLog(id, number, 0, List.of(purge), log.applied(), log.addresses());
            return draft.ok();
        }
        List<Purge> kept = new ArrayList<>(log.kept());
        // the later one includes the earlier
        kept.removeIf(p -> p.url().equals(purge.url()));
        kept.add(purge);
        long floor = log.floor();
        int chars = kept.stream().mapToInt(p -> p.url().length()).sum();
        while (kept.size() > StateLimits.PURGES || chars > StateLimits.PURGE_CHARS) {
            Purge oldest = kept.removeFirst();
            chars -= oldest.url().length();
            floor = oldest.number();
        }
        log = new PurgeLog(id, number, floor, List.copyOf(kept), log.applied(), log.addresses());
        return draft.ok();
    }

    private Answer applied(PurgeCommand.Applied c) {
        if (!members.test(c.member())) {
            return Draft.unknown("member", c.member());
        }
        if (c.id() != log.id() || c.upTo() > log.last()) {
            return Draft.refused(Refusal.CHANGED, "it is about the purges of another log");
        }
        Long before = applied.get(c.member());
        if (before == null || before < c.upTo()) {
            applied.put(c.member(), c.upTo());
        }
        return draft.ok();
    }

    private Answer serves(PurgeCommand.Serves c) {
        if (!members.test(c.member())) {
            return Draft.unknown("member", c.member());
        }
        if (c.address().isEmpty()) {
            noLonger(c.member());
        } else if (!c.address().equals(addresses.get(c.member()))) {
            addresses.put(c.member(), c.address());
        }
        return draft.ok();
    }

    private void noLonger(String member) {
        if (addresses.get(member) != null) {
            addresses.remove(member);
        }
    }

    /** The member was removed from the cluster. */
    public void removed(String member) {
        noLonger(member);
        if (applied.get(member) != null) {
            applied.remove(member);
        }
    }
}
