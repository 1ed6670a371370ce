package io.weir.lab.bench.jms;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.ProcessStat;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.jmsload.Measured;
import io.weir.lab.jmsload.Turn;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broker with its load. Immutable.
 *
 * @param name its name in the table
 * @param broker process whose time counts, with all its descendants
 * @param weir the broker, if it is a Weir
 */
record JmsContender(
        String name,
        long broker,
        JmsLoadProcess load,
        @Nullable WeirServer weir) {
    /**
     * The results of a turn.
     *
     * @param brokerMicros processor time of the broker for a message
     * @param clientMicros the same of the clients' JVM, both ends together
     */
    record Figures(Measured measured, double brokerMicros, double clientMicros) {
        /** The broker's time for a message that was sent, with all that it costs to deliver it. */
        double brokerMicrosOfSent() {
            return brokerMicros * measured.done() / measured.sent();
        }
    }

    Figures turn(Turn turn) throws Exception {
        Reading broker = new Reading(broker());
        Reading client = new Reading(load.pid());
        Measured measured = load.turn(
                turn,
                () -> {
                    broker.start();
                    client.start();
                },
                () -> {
                    broker.end();
                    client.end();
                });
        if (measured.done() == 0) {
            throw new BenchFailure(name + " delivered nothing: " + turn.line());
        }
        return new Figures(measured, broker.micros() / measured.done(), client.micros() / measured.done());
    }

    /** Processor time of a process between two moments. Confined to its creator. */
    private static final class Reading {
        private final long pid;
        private Map<Long, Long> before = Map.of();
        private Map<Long, Long> after = Map.of();

        Reading(long pid) {
            this.pid = pid;
        }

        void start() throws Exception {
            before = BenchProcesses.family(pid);
        }

        void end() throws Exception {
            after = BenchProcesses.family(pid);
        }

        double micros() {
            return ProcessStat.microsBetween(before, after);
        }
    }
}
