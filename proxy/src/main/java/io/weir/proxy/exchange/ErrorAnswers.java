package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.ProtocolFault;
import io.weir.http.RequestHead;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.ErrorPages;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the proxy's own error answers. Shared; the response that it writes to is confined to the caller's muxer. */
public final class ErrorAnswers {
    private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;
    private static final Map<String, ProxyFault> BY_CODE =
            Stream.of(ProxyFault.values()).collect(Collectors.toUnmodifiableMap(ProxyFault::code, f -> f));
    private static final List<String> OWN_FIELDS = List.of(
            "Date", "Content-Type", "Cache-Control", "Retry-After", "Allow", "WWW-Authenticate", "Proxy-Authenticate");
    private static final String NO_STORE = "Cache-Control: no-store\r\n";

    private final ErrorPages pages;
    private final ProgramHost host;

    public ErrorAnswers(ErrorPages pages, ProgramHost host) {
        this.pages = pages;
        this.host = host;
    }

    /** Converts a fault to the failure that a fill passes to its readers. */
    static FillFailure failure(ProxyFault fault, String detail) {
        return new FillFailure(fault.status(), detail.isEmpty() ? fault.title() : detail, fault.code());
    }

    /** The fault for a failed fill. */
    static ProxyFault of(FillFailure failure) {
        ProxyFault named = BY_CODE.get(failure.code());
        if (named != null) {
            return named;
        }
        return switch (failure.status()) {
            case 503 -> ProxyFault.OVERLOAD;
            case 504 -> ProxyFault.RESPONSE_TIME_OUT;
            default -> ProxyFault.ORIGIN_RESET;
        };
    }

    /** Answers an exchange; its fault has been counted. */
    void answer(ExchangeState exchange) {
        ProxyFault fault = exchange.failure();
        String detail = exchange.failureDetail();
        RequestHead head = exchange.head();
        boolean keep = !ends(fault) && exchange.keepsAlive();
        ErrorPages.Page page = pages.page(
                ALLOCATOR,
                status(fault, exchange.run()),
                title(fault, exchange.run()),
                fault.code(),
                detail.isEmpty() || !isPublic(fault) ? null : detail,
                exchange.record().id(),
                head.fields().combined(FieldName.ACCEPT));
        write(
                exchange.response(),
                status(fault, exchange.run()),
                page,
                keep,
                particular(fault, exchange.run()),
                exchange.run().retryAfter(),
                exchange.run().outputEdits());
    }

    /** A program may choose the status and the title of its own refusals. */
    private static int status(ProxyFault fault, ProgramRun run) {
        return fault == run.fault() ? run.faultStatus() : fault.status();
    }

    private static String title(ProxyFault fault, ProgramRun run) {
        return fault == run.fault() ? run.faultTitle() : fault.title();
    }

    /** A field specific to a fault. */
    private record Particular(FieldName field, String value) {}

    private static @Nullable Particular particular(ProxyFault fault, ProgramRun run) {
        FieldName field = switch (fault) {
            case METHOD_NOT_ALLOWED -> FieldName.ALLOW;
            case AUTHENTICATION -> FieldName.WWW_AUTHENTICATE;
            case PROXY_AUTHENTICATION -> FieldName.PROXY_AUTHENTICATE;
            default -> null;
        };
        String value = field == FieldName.ALLOW ? run.allow() : run.challenge();
        return field == null || value == null ? null : new Particular(field, value);
    }

    /** Whether the rest of the request is not read, however small it may be. */
    private static boolean ends(ProxyFault fault) {
        return fault == ProxyFault.REQUEST_TIME_OUT
                || fault == ProxyFault.BODY_TOO_LARGE
                || fault == ProxyFault.CONNECTION_LIMIT;
    }

    /**
     * Whether the detail may be shown to the client: addresses and system messages of a route's origins are internal.
     */
    private static boolean isPublic(ProxyFault fault) {
        return switch (fault) {
            case ORIGIN_REFUSED,
                    ORIGIN_UNRESOLVABLE,
                    ORIGIN_RESET,
                    ORIGIN_TLS,
                    ORIGIN_POOL_FULL,
                    ORIGINS_BUSY,
                    ORIGINS_DOWN,
                    CONNECT_TIME_OUT,
                    DNS_TIME_OUT,
                    RESPONSE_TIME_OUT,
                    BODY_TIME_OUT -> false;
            default -> true;
        };
    }

    /**
     * Answers and records a request whose head violates HTTP, so that there is no exchange; the connection ends after
     * it.
     */
    public void refuseHead(Client client, ProtocolFault fault) {
        refuse(client, fault);
        RefusedRequest.record(client);
    }

    /** Answers a request that violates HTTP; the connection ends after it. */
    void refuse(Client client, ProtocolFault fault) {
        client.response().beginUnread();
        ErrorPages.Page page = pages.page(
                ALLOCATOR, fault.status(), title(fault.status()), fault.reason().label(), fault.detail(), "-", null);
        write(client.response(), fault.status(), page, false, null, 1, null);
    }

    /** Answers with 408, and records, a request whose head did not arrive in time. */
    public void requestTimeOut(Client client) {
        host.count(ProxyFault.REQUEST_TIME_OUT);
        client.response().beginUnread();
        ErrorPages.Page page = pages.page(ALLOCATOR, ProxyFault.REQUEST_TIME_OUT, null, "-", null);
        write(client.response(), ProxyFault.REQUEST_TIME_OUT.status(), page, false, null, 1, null);
        RefusedRequest.record(client);
    }

    private static void write(
            ClientResponse response,
            int status,
            ErrorPages.Page page,
            boolean keep,
            @Nullable Particular particular,
            long retryAfter,
            @Nullable HeaderEdits edits) {
        ByteBuf fields = ALLOCATOR.buffer(64);
        try {
            fields.writeCharSequence(NO_STORE, StandardCharsets.US_ASCII);
            if (status == 503 || status == 429) {
                Encoder.field(fields, FieldName.RETRY_AFTER, retryAfter);
            }
            Outputs.own(fields, edits, OWN_FIELDS);
            if (particular != null) {
                Encoder.field(fields, particular.field(), particular.value());
            }
            response.local(status, page.contentType(), page.body(), keep, fields);
        } finally {
            fields.release();
        }
    }

    private static String title(int status) {
        return switch (status) {
            case 413 -> "The request's body is too large";
            case 414 -> "The request line is too long";
            case 431 -> "The request's fields are too large";
            case 501 -> "The method or coding is not known";
            case 505 -> "The HTTP version is not supported";
            default -> "The request is malformed";
        };
    }
}
