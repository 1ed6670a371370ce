package io.weir.cluster.deploy;

import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.LogStatus;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A log that commits only when it is told to. */
final class HeldLog implements ConsensusLog {
    private final ConsensusLog real;
    final BlockingQueue<CompletableFuture<byte[]>> waiting = new LinkedBlockingQueue<>();
    private final Queue<byte[]> commands = new ConcurrentLinkedQueue<>();

    HeldLog(ConsensusLog real) {
        this.real = real;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] command) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        commands.add(command);
        waiting.add(answer);
        return answer;
    }

    byte[] commit() {
        return real.submit(commands.remove()).join();
    }

    @Override
    public CompletableFuture<Void> barrier() {
        return real.barrier();
    }

    @Override
    public LogStatus status() {
        return real.status();
    }

    @Override
    public CompletableFuture<Void> yieldLeadership() {
        return real.yieldLeadership();
    }

    @Override
    public void close() {
        real.close();
    }
}
