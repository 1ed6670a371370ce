package io.weir.proxy.cache;

import io.netty.buffer.ByteBuf;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.fill.FillReader;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A reader that takes what it gets, as fast as {@link #budget} allows, and remembers it. */
final class TestClient implements FillReader {
    private final TestLoop loop;
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Nullable
    FillCursor cursor;

    @Nullable
    Signal last;

    boolean headSeen;
    int status;
    String head = "";
    int wakes;
    /** Signals it may still take; a slow client has few. */
    int budget = Integer.MAX_VALUE;

    TestClient(TestLoop loop) {
        this.loop = loop;
    }

    @Override
    public Executor executor() {
        return loop;
    }

    @Override
    public void ready(FillCursor ready) {
        wakes++;
        pump();
    }

    /** The open cursor. */
    FillCursor at() {
        return Objects.requireNonNull(cursor);
    }

    /** Polls until there is nothing, or it may take no more. */
    TestClient pump() {
        FillCursor from = cursor;
        while (from != null && budget > 0) {
            budget--;
            last = from.poll();
            switch (last) {
                case HEAD -> head(from.object());
                case DATA -> take(from.data());
                case WAIT, END, RELEASED, LEAD, FAILED -> {
                    return this;
                }
            }
        }
        return this;
    }

    private void head(StoredObject object) {
        headSeen = true;
        status = object.status();
        ByteBuf slice = object.head();
        head = slice.toString(StandardCharsets.ISO_8859_1);
        slice.release();
    }

    private void take(ByteBuf data) {
        byte[] copy = new byte[data.readableBytes()];
        data.readBytes(copy);
        data.release();
        bytes.writeBytes(copy);
    }

    String body() {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    void close() {
        FillCursor from = cursor;
        if (from != null) {
            cursor = null;
            from.close();
        }
    }
}
