package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.Fields;
import io.weir.http.caching.Validators;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.KeyHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells what a partition has, for monitoring: it is no use of an answer. Shared. */
final class DiskFinder {
    private final DiskIndex index;
    private final DiskLog log;
    private final DiskReader reader;
    private final KeyHash hash;

    DiskFinder(DiskIndex index, DiskLog log, DiskReader reader, KeyHash hash) {
        this.index = index;
        this.log = log;
        this.reader = reader;
        this.hash = hash;
    }

    /** Where the record of a hash is; null: nowhere. Takes no I/O. */
    @Nullable
    DiskCopy place(long of) {
        long location = index.find(of);
        return location == Location.NONE ? null : copy(of, location, List.of(), null);
    }

    /**
     * Where the answer is that a request selects, and what it is; null: the disk has nothing of the key. Waits for the
     * disk, and is no use of the answer.
     */
    @Nullable
    DiskCopy find(KeyBuilder key, Fields fields) {
        long of = key.hash();
        long location = index.find(of);
        if (location == Location.NONE || !Location.marker(location)) {
            return location == Location.NONE ? null : copy(of, location, List.of(), answer(of, location, key.copy()));
        }
        List<String> names = reader.names(of, location);
        if (names == null) {
            return null;
        }
        long variant =
                DiskReader.variant(hash, of, Vary.parse(String.join(",", names)).key(fields));
        long selected = index.find(variant);
        return selected == Location.NONE
                ? copy(of, location, names, null)
                : copy(variant, selected, List.of(), answer(variant, selected, key.copy()));
    }

    private @Nullable DiskCopy copy(long of, long location, List<String> variants, DiskCopy.@Nullable Answer answer) {
        Segment segment = log.retain(Location.slot(location));
        if (segment == null) {
            return null;
        }
        String name = segment.name();
        segment.release();
        return new DiskCopy(
                "",
                name,
                Location.offset(location),
                Location.length(location),
                log.bodies().name(of, location),
                Location.uses(location),
                variants,
                answer);
    }

    private DiskCopy.@Nullable Answer answer(long of, long location, byte[] key) {
        DiskCopy.@Nullable Answer[] found = new DiskCopy.Answer[1];
        try {
            reader.read(of, location, key, false, read -> {
                RecordHead head = read.head();
                if (head.kind().answer()) {
                    Metadata meta = Metadata.read(read.meta());
                    ByteBuf lines =
                            Unpooled.wrappedBuffer(read.part(head.sumsAt() - head.headLength(), head.headLength()));
                    long received = Math.floorDiv(meta.freshness().responseMillis(), 1000);
                    found[0] = new DiskCopy.Answer(
                            meta.layout().status(),
                            head.bodyLength(),
                            meta.freshness(),
                            Validators.of(meta.layout().fields(lines), received),
                            meta.vary().names(),
                            meta.from() != null);
                }
            });
        } catch (DiskReader.Waits e) {
            throw new AssertionError("it may wait", e);
        }
        return found[0];
    }
}
