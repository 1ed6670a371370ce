package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members are taken in and out by commands while everything runs. */
@Tag("nightly")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MembershipCommandTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aFourthIsAddedAndOneIsRemovedWhileTheSingletonCounts() throws Exception {
        try (Store store = new Store();
                Fleet fleet = new Fleet(folder, store, "  lease: {time-to-live: 2s}\n")) {
            fleet.startAll();
            Store.Active active = store.await(_ -> true);
            fleet.extra("delta");
            fleet.start("delta");
            fleet.await("delta is refused", () -> fleet.fact("delta", "waiting").contains("./weir cluster add"));
            fleet.post("alpha", "/cluster/add?address=" + fleet.address("delta"));
            fleet.await(
                    "delta is in",
                    () -> fleet.fact("delta", "waiting").isEmpty()
                            && fleet.fact("delta", "membersLive").equals("4"));

            String out = Fleet.NAMES.stream()
                    .filter(n -> !n.equals(active.member()))
                    .findFirst()
                    .orElseThrow();
            fleet.server(out).stop();
            fleet.server(out).exit();
            fleet.await("it is gone", () -> fleet.fact("delta", "membersLive").equals("3"));
            assertThat(fleet.post("delta", "/cluster/remove?member=" + out)).contains(out + " was removed");
            store.awaitProgress(store.value());
            assertThat(store.violation()).isEmpty();
        }
    }
}
