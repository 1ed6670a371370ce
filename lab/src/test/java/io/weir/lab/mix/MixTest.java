package io.weir.lab.mix;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that the proxy does, at random and at once: see {@link Mix}. Clients of HTTP/1 and HTTP/2, from inside and from
 * where the rules keep them, ask origins of both for what may be stored, for what varies, for parts and on conditions; both
 * sides cut, break off, reset, read in sips, answer too early and too much; an operator forgets what is stored and changes knobs,
 * routes, servers and rules. Every status, byte, variant and permission is compared with what {@link Judge} says; in the end
 * every gauge is back.
 *
 * <p>{@code -Dmix.seconds=N} says for how long, which bounds how much is done. A failure prints its seed; {@code -Dmix.seed=N} makes the same
 * choices again, though threads and sockets meet in their own way. {@link Feature} says what can be left out.
 */
@Tag("slow")
class MixTest {
    private static final int SECONDS = Integer.getInteger("mix.seconds", 15);
    private static final int NIGHTLY_SECONDS = Integer.getInteger("mix.seconds", 3600);
    /** A server for each run: so much is kept in mind in a run, and so often everything must be back. */
    private static final int RUN_SECONDS = 20;

    private static final @Nullable Long SEED = Long.getLong("mix.seed");

    @TempDir
    Path folder = Path.of("");

    @Test
    void everythingAtOnceKeepsItsPromises() throws Exception {
        runs(SECONDS);
    }

    @Test
    @Tag("nightly")
    void everythingAtOnceKeepsItsPromisesForAnHour() throws Exception {
        runs(NIGHTLY_SECONDS);
    }

    private void runs(int seconds) throws Exception {
        long seed = SEED == null ? Chance.unseeded().random().nextInt(1_000_000_000) : SEED;
        long begun = SystemClock.INSTANCE.nanos();
        for (int run = 0; run == 0 || left(begun, seconds) > 0; run++) {
            one(SEED == null ? seed + run : seed, Math.min(RUN_SECONDS, Math.max(1, left(begun, seconds))));
        }
    }

    private static long left(long begun, int seconds) {
        return seconds - Duration.ofNanos(SystemClock.INSTANCE.nanos() - begun).toSeconds();
    }

    private void one(long seed, long seconds) throws Exception {
        System.out.println("mix: seed " + seed);
        Leaks leaks = new Leaks();
        Mix mix = new Mix(seed, Files.createTempDirectory(folder, "mix"), Duration.ofSeconds(seconds));
        mix.run();
        Ledger ledger = mix.ledger();
        assertThat(String.join("\n", ledger.violations()))
                .as("-Dmix.seed=%d makes these choices again\n%s", seed, ledger.counts())
                .isEmpty();
        assertThat(leaks.found()).as("leaked buffers, -Dmix.seed=%d", seed).isEmpty();
        System.out.println(ledger.counts());
    }
}
