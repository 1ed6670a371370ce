package io.weir.kernel.mux;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.weir.base.Clock;
import io.weir.base.Log;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A kernel's muxers. Shared; immutable except for the muxers' own state. */
public final class Muxers {
    private final MuxerChoice choice;
    private final IoEventLoopGroup group;
    private final List<Muxer> all;

    Muxers(MuxerChoice choice, IoEventLoopGroup group, Clock clock, Log log) {
        this.choice = choice;
        this.group = group;
        List<Muxer> muxers = new ArrayList<>();
        for (EventExecutor loop : group) {
            muxers.add(new Muxer(muxers.size(), (EventLoop) loop, clock, log));
        }
        this.all = List.copyOf(muxers);
    }

    /** Their kind, and why it was selected. */
    public MuxerChoice choice() {
        return choice;
    }

    /** All muxers, in the order of their numbers. */
    public List<Muxer> all() {
        return all;
    }

    public Muxer get(int index) {
        return all.get(index);
    }

    /** The muxer with the fewest open connections, the first of several. */
    public Muxer leastLoaded() {
        Muxer least = all.getFirst();
        for (Muxer m : all) {
            if (m.connections() < least.connections()) {
                least = m;
            }
        }
        return least;
    }

    /**
     * Runs an action once every muxer has finished its current task or has terminated: none can then still use a value
     * read from a shared field before the field was replaced.
     */
    public void afterCurrentTasks(Runnable action) {
        AtomicInteger left = new AtomicInteger(all.size());
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) {
                action.run();
            }
        };
        for (Muxer muxer : all) {
            try {
                muxer.eventLoop().execute(one);
            } catch (RejectedExecutionException e) {
                one.run(); // terminated, so it no longer uses anything
            }
        }
    }

    /** The event loops, for channels that are not created for a client of a muxer. */
    public IoEventLoopGroup group() {
        return group;
    }
}
