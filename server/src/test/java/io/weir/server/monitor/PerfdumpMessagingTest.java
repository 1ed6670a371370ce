package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Facts;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Perfdump's sections of messaging, label for label as docs/monitoring.md lists them. */
class PerfdumpMessagingTest {
    private final FakeSource source = new FakeSource();

    private String dump() {
        return new Perfdump(source, ZoneOffset.UTC, 1_225_962_300_000L).write(true);
    }

    @Test
    void sectionsFollowThoseOfTheSeed() {
        String before = dump();
        source.messaging = FakeSource.someMessaging();

        assertThat(dump()).isEqualTo(before + """
                MessagingInfo:
                -----------------------------------------
                Connections                                1
                Sessions                                   1
                Blocked Sessions                           1
                One-Way Sends/Dropped                      7/2
                Receives/Timeouts                          5/4
                Committed/Rolled Back                      9/3
                Refused Requests                           6
                Slow Consumers                             8
                Temporary Destinations                     40
                Temporary Messages Current/Total/Pending   30/200/20
                Temporary Bytes Current/Total/Pending      3000/20000/2000
                Hanging Muxers                             3

                JournalInfo messages:
                -----------------------------------------
                State                                      ok
                Records                                    1000
                Forces                                     40
                Records per Force                          25.00
                Force Latency Average/50%/99%/Most         2.000/1.500/9.000/12.000 milliseconds
                Bytes Written                              512000
                Segments                                   3
                Disk Bytes                                 4000000
                Live Ratio                                 1000000/4000000 ( 25.00%)
                Live Entries                               77
                Groups Queued                              2
                Entries Never Written                      11
                Refused/Failed Writes                      5/1

                Destinations:
                -----------------------------------------------------------------------------------------------------------------------------------------------------------------------------
                Destination   Messages  High  Total  Pending  Bytes  BytesHigh  BytesTotal  BytesPending  Consumers  Producers  QuotaWaits  Redelivered  Expired  Paused       AsOf
                queue/demo    3         50    900    2        300    5000       90000       200           2          1          6           4            5        -            -
                topic/<news>  0         50    900    2        0      5000       90000       200           2          1          6           4            5        consumption  12 seconds ago

                MessagingConnections:
                ----------------------------------------------------------------------------------------------------------------------
                Connection  User  ClientID  Address        Started  Sessions  Blocked  Unacknowledged  Temporaries  WaitingBytes  AsOf
                1a2b        joe   till-7    10.0.0.1:4000  yes      1         1        12              4            99            -

                MessagingSessions:
                -------------------------------------------------------------------------------------------------------------------
                Connection  Session  User  ClientID  Mode    Window  Blocked  OneWay  Unacknowledged  Consumers  WaitingSends  AsOf
                1a2b        1        joe   till-7    client  10/10   yes      7       12              2          1             -

                """);
    }

    @Test
    void thereIsNothingOfMessagingWhileItDoesNotRun() {
        assertThat(dump()).doesNotContain("MessagingInfo", "JournalInfo", "Destinations:");
    }

    @Test
    void rowsAreBoundedAndWhatIsCutIsSaid() {
        List<MessagingFigures.Destination> many = new ArrayList<>();
        List<MessagingFigures.Session> sessions = new ArrayList<>();
        for (int i = 0; i < MessagingFigures.MAX_ROWS + 5; i++) {
            many.add(FakeSource.destination("queue/" + i, 1, 0));
            sessions.add(new MessagingFigures.Session(1, i, "u", "", "a", "auto", 0, -1, false, 0, 0, 0, 0, false, 0));
        }
        source.messaging = FakeSource.messaging(many, sessions);

        assertThat(dump())
                .contains(
                        "1000 of 1005 are shown, at most 1000\n\nMessagingConnections:",
                        "\n1           999      u     -         auto  0/unlimited  no")
                .endsWith("1000 of 1005 are shown, at most 1000\n\n");
        assertThat(dump()).contains("queue/999").doesNotContain("queue/1000", "queue/1004");
    }

    @Test
    void journalThatIsSuspendedSaysWhy() {
        MessagingFigures m = FakeSource.someMessaging();
        MessagingFigures.Journal j = m.journal();
        assertThat(j).isNotNull();
        MessagingFigures.Journal full = new MessagingFigures.Journal(
                "messages", "no room\non the disk", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        source.messaging = new MessagingFigures(m.totals(), m.destinations(), full, m.connections(), m.sessions());
        assertThat(dump())
                .contains(
                        "State                                      suspended: no room?on the disk\n",
                        "Records per Force                          0.00\n");
        source.messaging = new MessagingFigures(m.totals(), m.destinations(), null, m.connections(), m.sessions());
        assertThat(dump()).contains("MessagingInfo:").doesNotContain("JournalInfo");
    }

    @Test
    void statisticsThatAreOffLeaveTheSeedsLine() {
        source.messaging = FakeSource.someMessaging();
        assertThat(new Perfdump(source, ZoneOffset.UTC, 0).write(false)).isEqualTo("Statistics disabled\n");
    }

    @Test
    void messagingListenersHaveTheirSchemeAndNoVirtualServer() {
        source.listeners = List.of(new Facts.Listener("m", "0.0.0.0:7001", "weirs", 1, "default", true));
        assertThat(dump())
                .contains(
                        "Address                   weirs://0.0.0.0:7001\nAcceptor Threads          1\n\nKeepAliveInfo:");
    }
}
