package io.weir.proxy.program.match;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The literal texts that every match of a pattern contains. An option is a list of texts of which every match contains
 * at least one; a pattern has several options, each of which holds by itself. Stateless.
 */
final class Literals {
    private static final int MAX_ALTERNATIVES = 16;

    private Literals() {}

    /** The options of a pattern; none: it can match without any fixed text. */
    static List<List<byte[]>> options(PatternNode node) {
        List<List<byte[]>> options = new ArrayList<>();
        switch (node) {
            case PatternNode.One one -> {
                if (one.single() >= 0) {
                    options.add(List.of(new byte[] {(byte) one.single()}));
                }
            }
            case PatternNode.Sequence sequence -> sequence(sequence, options);
            case PatternNode.Choice choice -> choice(choice, options);
            case PatternNode.Repeat repeat -> {
                if (repeat.min() > 0) {
                    options.addAll(options(repeat.part()));
                }
            }
        }
        return options;
    }

    private static void sequence(PatternNode.Sequence sequence, List<List<byte[]>> options) {
        ByteArrayOutputStream run = new ByteArrayOutputStream();
        for (PatternNode part : sequence.parts()) {
            if (part instanceof PatternNode.One one && one.single() >= 0) {
                run.write(one.single());
                continue;
            }
            flush(run, options);
            options.addAll(options(part));
        }
        flush(run, options);
    }

    private static void flush(ByteArrayOutputStream run, List<List<byte[]>> options) {
        if (run.size() > 0) {
            options.add(List.of(run.toByteArray()));
            run.reset();
        }
    }

    /** Every branch must contribute a text, otherwise the choice has none. */
    private static void choice(PatternNode.Choice choice, List<List<byte[]>> options) {
        List<byte[]> all = new ArrayList<>();
        for (PatternNode branch : choice.branches()) {
            List<byte[]> best = longest(options(branch));
            if (best.isEmpty() || all.size() + best.size() > MAX_ALTERNATIVES) {
                return;
            }
            all.addAll(best);
        }
        options.add(all);
    }

    /** The option whose shortest text is the longest; empty if there is none. */
    private static List<byte[]> longest(List<List<byte[]>> options) {
        List<byte[]> best = List.of();
        int bestLength = 0;
        for (List<byte[]> option : options) {
            int shortest = option.stream().mapToInt(t -> t.length).min().orElse(0);
            if (shortest > bestLength) {
                best = option;
                bestLength = shortest;
            }
        }
        return best;
    }
}
