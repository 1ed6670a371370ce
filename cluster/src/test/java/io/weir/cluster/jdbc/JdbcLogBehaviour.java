package io.weir.cluster.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Log;
import io.weir.base.SystemClock;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.stats.ClusterStats;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log as a table, on one kind of database. */
abstract class JdbcLogBehaviour {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(10));

    private final Dialect dialect;
    private final List<JdbcLog> logs = new ArrayList<>();
    private long incarnations;
    private TestDatabase tables;

    JdbcLogBehaviour(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void create() throws SQLException {
        tables = TestDatabase.of(dialect);
    }

    @AfterEach
    void drop() throws SQLException {
        logs.forEach(JdbcLog::close);
        tables.close();
    }

    private JdbcLog open(String member, Book book) {
        return open(tables.plain(), member, book, Map.of());
    }

    private JdbcLog open(Database database, String member, Book book, Map<String, String> settings) {
        JdbcLog log = JdbcLog.open(
                database,
                Settings.database(Map.of("poll", "10ms")),
                Settings.log(settings),
                TIMES,
                new Owner(member, ++incarnations),
                book,
                SystemClock.INSTANCE);
        logs.add(log);
        return log;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static long submit(JdbcLog log, String text) throws Exception {
        return Long.parseLong(new String(Wait.on(log.submit(bytes(text))), UTF_8));
    }

    @Test
    void anEntryIsAppliedHereBeforeItsAnswerAndElsewhereSoon() throws Exception {
        Book mine = new Book();
        Book theirs = new Book();
        JdbcLog log = open("anna", mine);
        open("berta", theirs);
        assertThat(submit(log, "one")).isEqualTo(1);
        assertThat(mine.lines()).containsExactly("one");
        Wait.until("berta sees it", () -> theirs.lines().equals(List.of("one")));
        assertThat(log.status().applied()).isEqualTo(1);
    }

    @Test
    void concurrentWritersMakeOneOrderWithoutGapsOrLosses() throws Exception {
        List<Book> books = new ArrayList<>();
        List<JdbcLog> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            books.add(new Book());
            writers.add(open("m" + i, books.getLast()));
        }
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            for (int w = 0; w < writers.size(); w++) {
                answers.add(writers.get(w).submit(bytes(w + "/" + n)));
            }
        }
        List<Long> indexes = new ArrayList<>();
        for (CompletableFuture<byte[]> answer : answers) {
            indexes.add(Long.parseLong(new String(Wait.on(answer), UTF_8)));
        }
        assertThat(new HashSet<>(indexes)).hasSize(400);
        assertThat(indexes.stream().mapToLong(Long::longValue).max()).hasValue(400);
        Wait.until("all see all", () -> books.stream().allMatch(b -> b.lines().size() == 400));
        assertThat(books)
                .allSatisfy(
                        b -> assertThat(b.lines()).isEqualTo(books.getFirst().lines()));
        for (int w = 0; w < writers.size(); w++) {
            String prefix = w + "/";
            assertThat(books.getFirst().lines().stream().filter(l -> l.startsWith(prefix)))
                    .as("a member's own commands stay in their order")
                    .isSortedAccordingTo((a, b) -> Integer.parseInt(a.substring(2)) - Integer.parseInt(b.substring(2)));
        }
    }

    @Test
    void aBarrierSeesWhatWasCommittedAnywhereBefore() throws Exception {
        JdbcLog writer = open("anna", new Book());
        Book book = new Book();
        JdbcLog reader = open("berta", book);
        for (int i = 1; i <= 20; i++) {
            submit(writer, "n" + i);
            Wait.on(reader.barrier());
            assertThat(book.lines()).hasSizeGreaterThanOrEqualTo(i);
        }
    }

    @Test
    void oneLeadsAndTheNextOneWithAHigherTermWhenItYields() throws Exception {
        Book a = new Book();
        Book b = new Book();
        JdbcLog first = open("anna", a);
        Wait.until("anna leads", a::leading);
        JdbcLog second = open("berta", b);
        Wait.until("berta knows", () -> "anna".equals(second.status().leader()));
        assertThat(b.leading()).isFalse();
        long term = a.term();
        Wait.on(first.yieldLeadership());
        assertThat(a.leading()).isFalse();
        Wait.until("berta leads", b::leading);
        assertThat(b.term()).isGreaterThan(term);
        Wait.until("its status says so", () -> second.status().leading());
    }

    @Test
    void aSnapshotReplacesOldEntriesAndNewMembersBeginFromIt() throws Exception {
        Book book = new Book();
        JdbcLog log = open(tables.plain(), "anna", book, Map.of("snapshot-every", "300", "max-outstanding", "5000"));
        Wait.until("anna leads", book::leading);
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            answers.add(log.submit(bytes("n" + i)));
        }
        for (CompletableFuture<byte[]> answer : answers) {
            Wait.on(answer);
        }
        Wait.until("old entries are gone", () -> number("select min(SEQ) from " + tables.log()) > 1);
        assertThat(number("select count(*) from " + tables.log())).isGreaterThanOrEqualTo(LogTable.KEPT);
        assertThat(tables.stats.value(ClusterStats.SNAPSHOTS, "taken")).isPositive();
        Book late = new Book();
        JdbcLog other = open("berta", late);
        Wait.on(other.barrier());
        assertThat(late.lines()).isEqualTo(book.lines());
        assertThat(late.restored()).isEqualTo(1);
        assertThat(submit(other, "more")).isEqualTo(1501);
    }

    @Test
    void anAppendWhoseConnectionIsCutAfterTheCommitIsThereOnce() throws Exception {
        Cutting cutting = new Cutting(tables.plain().connector());
        Book book = new Book();
        JdbcLog log = open(tables.with(cutting, TestDatabase.STATEMENT, Log.NONE), "anna", book, Map.of());
        Wait.until("anna leads", book::leading);
        for (int i = 0; i < 5; i++) {
            cutting.afterNextCommitOf("insert into " + tables.log());
            submit(log, "n" + i);
            assertThat(cutting.cuts()).isEqualTo(i + 1);
        }
        assertThat(book.lines()).containsExactly("n0", "n1", "n2", "n3", "n4");
        assertThat(number("select count(*) from " + tables.log())).isEqualTo(5);
    }

    @Test
    void aRepeatedRequestIsNotAppendedEvenWhenItComesLate() throws Exception {
        JdbcLog log = open("anna", new Book());
        submit(log, "one");
        log.close();
        LogTable table = new LogTable(tables.plain(), "berta");
        Submission stuck = new Submission("stuck-1", bytes("late"), 0);
        stuck.base = 1;
        tables.execute("update " + tables.log() + " set SEQ = " + (LogTable.KEPT + 1) + " where SEQ = 1");
        try (Connection c = tables.plain().connector().open()) {
            assertThat(table.append(c, List.of(stuck), 1)).isZero();
            c.commit();
        }
        assertThat(number("select count(*) from " + tables.log())).isEqualTo(1);
    }

    @Test
    void commandsBeyondTheLimitAreRefusedAtOnce() throws Exception {
        JdbcLog log = open(tables.plain(), "anna", new Book(), Map.of("max-outstanding", "1"));
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            answers.add(log.submit(bytes("n" + i)));
        }
        int refused = 0;
        for (CompletableFuture<byte[]> answer : answers) {
            refused += Wait.failure(answer) instanceof LogFault f && f.kind() == LogFault.Kind.NOT_COMMITTED ? 1 : 0;
        }
        assertThat(refused).isPositive();
        assertThat(tables.stats.value(ClusterStats.SUBMITTED, "busy")).isEqualTo(refused);
        assertThat(Wait.failure(log.submit(new byte[LogTable.MAX_ENTRY + 1]))).isInstanceOf(LogFault.class);
    }

    @Test
    void whatIsOutstandingWhenItClosesIsTold() throws Exception {
        JdbcLog log = open("anna", new Book());
        submit(log, "one");
        log.close();
        assertThat(Wait.failure(log.submit(bytes("two"))))
                .isInstanceOfSatisfying(
                        LogFault.class, f -> assertThat(f.kind()).isEqualTo(LogFault.Kind.CLOSED));
        assertThat(Wait.failure(log.barrier())).isInstanceOf(LogFault.class);
    }

    @Test
    void withoutADatabaseCommandsSurelyDoNotHappenAndAllIsWellOnceItIsThere() throws Exception {
        Cutting cutting = new Cutting(tables.plain().connector());
        cutting.away(true);
        Book book = new Book();
        JdbcLog log = open(
                tables.with(cutting, TestDatabase.STATEMENT, Log.NONE),
                "anna",
                book,
                Map.of("submit-time-out", "200ms"));
        assertThat(Wait.failure(log.submit(bytes("lost"))))
                .isInstanceOfSatisfying(
                        LogFault.class, f -> assertThat(f.kind()).isEqualTo(LogFault.Kind.NOT_COMMITTED));
        assertThat(Wait.failure(log.barrier())).isInstanceOf(LogFault.class);
        cutting.away(false);
        Wait.until("anna leads", book::leading);
        assertThat(number("select count(*) from " + tables.log())).isZero();
    }

    private long number(String query) {
        try (Connection c = tables.connect();
                Statement s = c.createStatement();
                ResultSet r = s.executeQuery(query)) {
            r.next();
            return r.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
