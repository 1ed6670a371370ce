package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingChanged;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The naming tree and its fences. */
class NamingTest {
    private static final BindingValue SERVICE =
            new BindingValue.Remote("poller", List.of(new BindingValue.Interface("app.Poller", 42)));
    private static final BindingValue TEXT = new BindingValue.Text("value");
    private static final String LEASE = "singleton/poller";

    private StateBench b = StateBench.of("a", "b");
    private Fence fence = Fence.NONE;

    @BeforeEach
    void run() {
        b = StateBench.of("a", "b");
        b.define(SingletonSpec.of("poller", "X"));
        fence = b.runs("poller");
    }

    @Test
    void aNameIsBoundUnderTheFenceOfItsLease() {
        b.ok(new NamingCommand.Bind("jms/poller", LEASE, fence, SERVICE));
        Binding bound = b.state.bindings().get("jms/poller");
        assertThat(bound).isEqualTo(new Binding("jms/poller", LEASE, fence, "a", SERVICE, b.state.applied()));
        assertThat(b.events(BindingChanged.class)).hasSize(1);
        b.ok(new NamingCommand.Bind("jms/poller", LEASE, fence, SERVICE));
        assertThat(b.events).as("the same again").isEmpty();
        b.ok(new NamingCommand.Unbind("jms/poller", LEASE, fence));
        b.ok(new NamingCommand.Unbind("jms/poller", LEASE, fence));
        assertThat(b.state.bindings()).isEmpty();
    }

    @Test
    void anOlderFenceIsRefusedForEachCommandAndCounted() {
        Fence old = new Fence(1, fence.counter() - 1);
        b.refused(new NamingCommand.Bind("x", LEASE, old, TEXT), Refusal.STALE_FENCE);
        b.refused(new NamingCommand.Rebind("x", LEASE, old, TEXT), Refusal.STALE_FENCE);
        b.refused(new NamingCommand.Unbind("x", LEASE, old), Refusal.STALE_FENCE);
        b.refused(new NamingCommand.Bind("x", "never", Fence.NONE, TEXT), Refusal.STALE_FENCE);
        b.refused(new NamingCommand.Bind("x", LEASE, new Fence(9, 9), TEXT), Refusal.STALE_FENCE);
        assertThat(b.state.fenceRefusals()).isEqualTo(5);
    }

    @Test
    void aFenceThatNobodyHoldsAnyMoreIsRefused() {
        b.releases("poller");
        b.refused(new NamingCommand.Bind("x", LEASE, fence, TEXT), Refusal.STALE_FENCE);
    }

    @Test
    void whatStoodUnderALeaseGoesWithItInTheSameEntry() {
        Fence life = b.fence("member/a");
        b.ok(new NamingCommand.Bind("one", LEASE, fence, SERVICE));
        b.ok(new NamingCommand.Bind("two", "member/a", life, TEXT));
        b.expire(LEASE);
        assertThat(b.state.bindings().keySet()).containsExactly("two");
        assertThat(b.events(BindingChanged.class))
                .singleElement()
                .satisfies(e -> assertThat(e.path()).isEqualTo("one"));
        b.expire("member/a");
        assertThat(b.state.bindings()).isEmpty();
    }

    @Test
    void anotherServicesNameIsNotTakenButATextIs() {
        Fence other = b.fence("member/b");
        b.ok(new NamingCommand.Bind("one", LEASE, fence, SERVICE));
        b.ok(new NamingCommand.Bind("two", LEASE, fence, TEXT));
        b.refused(new NamingCommand.Bind("one", "member/b", other, TEXT), Refusal.NAME_BOUND);
        b.refused(new NamingCommand.Rebind("one", "member/b", other, TEXT), Refusal.NAME_BOUND);
        b.refused(new NamingCommand.Unbind("one", "member/b", other), Refusal.NAME_BOUND);
        b.refused(new NamingCommand.Bind("two", "member/b", other, TEXT), Refusal.NAME_BOUND);
        b.ok(new NamingCommand.Rebind("two", "member/b", other, new BindingValue.Text("new")));
        b.ok(new NamingCommand.Unbind("two", LEASE, fence));
        b.ok(new NamingCommand.Rebind("one", LEASE, fence, TEXT));
        assertThat(b.state.bindings().get("one")).extracting(Binding::value).isEqualTo(TEXT);
    }

    @Test
    void aNameIsAnObjectOrAContext() {
        b.ok(new NamingCommand.Bind("a/b/c", LEASE, fence, TEXT));
        b.refused(new NamingCommand.Bind("a/b", LEASE, fence, TEXT), Refusal.NAME_BOUND);
        b.refused(new NamingCommand.Bind("a", LEASE, fence, TEXT), Refusal.NAME_BOUND);
        b.refused(new NamingCommand.Rebind("a/b/c/d", LEASE, fence, TEXT), Refusal.NAME_BOUND);
        b.ok(new NamingCommand.Bind("a/bb", LEASE, fence, TEXT));
        b.ok(new NamingCommand.Bind("a/b-", LEASE, fence, TEXT));
    }

    @Test
    void emptyPartsAreNoNames() {
        for (String bad : List.of("/a", "a/", "a//b")) {
            b.refused(new NamingCommand.Bind(bad, LEASE, fence, TEXT), Refusal.MALFORMED);
        }
    }

    @Test
    void tenThousandNamesAreTheMost() {
        SortedMap<String, Binding> many = new TreeMap<>();
        for (int i = 0; i < StateLimits.BINDINGS; i++) {
            many.put("n" + i, new Binding("n" + i, LEASE, fence, "a", TEXT, 1));
        }
        b.state = b.with(b.state.leases(), many);
        b.refused(new NamingCommand.Bind("more", LEASE, fence, TEXT), Refusal.LIMIT);
        b.ok(new NamingCommand.Rebind("n1", LEASE, fence, new BindingValue.Text("new")));
        b.expire(LEASE);
        assertThat(b.state.bindings()).isEmpty();
    }
}
