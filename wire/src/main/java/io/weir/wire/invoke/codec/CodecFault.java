package io.weir.wire.invoke.codec;

import org.jspecify.annotations.Nullable;

/** A value that cannot be encoded, or bytes that do not decode to the declared type. Without a stack trace. */
public final class CodecFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    CodecFault(String text) {
        this(text, null);
    }

    public CodecFault(String text, @Nullable Throwable cause) {
        super(text, cause, false, false);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
