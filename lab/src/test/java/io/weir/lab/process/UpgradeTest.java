package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KeptPort;
import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.load.LoadOrigin;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an upgrade of several processes does to what only the first has: messaging, the cluster, its configuration. */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpgradeTest {
    private static final int PATIENCE_MILLIS = 120_000;
    private static final String ACTIVE = "NumberSingleton is active here";

    @TempDir
    Path folder = Path.of("");

    private static long pid(Path data, int number) throws IOException {
        return Files.readAllLines(data.resolve("weir.pid")).stream()
                .filter(l -> l.startsWith("worker." + number + "="))
                .mapToLong(l -> Long.parseLong(l.substring(l.indexOf('=') + 1)))
                .sum();
    }

    private static int free() throws IOException {
        return KeptPort.on(InetAddress.getLoopbackAddress());
    }

    private Path config(int messaging, int origin) throws IOException {
        Path config = Servers.reverse(folder, origin, """
                server: {processes: 2}
                messaging: {queues: {demo: {}}}
                singletons: {number: {class-name: io.weir.samples.singleton.NumberSingleton}}
                cluster: {initial-boot-delay: 0s}
                """);
        return Files.writeString(
                config,
                Files.readString(config)
                        .replace(
                                "listeners:\n",
                                "listeners:\n  messaging: {address: 127.0.0.1, port: " + messaging
                                        + ", protocol: weir}\n"));
    }

    /** Sends numbered messages for as long as it may, each until it is known to have arrived. */
    private static final class Sender implements Callable<Integer> {
        private final Session session;
        private final AtomicBoolean stop;
        private int unknown;

        Sender(Session session, AtomicBoolean stop) {
            this.session = session;
            this.stop = stop;
        }

        @Override
        public Integer call() throws JMSException {
            MessageProducer producer = session.createProducer(session.createQueue("demo"));
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            int next = 0;
            while (!stop.get()) {
                try {
                    producer.send(session.createTextMessage(Integer.toString(next)));
                    next++;
                } catch (JMSException e) {
                    // whether it arrived is unknown: it is sent again
                    unknown++;
                    assertThat(unknown).as("%s", e).isLessThan(1000);
                }
            }
            return next;
        }
    }

    @Test
    void messagesAndSingletonsOutliveIt() throws Exception {
        int port = free();
        Path data = folder.resolve("data");
        Servers.sample("singleton", data.resolve("lib"));
        Shell shell = new Shell(folder.resolve("shell"));
        AtomicBoolean stop = new AtomicBoolean();
        Set<String> received = ConcurrentHashMap.newKeySet();
        String url = "weir://127.0.0.1:" + port + "?reconnect-policy=all";
        try (LoadOrigin origin = new LoadOrigin();
                ProcessLauncher.Running weir = Servers.launcher().start(config(port, origin.port()), data, List.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection sending = new WeirConnectionFactory(url).createConnection();
                Connection receiving = new WeirConnectionFactory(url).createConnection()) {
            assertThat(Servers.within(PATIENCE_MILLIS, () -> said(weir, ACTIVE) == 1))
                    .isTrue();
            receiving
                    .createSession(false, Session.AUTO_ACKNOWLEDGE)
                    .createConsumer(receiving.createSession().createQueue("demo"))
                    .setMessageListener(m -> {
                        boolean _ = received.add(text(m));
                    });
            receiving.start();
            Future<Integer> sent =
                    threads.submit(new Sender(sending.createSession(false, Session.AUTO_ACKNOWLEDGE), stop));
            assertThat(Servers.within(PATIENCE_MILLIS, () -> received.size() > 50))
                    .isTrue();
            long old = pid(data, 1);
            shell.ok(data, "upgrade");
            assertThat(pid(data, 1)).isNotEqualTo(old);
            int before = received.size();
            assertThat(Servers.within(PATIENCE_MILLIS, () -> received.size() > before + 50))
                    .as("both came back by themselves")
                    .isTrue();
            stop.set(true);
            int all = sent.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            Servers.within(PATIENCE_MILLIS, () -> received.size() >= all);
            Set<String> missing = new HashSet<>();
            for (int i = 0; i < all; i++) {
                missing.add(Integer.toString(i));
            }
            missing.removeAll(received);
            assertThat(missing).as("of %s sent", all).isEmpty();
            assertThat(Servers.within(PATIENCE_MILLIS, () -> said(weir, ACTIVE) == 2))
                    .as("active in the new one")
                    .isTrue();
            assertThat(said(weir, ACTIVE + " no more")).isEqualTo(1);
            weir.stop();
            assertThat(weir.exit()).isZero();
        }
    }

    private static long said(ProcessLauncher.Running weir, String line) {
        return weir.log().stream().filter(line::equals).count();
    }

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneThatFailsChangesNothingAndOneThatDoesNotTakesTheFileAsItIs() throws Exception {
        Shell shell = new Shell(folder.resolve("shell"));
        Path data = folder.resolve("data");
        try (LoadOrigin origin = new LoadOrigin()) {
            Path config = config(free(), origin.port());
            String good = Files.readString(config).replaceFirst("singletons: .*\n", "");
            Files.writeString(config, good);
            try (ProcessLauncher.Running weir = Servers.launcher().start(config, data, List.of())) {
                List<Long> before = List.of(pid(data, 1), pid(data, 2));
                shell.ok(data, "jms send queue/demo", "kept");
                Files.writeString(config, good + "kernel: {drain-time-out: 7s}\n");
                shell.ok(data, "config reload");
                assertThat(value(weir, 1, "kernel.drain-time-out")).isEqualTo("7s");
                assertThat(value(weir, 2, "kernel.drain-time-out")).isEqualTo("7s");
                Files.writeString(config, good + "nonsense: 1\n");
                assertThat(shell.run(data, "config reload").code()).isNotZero();
                Shell.Said said = shell.run(data, "upgrade");
                assertThat(said.code()).isEqualTo(1);
                assertThat(said.err())
                        .contains("the old processes continue")
                        .contains(config + ":")
                        .contains("nonsense: unknown key");
                assertThat(List.of(pid(data, 1), pid(data, 2))).isEqualTo(before);
                assertThat(value(weir, 2, "kernel.drain-time-out")).isEqualTo("7s");
                Files.writeString(config, good);
                shell.ok(data, "upgrade");
                assertThat(List.of(pid(data, 1), pid(data, 2))).doesNotContainAnyElementsOf(before);
                assertThat(value(weir, 2, "kernel.drain-time-out"))
                        .as("the file as it is now")
                        .isEqualTo("30s");
                assertThat(shell.ok(data, "jms receive queue/demo")).contains("kept");
                weir.stop();
                assertThat(weir.exit()).isZero();
            }
        }
    }

    /** The old first one is stopped when it is to let go: so long the new second is ready and the swap is to come. */
    @Test
    void newOneThatDiesBeforeTheSwapFailsItAndNoSlotStaysEmpty() throws Exception {
        Path data = folder.resolve("data");
        try (LoadOrigin origin = new LoadOrigin();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Path config = config(free(), origin.port());
            Files.writeString(
                    config,
                    Files.readString(config)
                            .replaceFirst("singletons: .*\n", "")
                            .replace("{processes: 2}", "{processes: 2, hang-time-out: 10m}"));
            try (ProcessLauncher.Running weir = Servers.launcher().start(config, data, List.of())) {
                List<Long> before = List.of(pid(data, 1), pid(data, 2));
                Signals.send("STOP", before.getFirst());
                Shell shell = new Shell(folder.resolve("shell"));
                Future<Shell.Said> upgrade = threads.submit(() -> shell.run(data, "upgrade"));
                Pattern ready = Pattern.compile("Worker 2 is ready: process ([0-9]+)");
                assertThat(Servers.within(
                                PATIENCE_MILLIS, () -> readyOnes(data, ready).size() == 2))
                        .isTrue();
                long second = readyOnes(data, ready).getLast();
                Signals.send("KILL", second);
                Signals.send("CONT", before.getFirst());
                Shell.Said said = upgrade.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                assertThat(said.code()).as(said.toString()).isEqualTo(1);
                assertThat(said.err()).contains("worker 2 (process " + second + ") ended with signal 9");
                assertThat(pid(data, 2)).isEqualTo(before.getLast());
                assertThat(Servers.within(
                                PATIENCE_MILLIS,
                                () -> value(weir, 1, "kernel.drain-time-out").equals("30s")))
                        .isTrue();
                shell.ok(data, "jms send queue/demo", "kept");
                assertThat(shell.ok(data, "jms receive queue/demo")).contains("kept");
                weir.stop();
                assertThat(weir.exit()).isZero();
            }
        }
    }

    /** The old first one is stopped when it is to let go, so that the stop of the server comes before the swap. */
    @Test
    void oneThatAStopEndsIsSaidToBeStopped() throws Exception {
        Path data = folder.resolve("data");
        try (LoadOrigin origin = new LoadOrigin();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Path config = config(free(), origin.port());
            Files.writeString(
                    config,
                    Files.readString(config)
                            .replaceFirst("singletons: .*\n", "")
                            .replace("{processes: 2}", "{processes: 2, hang-time-out: 10m}"));
            try (ProcessLauncher.Running weir = Servers.launcher().start(config, data, List.of())) {
                long first = pid(data, 1);
                Signals.send("STOP", first);
                Shell shell = new Shell(folder.resolve("shell"));
                Future<Shell.Said> upgrade = threads.submit(() -> shell.run(data, "upgrade"));
                Pattern ready = Pattern.compile("Worker 2 is ready: process ([0-9]+)");
                assertThat(Servers.within(
                                PATIENCE_MILLIS, () -> readyOnes(data, ready).size() == 2))
                        .isTrue();
                Signals.send("TERM", weir.pid());
                Signals.send("CONT", first);
                Shell.Said said = upgrade.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                assertThat(said.code()).as(said.toString()).isEqualTo(1);
                assertThat(said.err()).contains("the upgrade was done").doesNotContain("continue");
                assertThat(weir.exit()).isZero();
                assertThat(Files.readString(data.resolve("logs/server.log")))
                        .doesNotContain("the old workers continue")
                        .doesNotContain("the old ones serve")
                        .contains("WEIR-170089");
            }
        }
    }

    private static List<Long> readyOnes(Path data, Pattern said) throws IOException {
        return said.matcher(Files.readString(data.resolve("logs/server.log")))
                .results()
                .map(m -> Long.parseLong(m.group(1)))
                .toList();
    }

    private static String value(ProcessLauncher.Running weir, int process, String key) throws IOException {
        String answer = new Counters(weir.port("admin"), SystemClock.INSTANCE)
                .fetch("/knobs?prefix=" + key + "&process=" + process);
        return answer.replaceFirst("(?s).*?\"value\":\"([^\"]*)\".*", "$1");
    }
}
