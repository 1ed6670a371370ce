package io.weir.cluster.ratis;

import io.weir.cluster.log.ReplicatedState;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * Adapter between Ratis and the state: all calls of Ratis's threads are executed sequentially on one thread, while the
 * callers wait. So an entry is never reported as applied too early, and the state needs no locks. Lives as long as its
 * log.
 */
final class RatisMachine extends BaseStateMachine {
    /** Callbacks to the log, on Ratis's threads. */
    interface Listener {
        void applied(long index);

        void leader(@Nullable RaftPeerId leader);

        void leading(boolean leading);

        void configuration(RaftConfigurationProto configuration);

        void snapshot(String how);

        void ended(String why);
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final ReplicatedState state;
    private final ExecutorService thread;
    private final Listener listener;

    RatisMachine(ReplicatedState state, ExecutorService thread, Listener listener) {
        this.state = state;
        this.thread = thread;
        this.listener = listener;
    }

    private <T> T onThread(Work<T> work) throws IOException {
        try {
            return thread.submit(work::run).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("the state failed: " + e.getCause(), e.getCause());
        } catch (RejectedExecutionException e) {
            throw new IOException("the log is closed", e);
        }
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(server, group, raftStorage);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            storage.init(raftStorage);
                            load();
                        },
                        IOException.class);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        load();
        listener.snapshot("installed");
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    private void load() throws IOException {
        SingleFileSnapshotInfo snapshot = storage.loadLatestSnapshot();
        if (snapshot == null) {
            return;
        }
        File file = snapshot.getFile().getPath().toFile();
        MD5Hash stored = snapshot.getFile().getFileDigest();
        if (stored != null && !stored.equals(MD5FileUtil.computeMd5ForFile(file))) {
            throw new IOException("the snapshot " + file + " is damaged: its checksum does not match the stored one");
        }
        byte[] bytes = Files.readAllBytes(file.toPath());
        onThread(() -> {
            state.restore(bytes);
            return bytes;
        });
        setLastAppliedTermIndex(snapshot.getTermIndex());
        listener.applied(snapshot.getIndex());
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at = getLastAppliedTermIndex();
        if (at.getIndex() < 0) {
            return -1;
        }
        byte[] bytes = onThread(state::snapshot);
        File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        File temporary = new File(file.getParentFile(), file.getName() + ".tmp");
        try (FileOutputStream out = new FileOutputStream(temporary)) {
            out.write(bytes);
            out.getFD().sync();
        }
        MD5Hash sum = MD5FileUtil.computeMd5ForFile(temporary);
        MD5FileUtil.saveMD5File(file, sum);
        Files.move(temporary.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), sum), at));
        listener.snapshot("taken");
        return at.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
        byte[] command = entry.getStateMachineLogEntry().getLogData().toByteArray();
        byte[] answer;
        try {
            // an empty one is a barrier
            answer = command.length == 0 ? command : onThread(() -> state.apply(entry.getIndex(), command));
        } catch (IOException e) {
            // The cluster continues without this member rather than with a diverged state.
            listener.ended("entry " + entry.getIndex() + " cannot be applied: " + e.getMessage());
            throw new IllegalStateException(e);
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        listener.applied(entry.getIndex());
        return CompletableFuture.completedFuture(message(answer));
    }

    private static Message message(byte[] bytes) {
        ByteString content = UnsafeByteOperations.unsafeWrap(bytes);
        return Message.valueOf(content);
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        listener.applied(index);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        listener.leader(leader);
    }

    @Override
    public void notifyLeaderReady() {
        listener.leading(true);
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        listener.leading(false);
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        listener.configuration(configuration);
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        listener.ended("the log cannot be written: " + cause);
    }

    @Override
    public void notifyGroupRemove() {
        listener.ended("this member was removed");
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        listener.ended("the log stopped");
    }

    @Override
    public void notifySnapshotInstalled(
            org.apache.ratis.proto.RaftProtos.InstallSnapshotResult result, long index, RaftPeer peer) {
        // counted when the snapshot is loaded
    }
}
