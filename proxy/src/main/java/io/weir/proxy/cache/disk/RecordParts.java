package io.weir.proxy.cache.disk;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a record that follow each other in the file.
 *
 * @param from where the body is, if it is not in memory
 */
record RecordParts(
        RecordHead head,
        ByteBuffer beforeBody,
        List<ByteBuffer> body,
        @Nullable SegmentBody from) {
    RecordParts(RecordHead head, ByteBuffer beforeBody, List<ByteBuffer> body) {
        this(head, beforeBody, body, null);
    }
}
