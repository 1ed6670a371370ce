package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.run.ServerViews;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PortViewsTest {
    private final TestAdmin admin = new TestAdmin();
    private final PortViews views = new PortViews();
    private final BlockingQueue<ServerViews.Answer> answers = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        admin.close();
    }

    private boolean build(String path, @Nullable String query) {
        return views.build(path, query, answers::add);
    }

    private ServerViews.Answer answer() throws InterruptedException {
        return Objects.requireNonNull(answers.poll(2, TimeUnit.MINUTES));
    }

    private static String text(ServerViews.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void viewIsTheAdminListenersWithItsQuery() throws Exception {
        views.open(admin.listener());
        assertThat(build("/echo", "a=1&b=%20c&a=2")).isTrue();
        ServerViews.Answer answer = answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.contentType()).isEqualTo(AdminAnswer.TEXT);
        assertThat(text(answer)).isEqualTo("GET /echo {a=1, b= c} [] anonymous");
        assertThat(answer.fields()).containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void faultsAreAnsweredAsThere() throws Exception {
        views.open(admin.listener());
        assertThat(build("/echo", "a=%z")).isTrue();
        assertThat(answer().status()).isEqualTo(400);
        assertThat(build("/fails", null)).isTrue();
        ServerViews.Answer answer = answer();
        assertThat(answer.status()).isEqualTo(500);
        assertThat(text(answer)).doesNotContain("confidential");
    }

    @Test
    void asManyAsMayWaitAndNoMore() throws Exception {
        admin.router.get("/waits", _ -> {
            admin.hanging.await();
            return AdminAnswer.text("late");
        });
        views.open(admin.listener());
        for (int i = 0; i < PortViews.MAX_WAITING; i++) {
            assertThat(build("/waits", null)).as("%d", i).isTrue();
        }
        assertThat(build("/waits", null)).isFalse();
        assertThat(answers).isEmpty();
        admin.hanging.countDown();
        for (int i = 0; i < PortViews.MAX_WAITING; i++) {
            assertThat(text(answer())).isEqualTo("late");
        }
        assertThat(build("/echo", null)).isTrue();
        assertThat(text(answer())).contains("/echo");
        assertThat(answers).as("nothing is answered to who was refused").isEmpty();
    }

    @Test
    void thereAreNoneBeforeTheListenerOpensAndAfterItCloses() {
        assertThat(build("/echo", null)).isFalse();
        views.open(admin.listener());
        admin.listener().close();
        for (int i = 0; i < 2 * PortViews.MAX_WAITING; i++) {
            assertThat(build("/echo", null)).isFalse();
        }
        assertThat(answers).isEmpty();
    }
}
