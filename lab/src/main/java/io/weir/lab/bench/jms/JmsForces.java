package io.weir.lab.bench.jms;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Exposition;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.WeirServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rate of a persistent producer by that of the disk's forced writes, which is probed in turn with the producer: writes
 * as large as the journal's batches, into a file like its segments, with its system call, on its processor. Confined to
 * its creator; lives for one scenario.
 */
final class JmsForces {
    /** Fraction of the forced writes a second that a single persistent producer should reach. */
    static final double TARGET = 0.6;

    /** Length of a probe: the disk's rate changes within seconds. */
    private static final int PROBE_MILLIS = 500;
    /** Bytes of a batch before the first turn has shown them: a message of 1 KB in blocks of 512 bytes. */
    private static final int USUAL_BATCH = 1536;

    private static final int BLOCK = 512;
    private static final String BUSY =
            "more messages than forced writes, though each is one: not judged, measure again on a quiet machine\n";

    private static final Map<String, String> JOURNAL = Map.of("journal", "messages");
    private final String name;
    private final List<Turned> turns = new ArrayList<>();
    private int batch = USUAL_BATCH;

    /**
     * A turn between two probes.
     *
     * @param rate messages a second
     * @param probed forced writes a second, the mean of both probes
     */
    private record Turned(double rate, double probed, Written written) {}

    /** What a journal wrote so far, or between two moments. */
    record Written(double forces, double bytes, double seconds) {
        static Written of(Exposition figures) throws BenchFailure {
            return new Written(
                    figures.value("weir_journal_forces_total", JOURNAL),
                    figures.value("weir_journal_bytes_total", JOURNAL),
                    figures.value("weir_journal_force_seconds_sum", JOURNAL));
        }

        Written since(Written before) {
            return new Written(forces - before.forces, bytes - before.bytes, seconds - before.seconds);
        }
    }

    JmsForces(String name) {
        this.name = name;
    }

    /** Forced writes a second, now. */
    double probe(LineProcess probe) throws Exception {
        String answer = probe.order(batch + " " + PROBE_MILLIS);
        try {
            return Double.parseDouble(answer);
        } catch (NumberFormatException e) {
            throw new BenchFailure("the probe of forced writes says: " + answer, e);
        }
    }

    static Written written(WeirServer weir) throws Exception {
        return Written.of(weir.figures());
    }

    /** Adds a turn; the next probes write what it wrote. */
    void add(double rate, double before, double after, Written written) {
        turns.add(new Turned(rate, (before + after) / 2, written));
        if (written.forces > 0) {
            batch = (int) Math.max(1, Math.round(written.bytes / written.forces / BLOCK)) * BLOCK;
        }
    }

    String text(Chance chance) {
        PairedRatio share = PairedRatio.of(
                turns.stream().mapToDouble(Turned::rate).toArray(),
                turns.stream().mapToDouble(Turned::probed).toArray(),
                chance);
        Table table = new Table("what", "ratio [95 % interval]", "target", "verdict");
        // each message is a forced write: with more of them than forced writes, the probes found the disk, or the
        // processor, busier than the turns did
        boolean judged = share.median() <= 1;
        table.row(
                "messages/s by forced writes/s, " + name,
                share.text(),
                ">= " + TARGET,
                judged ? TargetVerdict.atLeast(share, TARGET).text() : TargetVerdict.OPEN.text());
        return table.text() + "\n" + explained() + (judged ? "" : BUSY);
    }

    private String explained() {
        double forces = turns.stream().mapToDouble(t -> t.written.forces).sum();
        double bytes = turns.stream().mapToDouble(t -> t.written.bytes).sum();
        double seconds = turns.stream().mapToDouble(t -> t.written.seconds).sum();
        double probed =
                PairedRatio.median(turns.stream().mapToDouble(Turned::probed).toArray());
        double rate =
                PairedRatio.median(turns.stream().mapToDouble(Turned::rate).toArray());
        return String.format(
                Locale.ROOT,
                "%s: %.0f messages/s at %.0f forced writes/s of %d bytes, each message %.0f us; in the broker %.0f bytes a"
                        + " force, %.0f us each; a probe's write %.0f us%n",
                name,
                rate,
                probed,
                batch,
                1e6 / rate,
                bytes / Math.max(1, forces),
                1e6 * seconds / Math.max(1, forces),
                1e6 / probed);
    }
}
