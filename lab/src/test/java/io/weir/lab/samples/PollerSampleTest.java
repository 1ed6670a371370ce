package io.weir.lab.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.process.Shell;
import io.weir.lab.scenario.ProcessLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code samples/poller}: two servers that share a directory and a database; the poller runs on one of them. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class PollerSampleTest {
    private static final int PATIENCE_MILLIS = 30_000;

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start(String name, String url) throws Exception {
        Path data = folder.resolve(name);
        Servers.sample("poller", data.resolve("lib"));
        return Servers.launcher()
                .start(
                        House.root().resolve("samples/poller/weir.yaml"),
                        data,
                        List.of(
                                "cluster.member=" + name,
                                "cluster.leasing=database",
                                "cluster.database.url=" + url,
                                "cluster.lease.time-to-live=2s",
                                "listeners.messaging.port=0",
                                "admin.port=0",
                                "singletons.poller.properties.folder=" + folder.resolve("polled"),
                                "singletons.poller.properties.interval-millis=20"));
    }

    @Test
    void theArchiveAsItIsBuiltIsDeployed() throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {address: 127.0.0.1, port: 0, protocol: weir}
                admin: {port: 0}
                """);
        Path data = folder.resolve("deployed");
        Path jar = Servers.sample("poller", folder.resolve("built"));
        Shell shell = new Shell(folder.resolve("shell"));
        try (ProcessLauncher.Running _ = Servers.launcher()
                .start(config, data, List.of("singletons.poller.properties.folder=" + folder.resolve("polled")))) {
            assertThat(shell.ok(data, "deploy", jar.toString()))
                    .startsWith("weir-sample-poller deployed, version ")
                    .contains("poller is active on ");
            Files.writeString(folder.resolve("polled/inbox/a.txt"), "one\n");
            assertThat(done("a.txt")).startsWith("a.txt: 1 lines, under fence ");
        }
    }

    /** Treated, and not claimed any more: what is still claimed is treated again by the next. */
    private String done(String file) throws Exception {
        Path result = folder.resolve("polled/done").resolve(file);
        Path claimed = folder.resolve("polled/work").resolve(file);
        assertThat(Servers.within(PATIENCE_MILLIS, () -> Files.exists(result) && Files.notExists(claimed)))
                .as("%s is treated", file)
                .isTrue();
        return Files.readString(result);
    }

    private static boolean tells(ProcessLauncher.Running server, String file) {
        return server.log().stream().anyMatch(line -> line.startsWith(file));
    }

    @Test
    void filesAreTreatedByOneServerAndByTheNextWhenThatOneIsKilled() throws Exception {
        Server database =
                Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:weir;DB_CLOSE_DELAY=-1";
        try (ProcessLauncher.Running first = start("server1", url)) {
            assertThat(Servers.within(PATIENCE_MILLIS, () -> Files.exists(folder.resolve("polled/inbox"))))
                    .isTrue();
            try (ProcessLauncher.Running second = start("server2", url)) {
                Files.writeString(folder.resolve("polled/inbox/a.txt"), "one\ntwo\n");
                assertThat(done("a.txt")).startsWith("a.txt: 2 lines, under fence 1.1");
                first.kill();
                Files.writeString(folder.resolve("polled/inbox/b.txt"), "one\n");
                assertThat(done("b.txt")).startsWith("b.txt: 1 lines, under fence 1.2");
                assertThat(Servers.within(PATIENCE_MILLIS, () -> tells(second, "b.txt")))
                        .isTrue();
                assertThat(tells(second, "a.txt")).isFalse();
            }
        } finally {
            database.stop();
        }
    }
}
