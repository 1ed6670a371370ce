package io.weir.server.cluster;

import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.timers.TimerState;
import io.weir.cluster.timer.TimerView;
import io.weir.journal.damage.Damages;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The views' access to this member, also before it is opened and while it closes, which it then reports. Shared. */
final class MemberAccess implements ClusterAccess {
    private final MemberSetup setup;
    private final Supplier<@Nullable OpenMember> opened;

    /** @param opened the member; null before it is opened and after it is closed */
    MemberAccess(MemberSetup setup, Supplier<@Nullable OpenMember> opened) {
        this.setup = setup;
        this.opened = opened;
    }

    @Override
    public String self() {
        return setup.self();
    }

    @Override
    public String cluster() {
        return setup.section().name();
    }

    @Override
    public String leasing() {
        return setup.alone() ? "local" : setup.section().leasing().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public ClusterState now() {
        OpenMember m = opened.get();
        return m == null ? ClusterState.EMPTY : m.node().now();
    }

    @Override
    public LogStatus log() {
        OpenMember m = opened.get();
        return m == null ? LogStatus.UNOPENED : m.basis().log().status();
    }

    @Override
    public String waiting() {
        OpenMember m = opened.get();
        return m == null ? "for its listeners" : m.basis().waiting();
    }

    @Override
    public String fault() {
        OpenMember m = opened.get();
        return m == null ? "" : m.basis().log().fault();
    }

    @Override
    public @Nullable Damages damages() {
        OpenMember m = opened.get();
        return m == null ? null : m.basis().log().damages();
    }

    @Override
    public @Nullable Outage outage() {
        OpenMember m = opened.get();
        return m == null
                ? null
                : Outage.of(m.node(), m.basis(), setup.section(), setup.loop().clock());
    }

    @Override
    public Map<String, Long> remaining() {
        OpenMember m = opened.get();
        return m == null ? Map.of() : m.node().remaining();
    }

    @Override
    public Map<String, Long> estimates() {
        OpenMember m = opened.get();
        return m == null ? Map.of() : m.node().estimates();
    }

    @Override
    public @Nullable Instant next(TimerState timer) {
        return TimerView.of(timer).next();
    }

    @Override
    public CompletableFuture<Void> barrier() {
        OpenMember m = joined();
        return m == null ? starting() : m.node().proposer().barrier();
    }

    @Override
    public CompletableFuture<Answer> propose(Command command, String by) {
        OpenMember m = joined();
        return m == null ? starting() : m.node().proposer().propose(command, by);
    }

    private @Nullable OpenMember joined() {
        OpenMember m = opened.get();
        return m != null && m.joined() ? m : null;
    }

    private static <T> CompletableFuture<T> starting() {
        return CompletableFuture.failedFuture(
                new LogFault(LogFault.Kind.NOT_COMMITTED, "this server is starting or stopping"));
    }

    @Override
    public CompletableFuture<String> membership(String what, String member, String address) {
        return running().basis().membership(what, member, address);
    }

    @Override
    public CompletableFuture<Deployed> deploy(String what, String name, Path archive, String by, String reason) {
        return running().deployments().change(what, name, archive, by, reason);
    }

    private OpenMember running() {
        OpenMember m = opened.get();
        if (m == null) {
            throw new IllegalStateException("the cluster is not opened yet");
        }
        return m;
    }
}
