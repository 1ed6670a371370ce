package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.process.Relay;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leases in a real database, which one member does not reach, or nobody: exposed, unexposed and WebLogic-shaped services let go
 * before others begin, as they say themselves. Each member has a way of its own to the database, which can be cut.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DatabaseAwayTest {
    private static final int SERVICES = 30;
    private static final String SETTINGS = """
              lease: {time-to-live: 5s, renew: 1s, margin: 400ms, grace: 1800ms}
              leasing: database
              initial-boot-delay: 1s
            """;
    /** From the moment when such a lease is let go, grace less margin before its end, to that of others, two margins later. */
    private static final long LET_GO_MILLIS = 2200;

    @TempDir
    Path folder = Path.of("");

    private final Placing placing = new Placing(SERVICES, List.of("plain", "exposed", "weblogic"));
    private final Map<String, Relay> ways = new LinkedHashMap<>();

    @Test
    @Tag("nightly")
    void whoDoesNotReachTheDatabaseLetsGoBeforeOthersBegin() throws Exception {
        Diaries diaries = new Diaries(folder, LET_GO_MILLIS);
        try (Postgres database = Postgres.start();
                Fleet fleet = new Fleet(folder, SETTINGS, "singletons:\n" + placing.entries())) {
            for (String name : fleet.names()) {
                Relay way = new Relay(database.port());
                ways.put(name, way);
                fleet.own(name, "  database: {url: \"" + Postgres.url(way.port()) + "\"}\n");
            }
            fleet.unlisted().startAll();
            placing.deploy(fleet, "deploy", folder, 1);
            allActive(fleet, diaries);
            for (String name : fleet.names()) {
                cutOff(name, fleet, diaries);
            }
            away(database, fleet, diaries);
            Diaries.Found found = diaries.found(false);
            System.out.println("database away, " + SERVICES + " services: " + found.told());
            assertThat(found.violations()).as(fleet.logs()).isEmpty();
        } finally {
            for (Relay way : ways.values()) {
                way.close();
            }
        }
    }

    /** All that it has is told to end, and is active elsewhere. */
    private void cutOff(String member, Fleet fleet, Diaries diaries) throws Exception {
        String process = Diaries.process(member, fleet.server(member).pid());
        Relay way = Objects.requireNonNull(ways.get(member));
        if (!diaries.busy(process)) {
            // it came up after all had their place
            fleet.post(
                    fleet.other(member),
                    "/cluster/migrate?name=" + placing.names().getFirst() + "&to=" + member);
        }
        fleet.await(member + " has something", () -> diaries.busy(process));
        way.cut();
        fleet.await(member + " lets go", () -> !diaries.busy(process));
        saysSo(member, fleet);
        allActive(fleet, diaries);
        way.heal();
        // so that it loses something the next time
        fleet.await(
                member + " is back",
                () -> !fleet.incarnation(member, fleet.other(member)).isEmpty());
        fleet.await(member + " is answered", () -> fleet.fact(member, "outage").isEmpty());
    }

    private static void saysSo(String member, Fleet fleet) throws Exception {
        fleet.await(
                member + " says what is away",
                () -> fleet.fact(member, "outage").startsWith("database away since "));
        assertThat(fleet.get(member, "/health")).contains("database away since ", "\"status\":\"warning\"");
    }

    private void away(Postgres database, Fleet fleet, Diaries diaries) throws Exception {
        database.down();
        for (String name : fleet.names()) {
            String process = Diaries.process(name, fleet.server(name).pid());
            fleet.await(name + " lets go", () -> !diaries.busy(process));
            saysSo(name, fleet);
        }
        database.up();
        allActive(fleet, diaries);
    }

    private void allActive(Fleet fleet, Diaries diaries) throws Exception {
        fleet.await(
                "all services are active",
                () -> diaries.inactive(placing.names()).isEmpty());
    }
}
