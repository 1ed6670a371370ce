package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of error answers: a problem document (RFC 9457), a short HTML page or plain text, whichever Accept prefers.
 * Nothing that came from outside stands in one unescaped, and no internals do. Immutable, shared.
 */
public final class ErrorPages {
    private final String product;

    /** Pages signed with the product's name. */
    public ErrorPages(String product) {
        this.product = product;
    }

    /** A body and its type; the receiver owns the body. */
    public record Page(String contentType, ByteBuf body) {}

    /**
     * An error's page.
     *
     * @param code the reason in kebab case
     * @param detail what is particular to this occurrence; may hold text from outside
     * @param accept the request's Accept, null when it has none
     */
    public Page page(
            ByteBufAllocator allocator,
            int status,
            String title,
            String code,
            @Nullable String detail,
            String requestId,
            @Nullable String accept) {
        throw new UnsupportedOperationException(product);
    }

    /** The page of a proxy fault. */
    public Page page(
            ByteBufAllocator allocator,
            ProxyFault fault,
            @Nullable String detail,
            String requestId,
            @Nullable String accept) {
        return page(allocator, fault.status(), fault.title(), fault.code(), detail, requestId, accept);
    }
}
