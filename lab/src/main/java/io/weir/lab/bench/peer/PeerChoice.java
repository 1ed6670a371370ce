package io.weir.lab.bench.peer;

import io.weir.lab.verb.VerbLine;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The value of {@code --peers}: the named peers, each once, or none. Immutable. */
public record PeerChoice(Set<Peer> all) {
    private static final String NONE = "none";

    /** Reads it; lists what it may have. */
    public static final class Reader implements ITypeConverter<PeerChoice>, Iterable<String> {
        @Override
        public PeerChoice convert(String names) {
            Set<Peer> all = EnumSet.noneOf(Peer.class);
            if (!names.equals(NONE)) {
                for (String name : names.split(",", -1)) {
                    all.add(VerbLine.named(name, EnumSet.allOf(Peer.class), Peer::key));
                }
            }
            return new PeerChoice(all);
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Peer.values()).map(Peer::key).iterator();
        }
    }

    /**
     * The peers to compare with: all that are possible, unless some are chosen.
     *
     * @param taker what takes only the possible ones, in the plural or with its verb: "scenario hits takes"
     * @throws ParameterException if an impossible one was chosen
     */
    public static Set<Peer> of(@Nullable PeerChoice chosen, Set<Peer> possible, String taker, CommandSpec spec) {
        if (chosen == null) {
            return possible;
        }
        if (!possible.containsAll(chosen.all())) {
            throw new ParameterException(
                    spec.commandLine(),
                    taker + " of the peers " + possible.stream().map(Peer::key).collect(Collectors.joining(", ")));
        }
        return chosen.all();
    }
}
