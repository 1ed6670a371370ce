package io.weir.lab.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirXAConnectionFactory;
import io.weir.lab.cluster.Postgres;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction over a queue, a database and another queue has no half effect, whoever is killed when: each message is in
 * exactly one queue, and its row is there if, and only if, it is in the second. With a real transaction manager (Narayana),
 * PostgreSQL and H2. {@code -Dweir.kill.seed=N} repeats the nightly one's choices, {@code -Dweir.kill.deaths=N} says how
 * many die.
 */
@Tag("slow")
@Timeout(value = 240, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class XaKillTest {
    private static final int MESSAGES = 3;
    private static final long PATIENCE_SECONDS = 600;

    @TempDir
    Path folder = Path.of("");

    private int sent;

    @Test
    void whoDiesBetweenThePhasesLeavesNoHalfEffectOnPostgres() throws Exception {
        try (Postgres database = Postgres.start()) {
            run(
                    database.url(),
                    List.of(new Fault("database.prepare.after", true), new Fault("queue.commit.after", false)));
        }
    }

    @Test
    @Tag("nightly")
    void whoDiesBetweenThePhasesLeavesNoHalfEffectOnH2() throws Exception {
        run(h2(), List.of(new Fault("database.prepare.after", false), new Fault("queue.commit.before", true)));
    }

    @Test
    @Tag("nightly")
    void twoHundredDeathsLeaveNoHalfEffect() throws Exception {
        long seed = Long.getLong("weir.kill.seed", Chance.unseeded().random().nextLong());
        RandomGenerator chance = Chance.seeded(seed).random();
        int deaths = Integer.getInteger("weir.kill.deaths", 200);
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < deaths / 2; i++) {
            faults.add(Fault.of(chance.nextInt(2 * Fault.POINTS.size())));
        }
        System.out.println("XA and kill -9: seed " + seed + ", " + deaths + " deaths");
        try (Postgres database = Postgres.start()) {
            run(database.url(), faults);
        }
        run(h2(), faults);
    }

    private String h2() {
        return "jdbc:h2:file:" + folder.toAbsolutePath().resolve("moved") + ";WRITE_DELAY=0";
    }

    private void run(String database, List<Fault> faults) throws Exception {
        Path log = Files.createTempDirectory(folder, "manager");
        Path data = Files.createTempDirectory(folder, "server");
        try (Connection c = DriverManager.getConnection(database);
                Statement s = c.createStatement()) {
            s.execute("create table moved(id varchar(40))");
        }
        ProcessLauncher.Running server = start(data);
        try {
            for (int round = 0; round < faults.size(); round++) {
                Fault fault = faults.get(round);
                fill(server);
                int end = worker(server, database, log, fault, round % MESSAGES);
                assertThat(end)
                        .as("the worker's end at %s", fault)
                        .isEqualTo(fault.broker() ? Worker.BROKER_GONE : Worker.DIED);
                if (fault.broker()) {
                    server.close();
                    server = start(data);
                }
                assertThat(worker(server, database, log, Fault.NONE, 0))
                        .as("recovery after %s", fault)
                        .isZero();
                check(server, database, "after death " + round + ", at " + fault);
            }
        } finally {
            server.close();
        }
    }

    private static ProcessLauncher.Running start(Path data) throws Exception {
        Path file = Files.writeString(data.resolve("weir.yaml"), """
                listeners:
                  messaging: {address: 127.0.0.1, port: 0, protocol: weir}
                admin: {port: 0}
                messaging:
                  queues: {in: {}, out: {}}
                """);
        return Servers.launcher().start(file, data.resolve("data"), List.of());
    }

    private static String url(ProcessLauncher.Running server) {
        // what waits for the broker that it has killed would wait for long
        return "weir://127.0.0.1:" + server.port("messaging") + "?reconnect-policy=none";
    }

    private void fill(ProcessLauncher.Running server) {
        try (JMSContext context = new WeirConnectionFactory(url(server)).createContext()) {
            for (int i = 0; i < MESSAGES; i++) {
                context.createProducer().send(context.createQueue("in"), "m" + sent++);
            }
        }
    }

    private int worker(ProcessLauncher.Running server, String database, Path log, Fault fault, int when)
            throws IOException, InterruptedException {
        List<String> line = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                url(server),
                String.valueOf(server.pid()),
                database,
                log.toString(),
                fault.point(),
                fault.broker() ? "broker" : "client",
                String.valueOf(when));
        Path said = folder.resolve("worker.out");
        Process worker = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (!worker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the worker does not end: " + Files.readString(said));
            }
        } finally {
            worker.destroyForcibly();
        }
        if (worker.exitValue() == 1) {
            System.out.println(Files.readString(said));
        }
        return worker.exitValue();
    }

    /** Takes the messages out of both queues and compares them with the rows. */
    private void check(ProcessLauncher.Running server, String database, String when) throws Exception {
        List<String> all = new ArrayList<>();
        for (int i = sent - MESSAGES; i < sent; i++) {
            all.add("m" + i);
        }
        try (XAJMSContext context = new WeirXAConnectionFactory(url(server)).createXAContext()) {
            assertThat(take(context, "in"))
                    .as("left in the first queue %s", when)
                    .isEmpty();
            assertThat(take(context, "out")).as("moved %s", when).containsExactlyInAnyOrderElementsOf(all);
            assertThat(Worker.inDoubt(context.getXAResource()))
                    .as("in doubt %s", when)
                    .isZero();
        }
        try (Connection c = DriverManager.getConnection(database);
                Statement s = c.createStatement()) {
            assertThat(rows(s)).as("rows %s", when).containsExactlyInAnyOrderElementsOf(all);
            s.execute("delete from moved");
        }
    }

    private static List<String> take(JMSContext context, String queue) {
        List<String> found = new ArrayList<>();
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            for (String text = consumer.receiveBodyNoWait(String.class);
                    text != null;
                    text = consumer.receiveBodyNoWait(String.class)) {
                found.add(text);
            }
        }
        return found;
    }

    private static List<String> rows(Statement s) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery("select id from moved")) {
            while (r.next()) {
                found.add(r.getString(1));
            }
        }
        return found;
    }
}
