package io.weir.server.facts;

import io.weir.journal.damage.Damage;
import io.weir.journal.damage.Damages;
import io.weir.server.monitor.source.Facts;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Damage of the journals that are open. Immutable. */
public final class DamageFacts {
    private final List<Supplier<@Nullable Damages>> journals;

    /** Each source returns null while its part does not run. */
    DamageFacts(Supplier<@Nullable Damages> messages, Supplier<@Nullable Damages> cluster) {
        this.journals = List.of(messages, cluster);
    }

    /** The damage of each open journal. */
    public Stream<Damages> all() {
        return journals.stream().map(Supplier::get).filter(Objects::nonNull);
    }

    /** For the health view: warnings while there is unacknowledged damage. */
    List<Facts.Check> checks() {
        return all().filter(d -> !d.isClear()).map(DamageFacts::check).toList();
    }

    private static Facts.Check check(Damages damages) {
        List<Damage> open = damages.open();
        return new Facts.Check(
                "damage " + damages.journal(),
                Facts.Health.WARNING,
                (open.size() + damages.beyond()) + " damaged places"
                        + (open.isEmpty()
                                ? ""
                                : ", found from "
                                        + Instant.ofEpochMilli(open.getFirst().found()) + " to "
                                        + Instant.ofEpochMilli(open.getLast().found()))
                        + ": ./weir jms damage lists what was lost, --acknowledge confirms that it was seen");
    }
}
