package io.weir.cluster.kit;

import io.weir.cluster.singleton.Activation;
import io.weir.cluster.singleton.Activations;
import io.weir.cluster.singleton.NotBegun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A member's services without code: a test says when and how a call ends; at once and well unless told otherwise. */
public final class TestServices implements Activations {
    /** How calls end. */
    public enum Manner {
        AT_ONCE,
        FAIL,
        HANG,
        /** There is no thread for it. */
        NOT_BEGUN
    }

    private final String member;
    private final List<String> calls;
    private final Map<Activation, CompletableFuture<Void>> hanging = new LinkedHashMap<>();
    private Manner activate = Manner.AT_ONCE;
    private Manner deactivate = Manner.AT_ONCE;
    private final List<Activation> losses = new ArrayList<>();
    private int interrupts;
    private int notBegun;

    /**
     * One member's.
     *
     * @param calls all members' calls, in order
     */
    public TestServices(String member, List<String> calls) {
        this.member = member;
        this.calls = calls;
    }

    public void activating(Manner manner) {
        activate = manner;
    }

    public void deactivating(Manner manner) {
        deactivate = manner;
    }

    public int interrupts() {
        return interrupts;
    }

    /** Who heard that its lease is being lost. */
    public List<Activation> losses() {
        return losses;
    }

    /** Calls that could not be begun. */
    public int notBegun() {
        return notBegun;
    }

    public List<Activation> hanging() {
        return new ArrayList<>(hanging.keySet());
    }

    /** The call that hangs returns. */
    public void comeBack(Activation activation) {
        CompletableFuture<Void> f = hanging.remove(activation);
        if (f == null) {
            throw new IllegalStateException("nothing hangs for " + activation);
        }
        f.complete(null);
    }

    /** The call that hangs fails. */
    public void fail(Activation activation) {
        CompletableFuture<Void> f = hanging.remove(activation);
        if (f == null) {
            throw new IllegalStateException("nothing hangs for " + activation);
        }
        f.completeExceptionally(new IllegalStateException("told to fail"));
    }

    @Override
    public CompletableFuture<Void> activate(Activation activation) {
        return call("activate", activation, activate);
    }

    @Override
    public CompletableFuture<Void> deactivate(Activation activation) {
        return call("deactivate", activation, deactivate);
    }

    @Override
    public void lost(Activation activation) {
        losses.add(activation);
    }

    @Override
    public void interrupt(Activation activation) {
        interrupts++;
    }

    private CompletableFuture<Void> call(String what, Activation activation, Manner manner) {
        if (manner == Manner.NOT_BEGUN) {
            notBegun++;
            return CompletableFuture.failedFuture(new NotBegun("told to"));
        }
        calls.add(what + " " + activation.service() + " on " + member);
        return switch (manner) {
            case AT_ONCE -> CompletableFuture.completedFuture(null);
            case FAIL -> CompletableFuture.failedFuture(new IllegalStateException("told to fail"));
            case HANG, NOT_BEGUN -> {
                CompletableFuture<Void> f = new CompletableFuture<>();
                hanging.put(activation, f);
                yield f;
            }
        };
    }
}
