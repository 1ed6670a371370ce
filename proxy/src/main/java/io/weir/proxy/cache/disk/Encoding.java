package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.proxy.cache.store.StoredObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Makes records of stored answers. The body is not copied: it is written from the store's memory. Stateless. */
final class Encoding {
    private Encoding() {}

    /** The record of an answer, which is retained meanwhile. */
    static RecordParts object(WriteQueue.Put put, long sequence) {
        StoredObject object = put.object();
        byte[] key = object.entry().key();
        byte[] variant = object.varyKey().getBytes(StandardCharsets.UTF_8);
        ByteBuf meta = Unpooled.buffer(256);
        Metadata.of(object, put.connections()).write(meta);
        SegmentBody below = (SegmentBody) object.below();
        BodyFile own = below == null ? null : below.own();
        if (own != null) {
            meta.writeLongLE(own.id);
        }
        List<ByteBuffer> body = body(object);
        RecordHead head = new RecordHead(
                own == null ? RecordHead.Kind.OBJECT : RecordHead.Kind.LARGE,
                put.variant() == 0 ? put.hash() : put.variant(),
                sequence,
                0,
                key.length,
                variant.length,
                meta.readableBytes(),
                object.headLength(),
                object.contentLength(),
                0);
        ByteBuffer record = ByteBuffer.allocate(head.bodyAt()).order(ByteOrder.LITTLE_ENDIAN);
        record.position(RecordHead.BYTES).put(key).put(variant);
        record.put(meta.nioBuffer());
        record.put(object.headBuffer().nioBuffer(0, object.headLength()));
        if (below == null) {
            sums(record, body);
        } else {
            below.sums().put(record);
        }
        head.write(record);
        return new RecordParts(head, record.position(0), body, own == null ? below : null);
    }

    /** The record that names the fields which select the variants of a key. */
    static RecordParts marker(WriteQueue.Put put, long sequence) {
        byte[] key = put.object().entry().key();
        ByteBuf meta = Unpooled.buffer(64);
        Metadata.names(meta, put.object().vary());
        RecordHead head = new RecordHead(
                RecordHead.Kind.MARKER, put.hash(), sequence, sequence, key.length, 0, meta.readableBytes(), 0, 0, 0);
        ByteBuffer record = ByteBuffer.allocate(head.bodyAt());
        record.position(RecordHead.BYTES).put(key).put(meta.nioBuffer());
        head.write(record);
        return new RecordParts(head, record.position(0), List.of());
    }

    /** A record without content. */
    static RecordParts note(RecordHead.Kind kind, long hash, long sequence) {
        RecordHead head = new RecordHead(kind, hash, sequence, 0, 0, 0, 0, 0, 0, 0);
        ByteBuffer record = ByteBuffer.allocate(RecordHead.BYTES);
        head.write(record);
        return new RecordParts(head, record, List.of());
    }

    private static List<ByteBuffer> body(StoredObject object) {
        List<ByteBuffer> body = new ArrayList<>(object.bodyParts());
        for (int i = 0; i < object.bodyParts(); i++) {
            int from = object.bodyStart(i);
            if (object.bodyEnd(i) > from) {
                body.add(object.block(i).buffer().nioBuffer(from, object.bodyEnd(i) - from));
            }
        }
        return body;
    }

    /** Writes the checksum of each {@link RecordHead#BLOCK} of a body, wherever the pieces end. */
    private static void sums(ByteBuffer to, List<ByteBuffer> body) {
        CRC32C crc = new CRC32C();
        int inBlock = 0;
        for (ByteBuffer whole : body) {
            ByteBuffer piece = whole.duplicate();
            while (piece.hasRemaining()) {
                int n = Math.min(RecordHead.BLOCK - inBlock, piece.remaining());
                crc.update(piece.slice(piece.position(), n));
                piece.position(piece.position() + n);
                inBlock += n;
                if (inBlock == RecordHead.BLOCK) {
                    to.putInt((int) crc.getValue());
                    crc.reset();
                    inBlock = 0;
                }
            }
        }
        if (inBlock > 0) {
            to.putInt((int) crc.getValue());
        }
    }
}
