package io.weir.lab.bench;

import io.weir.lab.bench.disk.DiskOptions;
import io.weir.lab.bench.growth.GrowthOptions;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.jms.JmsBenchOptions;
import io.weir.lab.bench.rules.RulesOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The command line of {@code weir bench}, of which nothing is measured. Lives for one call. */
public final class BenchLine {
    private final List<Object> asked = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CommandLine line =
            BenchCommand.line(asked::add, asked::add, asked::add, asked::add, asked::add, print(out), print(err));
    private final int code;

    /** Runs it. */
    public BenchLine(List<String> words) {
        code = line.execute(words.toArray(String[]::new));
    }

    static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** What a correct one asks for. */
    public static BenchOptions http(String words) {
        return (BenchOptions) only("http" + words);
    }

    /** What a correct one asks for. */
    public static JmsBenchOptions jms(String words) {
        return (JmsBenchOptions) only("jms" + words);
    }

    /** What a correct one asks for. */
    public static GrowthOptions growth(String words) {
        return (GrowthOptions) only("growth" + words);
    }

    /** What a correct one asks for. */
    public static RulesOptions rules(String words) {
        return (RulesOptions) only("rules" + words);
    }

    /** What a correct one asks for. */
    public static DiskOptions disk(String words) {
        return (DiskOptions) only("disk" + words);
    }

    private static Object only(String words) {
        BenchLine line = of(words);
        if (line.code != 0 || line.asked.size() != 1) {
            throw new AssertionError(words + ": " + line.code + " " + line.err());
        }
        return line.asked.getFirst();
    }

    /** Runs these, which have no blanks in them. */
    public static BenchLine of(String words) {
        return new BenchLine(List.of(words.split(" ")));
    }

    /** Exit status. */
    public int code() {
        return code;
    }

    /** Whether a measurement would have begun. */
    public boolean asks() {
        return !asked.isEmpty();
    }

    /** What it printed. */
    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What it said of errors. */
    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
