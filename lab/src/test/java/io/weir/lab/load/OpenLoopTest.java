package io.weir.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
    @Test
    void everyRequestThatWasDueIsAnsweredAndTimed() throws Exception {
        try (LoadOrigin origin = new LoadOrigin()) {
            OpenLoop.Found found =
                    OpenLoop.run(new OpenLoop.Plan(origin.port(), "/bytes/20000", 500, 1, 4, 0), SystemClock.INSTANCE);
            assertThat(found.unanswered()).isZero();
            assertThat(found.nanos().getTotalCount()).isEqualTo(500);
            assertThat(origin.requests()).isEqualTo(500);
        }
    }

    /** A closed loop would have seen one slow answer: here all that were due meanwhile are late. */
    @Test
    void pauseOfTheServerIsCountedForAllThatWereDueInIt() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CountDownLatch over = new CountDownLatch(1);
            Thread server = Thread.ofPlatform().start(() -> pausing(listening, over));
            OpenLoop.Found found =
                    OpenLoop.run(new OpenLoop.Plan(listening.getLocalPort(), "/", 1000, 1, 1, 0), SystemClock.INSTANCE);
            over.countDown();
            server.join();
            assertThat(found.nanos().getTotalCount()).isEqualTo(1000);
            assertThat(laterThan50Millis(found.nanos()))
                    .as("answers later than 50 ms, of a pause of 300 ms")
                    .isGreaterThan(200);
            assertThat(laterThan50Millis(found.late()))
                    .as("it was not the load's")
                    .isLessThan(200);
        }
    }

    private static long laterThan50Millis(Histogram nanos) {
        return nanos.getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(50), Long.MAX_VALUE / 2);
    }

    /** The clock jumps: to the load that is as if it had been stopped for so long. */
    @Test
    void pauseOfTheLoadIsToldForAllThatWereDueInIt() throws Exception {
        AtomicLong calls = new AtomicLong();
        Clock jumping = stopped(calls, 500, TimeUnit.MILLISECONDS.toNanos(300));
        try (LoadOrigin origin = new LoadOrigin()) {
            OpenLoop.Found found = OpenLoop.run(new OpenLoop.Plan(origin.port(), "/bytes/10", 1000, 1, 2, 0), jumping);
            assertThat(found.nanos().getTotalCount()).isEqualTo(1000);
            assertThat(found.late().getTotalCount()).isEqualTo(1000);
            assertThat(laterThan50Millis(found.late()))
                    .as("whatever connections were free")
                    .isGreaterThan(200);
            assertThat(found.busy()).isBetween(0.0, 1.0);
        }
    }

    /** A clock that jumps once, at one of its calls. */
    private static Clock stopped(AtomicLong calls, long at, long nanos) {
        return new Clock() {
            @Override
            public long nanos() {
                return SystemClock.INSTANCE.nanos() + (calls.incrementAndGet() > at ? nanos : 0);
            }

            @Override
            public long millis() {
                return SystemClock.INSTANCE.millis();
            }
        };
    }

    /** Answers at once but for one pause of 300 ms, waited for on a latch that nobody opens in time. */
    private static void pausing(ServerSocket listening, CountDownLatch over) {
        try (Socket socket = listening.accept()) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 1000; i++) {
                int newlines = 0;
                while (newlines < 3) {
                    newlines += in.read() == '\n' ? 1 : 0;
                }
                if (i == 100 && over.await(300, TimeUnit.MILLISECONDS)) {
                    return;
                }
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
