package io.weir.server.admin;

import io.weir.base.ByteSize;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.listen.BindFailure;
import io.weir.server.admin.AdminRouter.Where;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * An admin listener on a free port with a few paths: {@code /echo} and {@code /slow} tell what they were asked,
 * {@code /fails} fails, {@code /hangs} waits for the test. Owned by one test.
 */
final class TestAdmin implements AutoCloseable {
    static final String TOKEN = "Authorization: Bearer secret-token";

    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final AdminRouter router = routes();
    /** Falls when a request hangs. */
    final CountDownLatch started = new CountDownLatch(1);
    /** Lets hanging requests go. */
    final CountDownLatch hanging = new CountDownLatch(1);

    private AdminConfig config = local(Duration.ofSeconds(10));
    private AdminUsers users = AdminUsers.NONE;
    private AdminListener listener = open();

    private AdminRouter routes() {
        AdminRouter routes = new AdminRouter();
        AdminHandler echo = r ->
                AdminAnswer.text(r.method() + " " + r.path() + " " + r.query() + " [" + r.body() + "] " + r.author());
        routes.get("/echo", echo);
        routes.on("PATCH", "/echo", Where.THREAD, echo);
        routes.on("GET", "/slow", Where.THREAD, echo);
        routes.get("/fails", _ -> {
            throw new IllegalStateException("confidential");
        });
        routes.on("GET", "/hangs", Where.THREAD, _ -> hang());
        return routes;
    }

    private AdminAnswer hang() throws InterruptedException {
        started.countDown();
        hanging.await();
        return AdminAnswer.text("late");
    }

    private AdminListener open() {
        try {
            AdminListener.Credentials credentials = new AdminListener.Credentials("secret-token"::equals, users);
            return AdminListener.open(config, router, credentials, SystemClock.INSTANCE, stats, log);
        } catch (BindFailure e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens it anew with these settings. */
    void reopen(AdminConfig settings) {
        config = settings;
        listener.close();
        listener = open();
    }

    /** Opens it anew for these users. */
    void reopen(AdminUsers realm) {
        users = realm;
        reopen(config);
    }

    InetSocketAddress address() {
        return listener.address();
    }

    AdminListener listener() {
        return listener;
    }

    RawClient client() throws IOException {
        return new RawClient(address());
    }

    /** On loopback, with a name of its own. */
    static AdminConfig local(Duration requestTimeOut) {
        return config("127.0.0.1", 64, requestTimeOut, Duration.ofSeconds(30));
    }

    /** One thread, a queue for one, bodies up to 4096 bytes. */
    static AdminConfig config(String address, int connections, Duration requestTimeOut, Duration keepAlive) {
        return new AdminConfig(
                true,
                address,
                0,
                List.of("admin.example"),
                connections,
                new ByteSize(4096),
                requestTimeOut,
                keepAlive,
                1,
                1,
                false);
    }

    @Override
    public void close() {
        hanging.countDown();
        listener.close();
    }
}
