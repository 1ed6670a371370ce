package io.weir.cluster.naming;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.state.CommandCodec;
import io.weir.cluster.state.entry.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** A log in memory for members on threads of their own: commits at once, under a lock; the first member leads. */
final class SharedLog {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ReplicatedState> states = new LinkedHashMap<>();
    private final List<byte[]> entries = new ArrayList<>();
    private final Map<String, Predicate<Command>> swallowed = new ConcurrentHashMap<>();
    private final AtomicInteger swallowings = new AtomicInteger();

    ConsensusLog open(String member, ReplicatedState state) {
        lock.lock();
        try {
            for (int i = 0; i < entries.size(); i++) {
                state.apply(i + 1L, entries.get(i));
            }
            states.put(member, state);
            if (states.size() == 1) {
                state.leadership(true, 1);
            }
            return new End(member);
        } finally {
            lock.unlock();
        }
    }

    /** From now on such commands of a member are heard by nobody, and never answered. */
    void swallow(String member, Predicate<Command> which) {
        swallowed.put(member, which);
    }

    /** How many were. */
    int swallowings() {
        return swallowings.get();
    }

    private byte[] commit(String by, byte[] command) {
        lock.lock();
        try {
            entries.add(command);
            byte[] answer = new byte[0];
            for (Map.Entry<String, ReplicatedState> e : states.entrySet()) {
                byte[] own = e.getValue().apply(entries.size(), command);
                answer = e.getKey().equals(by) ? own : answer;
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    private final class End implements ConsensusLog {
        private final String member;

        End(String member) {
            this.member = member;
        }

        @Override
        public CompletableFuture<byte[]> submit(byte[] command) {
            Predicate<Command> silent = swallowed.get(member);
            if (silent != null && silent.test(CommandCodec.decode(command).command())) {
                swallowings.incrementAndGet();
                return new CompletableFuture<>();
            }
            return CompletableFuture.completedFuture(commit(member, command));
        }

        @Override
        public CompletableFuture<Void> barrier() {
            return swallowed.containsKey(member) ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        }

        @Override
        public LogStatus status() {
            return new LogStatus(LogStatus.Role.LEADER, member, 1, entries.size(), entries.size(), List.of());
        }

        @Override
        public CompletableFuture<Void> yieldLeadership() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            lock.lock();
            try {
                states.remove(member);
            } finally {
                lock.unlock();
            }
        }
    }
}
