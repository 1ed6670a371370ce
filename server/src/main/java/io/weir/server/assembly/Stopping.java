package io.weir.server.assembly;

import io.weir.base.Durations;
import io.weir.kernel.DrainReport;
import io.weir.kernel.Kernel;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.facts.ServerFacts;
import io.weir.server.log.ServerLog;
import io.weir.server.monitor.source.Facts;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stops a server, except for closing it: leaves the sockets of other processes and the cluster, then drains the
 * connections. Immutable.
 *
 * @param log receives each step
 */
public record Stopping(Kernel kernel, Siblings siblings, StatefulParts services, ServerFacts facts, ServerLog log) {
    /** Stops accepting and lets requests in flight finish; returns false if connections had to be reset. */
    public boolean drain(Duration timeOut) {
        begin(timeOut);
        return end(kernel.drain(timeOut), timeOut);
    }

    /** The same after another process has taken over: idle clients have half of the time for another request. */
    public boolean retire(Duration timeOut) {
        Duration grace = timeOut.dividedBy(2);
        begin(timeOut);
        return end(kernel.retire(grace, timeOut.minus(grace)), timeOut);
    }

    private void begin(Duration timeOut) {
        facts.phase(Facts.Phase.DRAINING);
        log.log(ServerMessages.SHUTDOWN_SIGNAL, Durations.format(timeOut));
        siblings.leave();
        services.asksNobody();
        services.leave(timeOut);
    }

    private boolean end(CompletableFuture<DrainReport> drain, Duration timeOut) {
        boolean clean = drained(drain, timeOut);
        facts.phase(Facts.Phase.STOPPED);
        return clean;
    }

    private boolean drained(CompletableFuture<DrainReport> drain, Duration timeOut) {
        try {
            DrainReport report = drain.get(timeOut.toMillis() + 10_000, TimeUnit.MILLISECONDS);
            log.log(ServerMessages.STOPPED, Durations.format(report.took().truncatedTo(ChronoUnit.MILLIS)));
            return report.clean();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.log(ServerMessages.STOP_FAILED, e);
        }
        return false;
    }
}
