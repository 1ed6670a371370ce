package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is shown of a connection is of the request that it has now, not of the one before. */
class SessionStateTest {
    private final SessionState state = new SessionState(0);

    private Session row(long now) {
        return Objects.requireNonNull(state.row(1, InetAddress.getLoopbackAddress(), now));
    }

    @Test
    void whatArrivesHasNothingOfTheRequestBefore() {
        state.begin("GET", "/before", "default", 100);
        state.function("proxy-retrieve");
        assertThat(row(150).age()).hasNanos(50);
        state.arriving();
        assertThat(row(1000)).satisfies(s -> {
            assertThat(s.age()).isZero();
            assertThat(s.uri()).isEmpty();
            assertThat(s.method()).isEmpty();
            assertThat(s.function()).isEmpty();
            assertThat(s.virtualServer()).isEmpty();
        });
        state.awaited(1000);
        assertThat(row(1200).age()).hasNanos(200);
        state.begin("GET", "/next", "default", 1300);
        assertThat(row(1300).function()).as("none runs yet").isEmpty();
        state.awaited(2000);
        assertThat(row(2300).age()).as("a body that comes later").hasNanos(1000);
    }
}
