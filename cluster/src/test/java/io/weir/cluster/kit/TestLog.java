package io.weir.cluster.kit;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.ReplicatedState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A log in memory that several members share; commits at once, from any thread, and goes wrong when told to. */
public final class TestLog {
    /** What becomes of a member's commands. */
    public enum Mood {
        WELL,
        /** Refused: no leader within reach. */
        CUT_OFF,
        /** Committed, but the answer is lost. */
        ANSWERS_LOST,
        /** Nothing is heard and nothing happens. */
        SILENT
    }

    private final Map<String, End> ends = new LinkedHashMap<>();
    private final List<byte[]> entries = new ArrayList<>();
    private @Nullable String leader;
    private long term;

    private final class End implements ConsensusLog {
        final String name;
        final ReplicatedState state;
        Mood mood = Mood.WELL;

        End(String name, ReplicatedState state) {
            this.name = name;
            this.state = state;
        }

        @Override
        public CompletableFuture<byte[]> submit(byte[] command) {
            return switch (mood) {
                case WELL -> CompletableFuture.completedFuture(commit(command, name));
                case CUT_OFF -> CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader"));
                case ANSWERS_LOST -> {
                    commit(command, name);
                    yield CompletableFuture.failedFuture(new LogFault(LogFault.Kind.UNKNOWN, "time-out"));
                }
                case SILENT -> new CompletableFuture<>();
            };
        }

        @Override
        public CompletableFuture<Void> barrier() {
            return mood == Mood.CUT_OFF
                    ? CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader"))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public LogStatus status() {
            LogStatus.Role role = name.equals(leader) ? LogStatus.Role.LEADER : LogStatus.Role.FOLLOWER;
            return new LogStatus(role, leader, term, entries.size(), entries.size(), List.of());
        }

        @Override
        public CompletableFuture<Void> yieldLeadership() {
            if (name.equals(leader)) {
                ends.keySet().stream().filter(n -> !n.equals(name)).findFirst().ifPresent(TestLog.this::lead);
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            ends.remove(name);
        }
    }

    private synchronized byte[] commit(byte[] command, String by) {
        entries.add(command);
        byte[] answer = new byte[0];
        for (End end : List.copyOf(ends.values())) {
            byte[] own = end.state.apply(entries.size(), command);
            answer = end.name.equals(by) ? own : answer;
        }
        return answer;
    }

    /** Opens a member's end; what was committed before is applied. */
    public ConsensusLog open(String member, ReplicatedState state) {
        for (int i = 0; i < entries.size(); i++) {
            state.apply(i + 1L, entries.get(i));
        }
        End end = new End(member, state);
        ends.put(member, end);
        return end;
    }

    /** Another leader. */
    public void lead(String member) {
        End before = leader == null ? null : ends.get(leader);
        leader = member;
        term++;
        if (before != null) {
            before.state.leadership(false, term);
        }
        end(member).state.leadership(true, term);
    }

    public @Nullable String leader() {
        return leader;
    }

    public void mood(String member, Mood mood) {
        end(member).mood = mood;
    }

    private End end(String member) {
        End end = ends.get(member);
        if (end == null) {
            throw new IllegalStateException(member + " is not there");
        }
        return end;
    }
}
