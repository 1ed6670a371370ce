package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.jms.frames.BlockFormat;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A text, or null. Decoded on first access. Used by one thread at a time. */
public final class WeirTextMessage extends WeirMessage implements TextMessage {
    private @Nullable String text;
    private byte @Nullable [] encoded;

    public WeirTextMessage() {
        super(BlockFormat.TEXT);
    }

    @Override
    public void setText(@Nullable String text) throws JMSException {
        checkWriteable();
        this.text = text;
        encoded = null;
    }

    @Override
    public @Nullable String getText() {
        if (text == null && encoded != null && encoded.length > 0) {
            text = encoded[0] == BlockFormat.TEXT_UTF_16
                    ? chars(encoded)
                    : new String(encoded, 1, encoded.length - 1, StandardCharsets.UTF_8);
        }
        return text;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        text = null;
        encoded = null;
    }

    @Override
    void receivedBody(byte[] body) {
        encoded = body;
    }

    @Override
    @Nullable
    Object body() {
        return getText();
    }

    @Override
    int bodyBytes() {
        return encoded != null ? encoded.length : text == null ? 0 : 1 + ByteBufUtil.utf8Bytes(text);
    }

    /** Converts char by char: a decoder would replace unpaired surrogates. */
    private static String chars(byte[] encoded) {
        char[] chars = new char[(encoded.length - 1) / 2];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) ((encoded[2 * i + 1] << 8) | (encoded[2 * i + 2] & 0xff));
        }
        return new String(chars);
    }

    /** Whether the text has an unpaired surrogate, which UTF-8 would lose. */
    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!pair) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    @Override
    void encodeBody(ByteBuf out) {
        if (encoded != null) {
            out.writeBytes(encoded);
        } else if (text != null) {
            int start = out.writerIndex();
            ByteBufUtil.writeUtf8(out.writeByte(BlockFormat.TEXT_UTF_8), text);
            // the UTF-8 encoder writes a question mark for an unpaired surrogate
            if (out.indexOf(start, out.writerIndex(), (byte) '?') >= 0 && hasUnpairedSurrogate(text)) {
                out.writerIndex(start).writeByte(BlockFormat.TEXT_UTF_16);
                for (int i = 0; i < text.length(); i++) {
                    out.writeChar(text.charAt(i));
                }
            }
        }
    }
}
