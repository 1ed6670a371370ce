package io.weir.jms.selector;

import io.weir.jms.frames.BlockFormat;
import io.weir.wire.Utf8;

/** A string of a selector, as text, as bytes, and, if it is one, as a message id. Immutable. */
final class Literal {
    final String text;
    final byte[] utf8;
    /** Whether the text is a message id in Weir's format; the next two are its parts then. */
    final boolean messageId;

    final long idConnection;
    final long idSequence;

    Literal(String text) {
        this.text = text;
        utf8 = Utf8.bytes(text);
        long connection = 0;
        long sequence = 0;
        int dash = text.lastIndexOf('-');
        if (text.startsWith(BlockFormat.ID_PREFIX) && dash >= BlockFormat.ID_PREFIX.length()) {
            try {
                connection = Long.parseUnsignedLong(text.substring(BlockFormat.ID_PREFIX.length(), dash), 16);
                sequence = Long.parseLong(text.substring(dash + 1));
            } catch (NumberFormatException noId) {
                connection = 0;
            }
        }
        idConnection = connection;
        idSequence = sequence;
        messageId = text.equals(BlockFormat.messageId(connection, sequence));
    }
}
