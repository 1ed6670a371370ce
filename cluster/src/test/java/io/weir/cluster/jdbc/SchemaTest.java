package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weir.base.Log;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables, and what an operator says about the database. */
class SchemaTest {
    private static final Duration RENEW = Duration.ofSeconds(3);

    private static Database database(Map<String, String> keys, Log log) {
        return Database.of(Settings.database(keys), "weir", RENEW, SchemaTest.class.getClassLoader(), log, new Stats());
    }

    @Test
    void missingTablesAreMadeOnceAndToldOf() throws SQLException {
        String url = "jdbc:h2:mem:schema1;DB_CLOSE_DELAY=-1";
        RecordingLog log = new RecordingLog();
        Database database = database(Map.of("url", url), log);
        Schema.ensure(database, true);
        Schema.ensure(database, true);
        assertThat(log.count(DatabaseMessages.CREATED)).isEqualTo(3);
        assertThatCode(() -> Schema.ensure(database, false)).doesNotThrowAnyException();
    }

    @Test
    void withoutCreateTablesTheStartIsRefusedWithTheStatementsWhichDo() throws SQLException {
        String url = "jdbc:h2:mem:schema2;DB_CLOSE_DELAY=-1";
        Database database = database(Map.of("url", url), Log.NONE);
        assertThatIllegalStateException()
                .isThrownBy(() -> Schema.ensure(database, false))
                .withMessageContaining("CLUSTER_LEASE")
                .withMessageContaining(Schema.script(Dialect.H2, ""));
        try (Connection c = DriverManager.getConnection(url);
                Statement s = c.createStatement()) {
            for (String statement : Schema.script(Dialect.H2, "").split(";", -1)) {
                if (!statement.isBlank()) {
                    s.execute(statement);
                }
            }
        }
        assertThatCode(() -> Schema.ensure(database, false)).doesNotThrowAnyException();
    }

    @Test
    void tablesStandInASchemaOfTheirOwn() throws SQLException {
        String url = "jdbc:h2:mem:schema3;DB_CLOSE_DELAY=-1";
        try (Connection c = DriverManager.getConnection(url);
                Statement s = c.createStatement()) {
            s.execute("create schema CLUSTERS");
        }
        Schema.ensure(database(Map.of("url", url, "table-prefix", "CLUSTERS.WEIR_"), Log.NONE), true);
        try (Connection c = DriverManager.getConnection(url);
                Statement s = c.createStatement()) {
            assertThat(s.execute("select * from CLUSTERS.WEIR_CLUSTER_LEASE")).isTrue();
        }
    }

    /** {@code -Ddocs.write=true} writes them anew. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theFilesForAdministratorsAreTheSame(Dialect dialect) throws IOException {
        Path file = root().resolve("docs/sql/" + dialect.name().toLowerCase(java.util.Locale.ROOT) + ".sql");
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, Schema.script(dialect, ""));
        }
        assertThat(file).hasContent(Schema.script(dialect, ""));
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve(".mvn"))) {
            at = Objects.requireNonNull(at.getParent());
        }
        return at;
    }

    @Test
    void whatCannotBeUsedIsRefusedWithTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> database(Map.of("url", "jdbc:oracle:thin:@db"), Log.NONE))
                .withMessageContaining("supported are PostgreSQL");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> database(Map.of("url", "jdbc:h2:mem:x", "table-prefix", "a; drop"), Log.NONE))
                .withMessageContaining("table-prefix");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> database(Map.of("url", "jdbc:h2:mem:x", "statement-time-out", "3s"), Log.NONE))
                .withMessageContaining("shorter than the renewal interval");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> database(Map.of("url", "jdbc:h2:mem:x", "driver", "no.such.Driver"), Log.NONE))
                .withMessageContaining("no.such.Driver");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Database.of(
                        Settings.database(Map.of("url", "jdbc:h2:mem:x")),
                        "weir",
                        RENEW,
                        ClassLoader.getPlatformClassLoader(),
                        Log.NONE,
                        new Stats()))
                .withMessageContaining("lib-dir");
    }

    @Test
    void statementsAreShorterThanHalfAnIntervalOfRenewals() {
        assertThat(database(Map.of("url", "jdbc:h2:mem:x"), Log.NONE).statement())
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(database(Map.of("url", "jdbc:h2:mem:x", "driver", "org.h2.Driver"), Log.NONE)
                        .statement())
                .isEqualTo(Duration.ofMillis(1500));
    }
}
