package io.weir.server.processes;

import io.netty.channel.Channel;
import io.netty.channel.unix.FileDescriptor;
import io.weir.base.Log;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One worker process as its supervisor sees it. Confined to the supervisor's loop; lives as long as the process. */
final class Worker {
    /** The worker's state in its life cycle. */
    enum State {
        STARTING,
        READY,
        DRAINING,
        GONE
    }

    private final int slot;
    private final Process process;
    private final long begin;
    private final Log log;
    private final Supplier<String> printed;
    private final Map<String, String> places = new LinkedHashMap<>();
    private final List<String> waiting = new ArrayList<>();
    private final CompletableFuture<Worker> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<Worker> ended = new CompletableFuture<>();
    private State state = State.STARTING;
    private @Nullable Channel link;
    private boolean received;
    private boolean answered;
    private int unanswered;
    private boolean proven;
    private String acceptingFor = "";
    private int configuration;
    private String killed = "";
    private String admin = "";
    private final StringBuilder counted = new StringBuilder();

    /**
     * Creates a worker that has just been started.
     *
     * @param begin nanoseconds of the clock at its start
     * @param printed returns what it has printed so far
     */
    Worker(int slot, Process process, long begin, Log log, Supplier<String> printed) {
        this.printed = printed;
        this.slot = slot;
        this.process = process;
        this.begin = begin;
        this.log = log;
    }

    private void transition(State next, String reason) {
        log.log(ProcessMessages.STATE_CHANGED, slot, pid(), next, reason);
        state = next;
    }

    int slot() {
        return slot;
    }

    /** The number of probes since its last answer. */
    int unanswered() {
        return unanswered;
    }

    /** Whether it has answered a probe since it became ready: until then it has the time-out of a start. */
    boolean proven() {
        return proven;
    }

    /** Probes it while it is to serve; a drain has a separate time-out. */
    void probe() {
        if (state == State.STARTING || state == State.READY) {
            unanswered++;
            if (received) {
                send(Orders.WELL);
            }
        } else {
            unanswered = 0;
        }
    }

    /** The number of the configuration that it has; 0 for that of the files. */
    int configuration() {
        return configuration;
    }

    void configuration(int number) {
        configuration = number;
    }

    /** Its final statistics; empty if it could not report them. */
    String counted() {
        return counted.toString();
    }

    /** Completes when everything it sent has been read. */
    CompletableFuture<Void> allRead() {
        CompletableFuture<Void> read = new CompletableFuture<>();
        Channel from = link;
        if (from == null) {
            read.complete(null);
        } else {
            var _ = from.closeFuture().addListener(_ -> read.complete(null));
        }
        return read;
    }

    /** Whether it was killed and is about to end. */
    boolean killed() {
        return !killed.isEmpty();
    }

    /** Ends it at once. */
    void kill(String reason) {
        killed = reason;
        process.destroyForcibly();
    }

    /** Whether it has reported that it drains. */
    boolean answered() {
        return answered;
    }

    State state() {
        return state;
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    /** Nanoseconds since its start. */
    long age(long now) {
        return now - begin;
    }

    /** Completes when it serves; exceptionally when it ends before. */
    CompletableFuture<Worker> ready() {
        return ready;
    }

    /** Host and port of its admin listener; empty before it is ready. */
    String admin() {
        return admin;
    }

    /** Addresses that only it has, by their keys in the pid file. */
    Map<String, String> places() {
        return places;
    }

    /** Called when it has connected. */
    void linked(Channel channel) {
        link = channel;
    }

    /** Whether it has connected: only then may it serve. */
    boolean linked() {
        return link != null;
    }

    /** Sends its sockets. */
    void sockets(List<Integer> descriptors) {
        Channel channel = Objects.requireNonNull(link);
        for (int descriptor : descriptors) {
            var _ = channel.write(new FileDescriptor(descriptor));
        }
        channel.flush();
    }

    /** Processes a line of the worker; returns whether that makes it ready. */
    boolean said(String line) {
        String rest = Orders.rest(line);
        switch (Orders.word(line)) {
            case Orders.RECEIVED -> received();
            case Orders.AT -> places.put(rest.substring(0, rest.indexOf('=')), rest.substring(rest.indexOf('=') + 1));
            case Orders.DRAINING -> draining(line);
            case Orders.WELL -> {
                unanswered = 0;
                proven = state == State.READY;
            }
            case Orders.COUNTED -> counted.append(rest).append('\n');
            case Orders.RELEASED -> released.complete(true);
            case Orders.READY -> {
                admin = rest;
                unanswered = 0;
                if (state == State.STARTING) {
                    transition(State.READY, line);
                    probe();
                    ready.complete(this);
                    return true;
                }
            }
            default -> {
                // of another version
            }
        }
        return false;
    }

    /** Called when it drains; it may have been stopped from outside, not by the supervisor. */
    private void draining(String line) {
        answered = true;
        if (state == State.STARTING || state == State.READY) {
            transition(State.DRAINING, line);
        }
    }

    private void received() {
        received = true;
        waiting.forEach(this::send);
        waiting.clear();
    }

    /** Whether it has no sockets yet, and so reads no orders and accepts nothing. */
    boolean lacksSockets() {
        return !received;
    }

    /** Sends an order, or queues it until it can be read. */
    void order(String line) {
        if (received) {
            send(line);
        } else {
            waiting.add(line);
        }
    }

    private void send(String line) {
        Channel to = link;
        if (to != null) {
            var _ = to.writeAndFlush(to.alloc().buffer().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Tells it to finish what it has and end. */
    void drain(String order) {
        if (state == State.STARTING || state == State.READY) {
            transition(State.DRAINING, order);
            order(order);
        }
    }

    /** Tells it to release what only one process can have; completes when it has, or has ended. */
    CompletableFuture<Boolean> release() {
        order(Orders.RELEASE);
        return released.copy();
    }

    /** Tells it from which processes' sockets it is to accept, too; sent once, however often this is called. */
    void acceptFor(String processes) {
        if (!processes.equals(acceptingFor)) {
            acceptingFor = processes;
            order(processes.isEmpty() ? Orders.STAND_IN : Orders.STAND_IN + " " + processes);
        }
    }

    /** Completes when its process has ended, after {@link #ready} has. */
    CompletableFuture<Worker> ended() {
        return ended;
    }

    /** Called when its process has ended. */
    void gone(String how) {
        transition(State.GONE, how);
        if (!ready.isDone()) {
            String why = printed.get();
            ready.completeExceptionally(new IOException("worker " + slot + " (process " + pid() + ") ended with " + how
                    + " before it was ready" + (why.isEmpty() ? "" : ":\n" + why)));
        }
        released.complete(true);
        ended.complete(this);
    }

    /** How its process ended, as text; it must have ended. */
    String how() {
        int status = process.exitValue();
        return (status > 128 ? "signal " + (status - 128) : "status " + status)
                + (killed.isEmpty() ? "" : " (killed: " + killed + ")");
    }
}
