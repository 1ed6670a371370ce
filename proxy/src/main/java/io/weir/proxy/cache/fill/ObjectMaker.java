package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.store.Block;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredHead;
import io.weir.proxy.cache.store.StoredObject;
import org.jspecify.annotations.Nullable;

/** Builds stored objects: reserves, allocates, writes heads. Stateless; called with the fill's lock held. */
public final class ObjectMaker {
    private static final int FIRST_BODY = 4 << 10;
    private static final int LARGEST_FIRST_BODY = 64 << 10;

    private final Store store;

    public ObjectMaker(Store store) {
        this.store = store;
    }

    /**
     * The object of a fill whose body is still to come: its head in a first block, with room for some of the body, if that
     * is to be in memory. Null without memory.
     */
    @Nullable
    StoredObject begin(
            CacheEntry entry,
            StoragePlan verdict,
            String varyKey,
            SourceConnection from,
            long contentLength,
            boolean inMemory) {
        ByteBuf scratch = Unpooled.buffer(1024);
        StoredHead head = StoredHeadWriter.write(
                scratch,
                verdict.status(),
                verdict.fields(),
                verdict.control(),
                contentLength,
                verdict.version(),
                verdict.responseMillis());
        int before = bodyFrom(head, contentLength);
        int known = contentLength < 0 ? FIRST_BODY : (int) Math.min(contentLength, LARGEST_FIRST_BODY);
        int body = inMemory ? known : 0;
        Block block = block(scratch, before + body, before + Math.min(body, 1024));
        return block == null
                ? null
                : make(
                        entry,
                        head,
                        verdict.freshness(),
                        verdict.vary(),
                        varyKey,
                        from,
                        new Block[] {block},
                        new int[] {before, before},
                        contentLength,
                        verdict.from(),
                        null);
    }

    /** Position of the body in the first block: if the length is unknown, there is room to write it later. */
    static int bodyFrom(StoredHead head, long contentLength) {
        return head.length() + (contentLength < 0 ? StoredHeadWriter.LENGTH_ROOM : 0);
    }

    /** The finished object, made of the received body. Null without memory. */
    @Nullable
    StoredObject seal(StoredObject draft, FillBody body) {
        body.trim();
        StoredHead head = draft.headLayout();
        if (draft.contentLength() < 0) {
            head = StoredHeadWriter.addLength(draft.headBuffer(), head, body.written());
        }
        return make(
                draft.entry(),
                head,
                draft.freshness(),
                draft.vary(),
                draft.varyKey(),
                draft.provenance(),
                body.blocks(),
                body.spans(),
                body.written(),
                draft.from(),
                null);
    }

    /** The finished object of a body that went below the memory. Null without memory. */
    @Nullable
    StoredObject seal(StoredObject draft, LowerBody below, long length) {
        StoredHead head = draft.headLayout();
        if (draft.contentLength() < 0) {
            head = StoredHeadWriter.addLength(draft.headBuffer(), head, length);
        }
        Block block = draft.block(0);
        block.buffer().retain();
        return make(
                draft.entry(),
                head,
                draft.freshness(),
                draft.vary(),
                draft.varyKey(),
                draft.provenance(),
                new Block[] {block},
                new int[] {head.length(), head.length()},
                length,
                draft.from(),
                below);
    }

    /** The stored object with a head updated by a 304 (RFC 9111 4.3.4); shares the body. Null without memory. */
    @Nullable
    public StoredObject refresh(StoredObject stale, StoragePlan verdict, String varyKey, SourceConnection from) {
        ByteBuf scratch = Unpooled.buffer(1024);
        StoredHead head = StoredHeadWriter.write(
                scratch,
                verdict.status(),
                verdict.fields(),
                verdict.control(),
                stale.contentLength(),
                stale.received(),
                verdict.responseMillis());
        Block first = block(scratch, head.length(), head.length());
        if (first == null) {
            return null;
        }
        int parts = 0;
        for (int i = 0; i < stale.bodyParts(); i++) {
            parts += stale.bodyEnd(i) > stale.bodyStart(i) ? 1 : 0;
        }
        Block[] blocks = new Block[parts + 1];
        int[] spans = new int[2 * blocks.length];
        blocks[0] = first;
        for (int i = 0, at = 1; i < stale.bodyParts(); i++) {
            if (stale.bodyEnd(i) > stale.bodyStart(i)) {
                stale.block(i).buffer().retain();
                blocks[at] = stale.block(i);
                spans[2 * at] = stale.bodyStart(i);
                spans[2 * at + 1] = stale.bodyEnd(i);
                at++;
            }
        }
        return make(
                stale.entry(),
                head,
                verdict.freshness(),
                verdict.vary(),
                varyKey,
                stale.provenance().freshenedBy(from),
                blocks,
                spans,
                stale.contentLength(),
                FetchedFrom.both(stale.from(), verdict.from()),
                stale.below());
    }

    private @Nullable Block block(ByteBuf head, int want, int least) {
        if (least > store.largestBlock()) {
            return null;
        }
        Block block = store.allocate(want, least);
        if (block != null) {
            block.buffer().setBytes(0, head, 0, head.writerIndex());
        }
        return block;
    }

    private @Nullable StoredObject make(
            CacheEntry entry,
            StoredHead head,
            Freshness freshness,
            Vary vary,
            String varyKey,
            SourceConnection provenance,
            Block[] blocks,
            int[] spans,
            long length,
            @Nullable FetchedFrom from,
            @Nullable LowerBody below) {
        long heap = StoredObject.heapBytes(blocks.length, vary, varyKey)
                + FetchedFrom.heapBytes(from)
                + (below == null ? 0 : below.heapBytes());
        if (!store.reserve(heap)) {
            for (Block block : blocks) {
                block.buffer().release();
            }
            return null;
        }
        if (below != null) {
            below.retain();
        }
        return new StoredObject(
                entry,
                store.budget(),
                head,
                freshness,
                vary,
                varyKey,
                provenance,
                blocks,
                spans,
                length,
                heap,
                from,
                below);
    }
}
