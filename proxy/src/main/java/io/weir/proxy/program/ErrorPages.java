package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.weir.proxy.program.run.ProxyFault;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of error answers: a problem document (RFC 9457), a short HTML page or plain text, whichever Accept prefers.
 * All external text is escaped, and no internals are shown. Immutable, shared.
 */
public final class ErrorPages {
    private static final int MAX_DETAIL = 512;

    private final String product;

    /** Pages signed with the product's name. */
    public ErrorPages(String product) {
        this.product = product;
    }

    /** A body and its type; the receiver owns the body. */
    public record Page(String contentType, ByteBuf body) {}

    /** The media types of error answers. */
    enum Form {
        HTML("text/html; charset=utf-8", "text/html"),
        PROBLEM("application/problem+json", "application/problem+json"),
        TEXT("text/plain; charset=utf-8", "text/plain");

        private final String contentType;
        private final String type;

        Form(String contentType, String type) {
            this.contentType = contentType;
            this.type = type;
        }
    }

    /**
     * An error's page.
     *
     * @param code the reason in kebab case
     * @param detail details of this occurrence; may contain external text
     * @param accept the request's Accept, null if it has none
     */
    public Page page(
            ByteBufAllocator allocator,
            int status,
            String title,
            String code,
            @Nullable String detail,
            String requestId,
            @Nullable String accept) {
        Form form = choose(accept);
        String some =
                detail == null || detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL) + "...";
        String text = switch (form) {
            case HTML -> html(status, title, code, some, requestId);
            case PROBLEM -> problem(status, title, code, some, requestId);
            case TEXT -> text(status, title, code, some, requestId);
        };
        return new Page(form.contentType, ByteBufUtil.writeUtf8(allocator, text));
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

    private String html(int status, String title, String code, @Nullable String detail, String requestId) {
        StringBuilder b = new StringBuilder(512);
        b.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(status)
                .append(' ');
        escape(title, b);
        b.append("</title></head>\n<body><h1>");
        escape(title, b);
        b.append("</h1>\n");
        if (detail != null) {
            b.append("<p>");
            escape(detail, b);
            b.append("</p>\n");
        }
        b.append("<p>Status ").append(status).append(", reason ");
        escape(code, b);
        b.append(", request ");
        escape(requestId, b);
        b.append("</p>\n<hr><address>");
        escape(product, b);
        return b.append("</address></body></html>\n").toString();
    }

    private static void escape(String text, StringBuilder into) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> into.append("&lt;");
                case '>' -> into.append("&gt;");
                case '&' -> into.append("&amp;");
                case '"' -> into.append("&quot;");
                case '\'' -> into.append("&#39;");
                default -> into.append(isControl(c) ? ' ' : c);
            }
        }
    }

    private static boolean isControl(char c) {
        return c < 0x20 || (c >= 0x7f && c < 0xa0) || Character.isSurrogate(c);
    }

    private static String problem(int status, String title, String code, @Nullable String detail, String requestId) {
        StringBuilder b = new StringBuilder(256);
        b.append("{\"type\":\"about:blank\",\"title\":");
        quote(title, b);
        b.append(",\"status\":").append(status);
        if (detail != null) {
            b.append(",\"detail\":");
            quote(detail, b);
        }
        b.append(",\"code\":");
        quote(code, b);
        b.append(",\"instance\":");
        quote("urn:weir:request:" + requestId, b);
        return b.append("}\n").toString();
    }

    private static void quote(String text, StringBuilder into) {
        into.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // markup is escaped too, so that content sniffing does not find any
            if (isControl(c) || c == '<' || c == '>' || c == '&') {
                into.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                if (c == '"' || c == '\\') {
                    into.append('\\');
                }
                into.append(c);
            }
        }
        into.append('"');
    }

    private String text(int status, String title, String code, @Nullable String detail, String requestId) {
        StringBuilder b = new StringBuilder(256);
        b.append(status).append(' ');
        plain(title, b);
        b.append(".\n");
        if (detail != null) {
            plain(detail, b);
            b.append('\n');
        }
        b.append("Reason ");
        plain(code, b);
        b.append(", request ");
        plain(requestId, b);
        b.append(".\n");
        plain(product, b);
        return b.append('\n').toString();
    }

    private static void plain(String text, StringBuilder into) {
        for (int i = 0; i < text.length(); i++) {
            into.append(isControl(text.charAt(i)) ? ' ' : text.charAt(i));
        }
    }

    /**
     * The form that Accept weighs highest (RFC 9110 12.5.1); among equals, or if none is acceptable: plain text if
     * Accept has no specific preference, otherwise HTML, problem document, text.
     */
    static Form choose(@Nullable String accept) {
        if (accept == null || accept.isBlank() || accept.equals("*/*")) {
            return Form.TEXT;
        }
        Form best = Form.TEXT;
        int bestWeight = 0;
        for (Form form : Form.values()) {
            int weight = weight(accept, form);
            if (weight > bestWeight) {
                best = form;
                bestWeight = weight;
            }
        }
        return best;
    }

    /** 0 to 1000 times two, plus one if the type is named exactly and not only by a range. */
    private static int weight(String accept, Form form) {
        int best = 0;
        int bestRank = -1;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", 64)) {
            String[] parts = range.split(";", 8);
            int rank = rank(parts[0].trim(), form);
            if (rank > bestRank) {
                bestRank = rank;
                best = quality(parts) * 2 + (rank == 2 ? 1 : 0);
            }
        }
        return best <= 1 ? 0 : best;
    }

    private static int rank(String range, Form form) {
        boolean json = form == Form.PROBLEM && range.equals("application/json");
        if (range.equals(form.type) || json) {
            return 2;
        }
        String main = form.type.substring(0, form.type.indexOf('/') + 1);
        if (range.equals(main + "*")) {
            return 1;
        }
        return range.equals("*/*") ? 0 : -1;
    }

    private static int quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String p = parts[i].trim();
            if (p.startsWith("q=")) {
                return p.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
                        ? (int) Math.round(Double.parseDouble(p.substring(2)) * 1000)
                        : 0;
            }
        }
        return 1000;
    }
}
