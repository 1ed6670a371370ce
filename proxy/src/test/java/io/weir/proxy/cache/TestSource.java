package io.weir.proxy.cache;

import io.weir.proxy.cache.fill.FillSource;
import java.util.concurrent.Executor;

/** A leader's fetch that remembers what it was told. */
final class TestSource implements FillSource {
    private final TestLoop loop;
    int resumed;
    boolean abandoned;
    int unread;

    TestSource(TestLoop loop) {
        this.loop = loop;
    }

    @Override
    public Executor executor() {
        return loop;
    }

    @Override
    public void resume() {
        resumed++;
    }

    @Override
    public void unread() {
        unread++;
    }

    @Override
    public void abandon() {
        abandoned = true;
    }
}
