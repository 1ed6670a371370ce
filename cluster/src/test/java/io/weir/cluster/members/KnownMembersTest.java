package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.ratis.RatisPeer;
import io.weir.cluster.state.bytes.StateLimits;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KnownMembersTest {
    private final KnownMembers known = new KnownMembers();

    private static Introduction of(String name, String address) {
        return of(name, address, new UUID(1, 2), null);
    }

    private static Introduction of(String name, String address, UUID storage, @Nullable UUID cluster) {
        RatisPeer voter = new RatisPeer(name, storage, "127.0.0.1", 1, false);
        return new Introduction("weir", voter, address, cluster, null, List.of());
    }

    private void fill() {
        for (int i = 0; i < StateLimits.MEMBERS; i++) {
            assertThat(known.record(of("m" + i, "here:" + i))).isTrue();
        }
    }

    @Test
    void atTheBoundNobodyNewIsTakenDownAndWhoIsKnownIs() {
        fill();
        assertThat(known.record(of("another", "elsewhere:1"))).isFalse();
        assertThat(known.named("another")).isNull();
        assertThat(known.record(of("m7", "moved:7"))).isTrue();
        assertThat(known.named("m7")).isEqualTo(of("m7", "moved:7"));
        assertThat(known.all()).hasSize(StateLimits.MEMBERS);
    }

    @Test
    void atTheBoundAnotherNameTakesThePlaceOfTheOneAtItsAddress() {
        fill();
        assertThat(known.record(of("another", "here:7"))).isTrue();
        assertThat(known.named("m7")).isNull();
        assertThat(known.all()).hasSize(StateLimits.MEMBERS);
    }

    /** Whoever asked the leader would ask the stranger, which knows nothing. */
    @Test
    void aStrangerUnderTheNameOfOneInAClusterDoesNotTakeItsPlace() {
        UUID cluster = new UUID(3, 4);
        Introduction member = of("gamma", "here:1", new UUID(1, 2), cluster);
        Introduction stranger = of("gamma", "there:1", new UUID(5, 6), null);
        assertThat(known.record(member)).isTrue();
        assertThat(known.record(stranger)).isTrue();
        assertThat(known.named("gamma")).isEqualTo(member);
        Introduction letIn = of("gamma", "there:1", new UUID(5, 6), cluster);
        assertThat(known.record(letIn)).isTrue();
        assertThat(known.named("gamma")).isEqualTo(letIn);
    }
}
