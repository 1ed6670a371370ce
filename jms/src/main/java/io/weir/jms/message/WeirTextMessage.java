package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.jms.frames.BlockFormat;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A text, or null. Decoded when it is asked for. Used by one thread at a time. */
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
            text = new String(encoded, 1, encoded.length - 1, StandardCharsets.UTF_8);
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

    @Override
    void encodeBody(ByteBuf out) {
        if (encoded != null) {
            out.writeBytes(encoded);
        } else if (text != null) {
            ByteBufUtil.writeUtf8(out.writeByte(1), text);
        }
    }
}
