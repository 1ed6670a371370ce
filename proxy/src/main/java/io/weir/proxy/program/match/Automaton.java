package io.weir.proxy.program.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A deterministic automaton over bytes: matching costs one table look-up per byte, whatever the pattern, so that no
 * path can make a rule slow. Immutable, shared.
 */
final class Automaton implements PathPattern {
    /** More are not useful for a path, and would cost memory for each rule. */
    static final int MAX_STATES = 4096;

    private static final int MAX_POSITIONS = 4096;

    private final byte[] classOf;
    private final short[] next;
    private final int classes;
    private final boolean[] accepts;

    private Automaton(byte[] classOf, int classes, short[] next, boolean[] accepts) {
        this.classOf = classOf;
        this.classes = classes;
        this.next = next;
        this.accepts = accepts;
    }

    @Override
    public boolean matches(byte[] bytes, int from, int to) {
        int state = 0;
        for (int i = from; i < to; i++) {
            state = next[state * classes + (classOf[bytes[i] & 0xff] & 0xff)];
            if (state < 0) {
                return false;
            }
        }
        return accepts[state];
    }

    /** The state after a byte; -1 if no continuation can match, also for all following bytes. The start state is 0. */
    int step(int state, int b) {
        return state < 0 ? state : next[state * classes + (classOf[b] & 0xff)];
    }

    boolean accepts(int state) {
        return accepts[state];
    }

    /** Number of states, for tests of the bound. */
    int states() {
        return accepts.length;
    }

    /**
     * Compiles a pattern.
     *
     * @throws IllegalArgumentException when it needs too many states
     */
    static Automaton of(PatternNode node) {
        Nfa nfa = new Nfa();
        int end = nfa.add(node, nfa.state());
        return new Determination(nfa, end).run();
    }

    /** The nondeterministic automaton: for each state, a byte set with a target, and empty transitions. */
    private static final class Nfa {
        private final List<BitSet> on = new ArrayList<>();
        private final List<Integer> to = new ArrayList<>();
        private final List<List<Integer>> free = new ArrayList<>();

        int state() {
            if (on.size() == MAX_POSITIONS) {
                throw tooLarge();
            }
            on.add(new BitSet());
            to.add(-1);
            free.add(new ArrayList<>());
            return on.size() - 1;
        }

        /** Adds a node after a state; returns the state after the node. */
        int add(PatternNode node, int from) {
            return switch (node) {
                case PatternNode.One one -> one(one, from);
                case PatternNode.Sequence s -> {
                    int at = from;
                    for (PatternNode part : s.parts()) {
                        at = add(part, at);
                    }
                    yield at;
                }
                case PatternNode.Choice c -> choice(c, from);
                case PatternNode.Repeat r -> repeat(r, from);
            };
        }

        private int one(PatternNode.One one, int from) {
            int begin = state();
            int end = state();
            free.get(from).add(begin);
            on.set(begin, one.bytes());
            to.set(begin, end);
            return end;
        }

        private int choice(PatternNode.Choice c, int from) {
            int end = state();
            for (PatternNode branch : c.branches()) {
                int begin = state();
                free.get(from).add(begin);
                free.get(add(branch, begin)).add(end);
            }
            return end;
        }

        private int repeat(PatternNode.Repeat r, int from) {
            int at = from;
            for (int i = 0; i < r.min(); i++) {
                at = add(r.part(), at);
            }
            if (r.max() < 0) {
                int loop = state();
                free.get(at).add(loop);
                free.get(add(r.part(), loop)).add(loop);
                return loop;
            }
            int end = state();
            for (int i = r.min(); i < r.max(); i++) {
                free.get(at).add(end);
                at = add(r.part(), at);
            }
            free.get(at).add(end);
            return end;
        }
    }

    private static IllegalArgumentException tooLarge() {
        return new IllegalArgumentException("the pattern is too complex: simplify it, or split it into several rules");
    }

    /** The subset construction. */
    private static final class Determination {
        private final Nfa nfa;
        private final int end;
        private final byte[] classOf = new byte[256];
        private final List<Integer> sample = new ArrayList<>();
        private final Map<BitSet, Integer> numbers = new HashMap<>();
        private final List<BitSet> subsets = new ArrayList<>();
        private final List<short[]> rows = new ArrayList<>();

        Determination(Nfa nfa, int end) {
            this.nfa = nfa;
            this.end = end;
        }

        Automaton run() {
            classify();
            BitSet start = new BitSet();
            close(0, start);
            number(start);
            for (int i = 0; i < subsets.size(); i++) {
                rows.add(row(subsets.get(i)));
            }
            int classes = sample.size();
            short[] next = new short[rows.size() * classes];
            boolean[] accepts = new boolean[rows.size()];
            for (int i = 0; i < rows.size(); i++) {
                System.arraycopy(rows.get(i), 0, next, i * classes, classes);
                accepts[i] = subsets.get(i).get(end);
            }
            return new Automaton(classOf, classes, next, accepts);
        }

        /** Bytes that no set of the pattern distinguishes share a class. */
        private void classify() {
            List<BitSet> distinct =
                    nfa.on.stream().filter(s -> !s.isEmpty()).distinct().toList();
            Map<BitSet, Integer> known = new HashMap<>();
            for (int b = 0; b < 256; b++) {
                BitSet in = new BitSet();
                for (int s = 0; s < distinct.size(); s++) {
                    in.set(s, distinct.get(s).get(b));
                }
                int of = known.computeIfAbsent(in, _ -> known.size());
                if (of == sample.size()) {
                    sample.add(b);
                }
                classOf[b] = (byte) of;
            }
        }

        private short[] row(BitSet subset) {
            short[] row = new short[sample.size()];
            for (int c = 0; c < row.length; c++) {
                BitSet target = new BitSet();
                for (int s = subset.nextSetBit(0); s >= 0; s = subset.nextSetBit(s + 1)) {
                    if (nfa.on.get(s).get(sample.get(c))) {
                        close(nfa.to.get(s), target);
                    }
                }
                row[c] = target.isEmpty() ? (short) -1 : number(target);
            }
            return row;
        }

        private short number(BitSet subset) {
            Integer known = numbers.get(subset);
            if (known == null) {
                known = subsets.size();
                if (known == MAX_STATES) {
                    throw tooLarge();
                }
                numbers.put(subset, known);
                subsets.add(subset);
            }
            return known.shortValue();
        }

        private void close(int state, BitSet into) {
            int[] stack = new int[16];
            int depth = 0;
            stack[depth++] = state;
            while (depth > 0) {
                int s = stack[--depth];
                if (!into.get(s)) {
                    into.set(s);
                    for (int t : nfa.free.get(s)) {
                        stack = depth == stack.length ? Arrays.copyOf(stack, depth * 2) : stack;
                        stack[depth++] = t;
                    }
                }
            }
        }
    }
}
