package io.weir.lab.history;

import io.weir.lab.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a history is linearizable: the search of Wing and Gong with Lowe's cache of configurations already
 * seen (set of completed operations, state). Operations of unknown outcome may take effect at any time after their
 * call, or never; failed ones have none. Its time is exponential in the number of operations that overlap. Stateless.
 */
public final class Linearizability {
    private Linearizability() {}

    /** Why a key's history fits no order, or empty if all do. */
    public static <S> Optional<String> violation(Model<S> model, OperationHistory history) {
        for (Map.Entry<String, List<Operation>> key : history.byKey().entrySet()) {
            Optional<String> wrong = violation(model, key.getValue());
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    /** Why the operations fit no order, or empty if they do. */
    public static <S> Optional<String> violation(Model<S> model, List<Operation> operations) {
        List<Operation> effective = operations.stream()
                .filter(o -> o.outcome() != Outcome.FAIL)
                .sorted((a, b) -> Long.compare(a.called(), b.called()))
                .toList();
        return new Search<>(model, effective).violation();
    }

    /** One search: confined to its caller, and used once. */
    private static final class Search<S> {
        /**
         * The completed operations: all before the first incomplete one, and these after it; so it stays small however
         * long the history is.
         */
        private record Configuration(int first, BitSet after, Object state) {}

        /** The choice at one depth, to be undone, and where the search continues. */
        private record Choice<S>(int operation, S before) {}

        private final Model<S> model;
        private final List<Operation> operations;
        private final BitSet done = new BitSet();
        /** The first incomplete operation. */
        private int first;

        private final List<Choice<S>> path = new ArrayList<>();
        private final Set<Configuration> seen = new HashSet<>();
        private List<Choice<S>> longest = List.of();
        private S state;

        Search(Model<S> model, List<Operation> operations) {
            this.model = model;
            this.operations = operations;
            this.state = model.initial();
        }

        Optional<String> violation() {
            int from = 0;
            while (!finished()) {
                int next = choose(from);
                if (next >= 0) {
                    from = 0;
                } else if (path.isEmpty()) {
                    return Optional.of(explanation());
                } else {
                    if (path.size() > longest.size()) {
                        longest = List.copyOf(path);
                    }
                    Choice<S> last = path.removeLast();
                    done.clear(last.operation());
                    first = Math.min(first, last.operation());
                    state = last.before();
                    from = last.operation() + 1;
                }
            }
            return Optional.empty();
        }

        /**
         * Chooses the next operation that may be first of the remaining ones and leads to a new configuration; -1 if
         * there is none.
         */
        private int choose(int from) {
            long bound = earliestReturn();
            for (int i = done.nextClearBit(Math.max(first, from));
                    i < operations.size();
                    i = done.nextClearBit(i + 1)) {
                Operation o = operations.get(i);
                if (o.called() > bound) {
                    return -1;
                }
                @Nullable S after = model.step(state, o);
                if (after != null && isNew(i, after)) {
                    path.add(new Choice<>(i, state));
                    done.set(i);
                    first = done.nextClearBit(first);
                    state = after;
                    return i;
                }
            }
            return -1;
        }

        private boolean isNew(int operation, S after) {
            done.set(operation);
            int least = done.nextClearBit(first);
            BitSet beyond = done.get(least, Math.max(least, done.length()));
            done.clear(operation);
            return seen.add(new Configuration(least, beyond, after));
        }

        private long earliestReturn() {
            long least = Long.MAX_VALUE;
            for (int i = first; i < operations.size(); i = done.nextClearBit(i + 1)) {
                Operation o = operations.get(i);
                if (o.called() > least) {
                    // in the order of their calls: none of the rest returned earlier
                    return least;
                }
                least = Math.min(least, o.returned());
            }
            return least;
        }

        private boolean finished() {
            for (int i = first; i < operations.size(); i = done.nextClearBit(i + 1)) {
                if (operations.get(i).certain()) {
                    return false;
                }
            }
            return true;
        }

        private String explanation() {
            StringBuilder text = new StringBuilder("no order explains the history; the longest that does:\n");
            longest.forEach(
                    c -> text.append("  ").append(operations.get(c.operation())).append('\n'));
            text.append("left over:\n");
            BitSet in = new BitSet();
            longest.forEach(c -> in.set(c.operation()));
            for (int i = 0; i < operations.size(); i++) {
                if (!in.get(i)) {
                    text.append("  ").append(operations.get(i)).append('\n');
                }
            }
            return text.toString();
        }
    }
}
