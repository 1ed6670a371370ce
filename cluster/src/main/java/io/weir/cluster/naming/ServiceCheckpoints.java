package io.weir.cluster.naming;

import io.weir.base.Clock;
import io.weir.cluster.Checkpoints;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.singletons.CheckpointCommand;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/** {@link Checkpoints} of one activation. Shared. */
final class ServiceCheckpoints implements Checkpoints {
    private final ClusterNode node;
    private final BlockingProposer blockingProposer;
    private final Activation activation;

    private ServiceCheckpoints(ClusterNode node, Activation activation, Clock clock) {
        this.node = node;
        this.blockingProposer = new BlockingProposer(node, clock);
        this.activation = activation;
    }

    /** The checkpoints of the calling thread's activation. */
    static Checkpoints here(ClusterNode node, Clock clock) throws NamingException {
        Activation activation = BindingLease.activation(node, null).orElse(null);
        if (activation == null) {
            throw new OperationNotSupportedException(
                    NAME + " is available to singleton services only: look it up in activate, or from a thread of the"
                            + " service");
        }
        return new ServiceCheckpoints(node, activation, clock);
    }

    @Override
    public @Nullable String get(String key) {
        return node.now().checkpoint(activation.service(), key);
    }

    @Override
    public SortedMap<String, String> all() {
        SortedMap<String, String> all = new TreeMap<>();
        node.now().checkpointsOf(activation.service()).forEach(c -> all.put(c.key(), c.text()));
        return Collections.unmodifiableSortedMap(all);
    }

    @Override
    public void put(String key, String text) throws IOException {
        write(key, new CheckpointCommand.Put(activation.service(), key, text, activation.fence()));
    }

    @Override
    public void remove(String key) throws IOException {
        write(key, new CheckpointCommand.Remove(activation.service(), key, activation.fence()));
    }

    private void write(String key, CheckpointCommand command) throws IOException {
        if (!node.guard().admits("checkpoint", activation.lease(), activation.fence())) {
            throw former(key);
        }
        Answer answer;
        try {
            answer = blockingProposer.decide(command, activation::valid, activation);
        } catch (BlockingProposer.Undecided e) {
            throw new IOException("checkpoint " + key + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("checkpoint " + key + ": interrupted", e);
        }
        if (answer instanceof Answer.Refused r) {
            throw r.reason() == Refusal.STALE_FENCE
                    ? former(key)
                    : new IOException("checkpoint " + key + ": " + r.text());
        }
    }

    private FormerActivationException former(String key) {
        return new FormerActivationException("checkpoint " + key + ": " + activation.lease()
                + " is no longer held with fence " + activation.fence() + ", so nothing can be written under it");
    }
}
