package io.weir.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A list of known offenders that may only shrink: what is not on it fails, and what is on it without need fails too, so
 * a line that was cured cannot come back. Immutable.
 */
public final class Ratchet {
    private final Set<String> known;
    private final String name;
    private final int bound;

    /**
     * @param name file below {@code lab/src/test/resources}, one entry a line
     * @param bound how many entries there may be; lower it when the list shrinks
     */
    public Ratchet(String name, int bound) {
        this.name = name;
        this.bound = bound;
        this.known = new LinkedHashSet<>(House.text(House.root().resolve("lab/src/test/resources/" + name))
                .lines()
                .filter(l -> !l.isBlank() && !l.startsWith("#"))
                .toList());
    }

    /** Fails with the offenders that are new, and with the entries that are not needed any more. */
    public void holds(Collection<String> offenders, String rule) {
        Set<String> fresh = new TreeSet<>(offenders);
        fresh.removeAll(known);
        assertThat(fresh).as(rule).isEmpty();
        Set<String> cured = new TreeSet<>(known);
        cured.removeAll(offenders);
        assertThat(cured).as("cured: remove these lines from " + name).isEmpty();
        assertThat(known.size()).as(name + " must not grow").isLessThanOrEqualTo(bound);
    }
}
