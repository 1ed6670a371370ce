package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.Routed;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadsTest {
    @TempDir
    private Path folder = Path.of("");

    private final SteppedClock clock = new SteppedClock(0);
    private final Stats stats = new Stats();
    private final AdminRouter router = new AdminRouter();

    private Uploads uploads() {
        Uploads uploads = new Uploads(folder.resolve("uploads"), 10, 4096, clock, stats);
        uploads.register(router);
        return uploads;
    }

    private AdminAnswer post(Map<String, String> query, String body) throws Exception {
        return Routed.ask(router, "POST", "/cluster/upload", query, "joe", body);
    }

    private String begin() throws Exception {
        String text = post(Map.of(), "").body();
        assertThat(text).matches("\\{\"upload\":\"[0-9a-f]{32}\",\"piece\":3072}\n");
        return text.substring(11, 43);
    }

    private int piece(String id, long offset, String bytes) throws Exception {
        String body = Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.US_ASCII));
        return post(Map.of("id", id, "offset", Long.toString(offset)), body).status();
    }

    private long counted(String outcome) {
        return stats.value(ClusterStats.UPLOADS, outcome);
    }

    @Test
    void piecesBecomeTheFileOnce() throws Exception {
        Uploads uploads = uploads();
        String id = begin();
        assertThat(piece(id, 0, "hello")).isEqualTo(200);
        assertThat(piece(id, 5, "there")).isEqualTo(200);
        assertThat(Objects.requireNonNull(uploads.take(id))).hasContent("hellothere");
        assertThat(uploads.take(id)).isNull();
        assertThat(piece(id, 10, "!")).isEqualTo(404);
        assertThat(counted("taken")).isEqualTo(1);
    }

    @Test
    void aPieceOutOfOrderTooLargeOrMalformedIsRefused() throws Exception {
        Uploads uploads = uploads();
        String id = begin();
        assertThat(piece(id, 3, "hello")).isEqualTo(409);
        assertThat(post(Map.of("id", id, "offset", "0"), "%").status()).isEqualTo(400);
        assertThat(piece(id, 0, "1234567890")).as("as large as may be").isEqualTo(200);
        assertThat(piece(id, 10, "x")).isEqualTo(413);
        assertThat(uploads.take(id)).isNull();
        assertThat(folder.resolve("uploads")).isEmptyDirectory();
        assertThat(counted("refused")).isEqualTo(3);
    }

    /** A full disk may have taken a part of it. */
    @Test
    void aPieceThatCannotBeWrittenEndsItsUpload() throws Exception {
        uploads();
        String id = begin();
        Files.delete(folder.resolve("uploads").resolve(id));
        assertThatThrownBy(() -> piece(id, 0, "hello")).isInstanceOf(IOException.class);
        assertThat(piece(id, 0, "hello")).isEqualTo(404);
    }

    @Test
    void aBoundedNumberIsOnItsWayAndASilentOneMakesRoom() throws Exception {
        uploads();
        String first = begin();
        for (int i = 1; i < Uploads.MAX_UPLOADS; i++) {
            begin();
        }
        assertThat(post(Map.of(), "").status()).isEqualTo(503);
        clock.step(Uploads.PATIENCE.plus(Duration.ofSeconds(1)));
        begin();
        assertThat(piece(first, 0, "late")).isEqualTo(404);
        assertThat(counted("given-up")).isEqualTo(Uploads.MAX_UPLOADS);
    }

    @Test
    void whatAnEarlierProcessLeftIsDeleted() throws Exception {
        Path left = Files.createDirectories(folder.resolve("uploads")).resolve("left");
        Files.writeString(left, "x");
        uploads();
        begin();
        assertThat(left).doesNotExist();
    }

    @Test
    void whatCannotBeWrittenSaysWhichFile() throws Exception {
        uploads();
        String id = begin();
        Path file = folder.resolve("uploads").resolve(id);
        Files.delete(file);
        Files.createDirectory(file);
        assertThatThrownBy(() -> piece(id, 0, "hello"))
                .isInstanceOf(NotWritten.class)
                .hasMessageStartingWith(file.toAbsolutePath() + " cannot be written: ");
        assertThat(piece(id, 0, "hello")).as("it was given up").isEqualTo(404);
    }
}
