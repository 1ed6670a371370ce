package io.weir.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Log;
import io.weir.base.RecordingLog;
import io.weir.server.catalogue.ServerMessages;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class JdkLoggingTest {
    private final RecordingLog log = new RecordingLog();
    private final Logger logger = Logger.getLogger("org.example.Library");

    @BeforeEach
    void bridge() {
        JdkLogging.into(log);
    }

    @AfterEach
    void let() {
        JdkLogging.into(Log.NONE);
    }

    @Test
    void warningsAndErrorsReachTheServerLog() {
        logger.log(Level.WARNING, "{0} of {1} is gone", new Object[] {"one", "two"});
        logger.log(Level.SEVERE, "broken", new IllegalStateException("why"));
        assertThat(log.entries()).hasSize(2);
        assertThat(log.entries().getFirst().message()).isEqualTo(ServerMessages.JAVA_WARNING);
        assertThat(log.entries().getFirst().arguments()).containsExactly("Library", "one of two is gone");
        assertThat(log.entries().getLast().message()).isEqualTo(ServerMessages.JAVA_ERROR);
        assertThat(log.entries().getLast().arguments())
                .containsExactly("Library", "broken: java.lang.IllegalStateException: why");
    }

    @Test
    void lowerLevelsAreDroppedAndNothingGoesToTheConsole() {
        logger.info("chatter");
        assertThat(log.entries()).isEmpty();
        assertThat(Logger.getLogger("").getHandlers())
                .noneMatch(ConsoleHandler.class::isInstance)
                .hasAtLeastOneElementOfType(JdkLogging.class);
    }

    @Test
    void oneLoggersWarningsAreOneCauseWhateverTheySay() {
        logger.warning("first");
        logger.warning("second");
        assertThat(log.entries())
                .extracting(e -> e.arguments().getFirst())
                .as("the first argument is what repetitions are counted by")
                .containsOnly("Library");
    }

    @Test
    void secondServerTakesOverWithoutASecondHandler() {
        RecordingLog next = new RecordingLog();
        JdkLogging.into(next);
        logger.warning("once");
        assertThat(next.entries()).hasSize(1);
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void endlessTextIsCut() {
        logger.warning("x".repeat(100_000));
        assertThat(String.valueOf(log.entries().getFirst().arguments().get(1)))
                .hasSizeLessThan(JdkLogging.MAX_TEXT + 10)
                .endsWith("(cut)");
    }
}
