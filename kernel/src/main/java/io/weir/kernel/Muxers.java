package io.weir.kernel;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.weir.base.Clock;
import io.weir.base.Log;
import java.util.ArrayList;
import java.util.List;

/** A kernel's muxers. Shared; immutable but for the muxers' own state. */
public final class Muxers {
    private final IoEventLoopGroup group;
    private final List<Muxer> all;

    Muxers(IoEventLoopGroup group, Clock clock, Log log) {
        this.group = group;
        List<Muxer> muxers = new ArrayList<>();
        for (EventExecutor loop : group) {
            muxers.add(new Muxer(muxers.size(), (EventLoop) loop, clock, log));
        }
        this.all = List.copyOf(muxers);
    }

    /** In the order of their numbers. */
    public List<Muxer> all() {
        return all;
    }

    public Muxer get(int index) {
        return all.get(index);
    }

    /** The one with the fewest open connections, the first of several. */
    public Muxer leastLoaded() {
        Muxer least = all.getFirst();
        for (Muxer m : all) {
            if (m.connections() < least.connections()) {
                least = m;
            }
        }
        return least;
    }

    /** Runs an action once every muxer has ended what it is doing: nobody uses what it had read before. */
    public void quiet(Runnable action) {
        Quiescence.after(this, action);
    }

    /** The event loops, for channels that no muxer's client asked for. */
    public IoEventLoopGroup group() {
        return group;
    }
}
