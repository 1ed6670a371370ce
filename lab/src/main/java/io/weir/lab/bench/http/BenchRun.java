package io.weir.lab.bench.http;

import io.weir.base.Clock;
import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.Preflight;
import io.weir.lab.bench.process.BenchFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is around a measurement: the pre-flight before it, the servers that are stopped after it, also when the operator
 * interrupts, and the warning if the machine was busy. Lives for one run; confined to its thread.
 */
public final class BenchRun {
    private final Clock clock;
    private final PrintStream out;

    public BenchRun(Clock clock, PrintStream out) {
        this.clock = clock;
        this.out = out;
    }

    /** Makes the bed. */
    public interface Maker {
        Bed make() throws Exception;
    }

    /** Measures. */
    public interface Body {
        void measure(Bed bed) throws Exception;
    }

    /** Measures, and returns why no conclusion should be drawn; empty if the machine was quiet. */
    public List<String> run(String title, Maker maker, Body body) throws Exception {
        out.println(title);
        Preflight preflight = Preflight.measure(Path.of(System.getProperty("java.io.tmpdir")), clock);
        out.println(preflight.text());
        say(Findings.warning(preflight.reasons()));
        if (preflight.processors() < 2) {
            throw new BenchFailure("two processors are needed");
        }
        Bed bed = maker.make();
        Thread end = new Thread(() -> closeAtEnd(bed), "bench end");
        Runtime.getRuntime().addShutdownHook(end);
        try (bed) {
            body.measure(bed);
        }
        Runtime.getRuntime().removeShutdownHook(end);
        List<String> reasons = new ArrayList<>(preflight.reasons());
        if (Preflight.others(clock) > Preflight.MAX_OTHERS) {
            reasons.add("other programs use the processors at the end of the run");
        }
        say(Findings.warning(reasons));
        return reasons;
    }

    private void closeAtEnd(Bed bed) {
        try {
            bed.close();
        } catch (IOException e) {
            out.println("the temporary folder could not be deleted: " + e);
        }
    }

    private void say(String line) {
        if (!line.isEmpty()) {
            out.println(line);
        }
    }
}
