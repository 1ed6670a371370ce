package io.weir.http.structured;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.http.structured.Member.InnerList;
import io.weir.http.structured.Member.Item;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Writes structured fields in their canonical form (RFC 9651 4.1). Stateless. */
public final class StructuredSerializer {

    private static final String HEX = "0123456789abcdef";

    private StructuredSerializer() {}

    /** An item with its parameters (4.1.3). */
    public static String write(Item item) {
        StringBuilder out = new StringBuilder();
        member(out, item);
        return out.toString();
    }

    /**
     * A name or any text: as a token if it is one, otherwise as a string without characters that a string cannot
     * contain.
     */
    public static String name(String text) {
        if (BareItem.Token.isToken(text)) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length());
        text.chars().filter(c -> c >= 0x20 && c < 0x7f).forEach(c -> visible.append((char) c));
        StringBuilder out = new StringBuilder(text.length() + 2);
        bare(out, new BareItem.Text(visible.toString()));
        return out.toString();
    }

    /** A list (4.1.1). An empty list yields an empty string: the field must then not be sent at all. */
    public static String write(List<? extends Member> members) {
        StringBuilder out = new StringBuilder();
        for (Member member : members) {
            separate(out);
            member(out, member);
        }
        return out.toString();
    }

    /** A dictionary (4.1.2), in the order of the map. */
    public static String write(Map<String, ? extends Member> members) {
        StringBuilder out = new StringBuilder();
        members.forEach((key, member) -> {
            separate(out);
            key(out, key);
            if (member instanceof Item item && BareItem.Bool.TRUE.equals(item.value())) {
                parameters(out, item.parameters());
            } else {
                out.append('=');
                member(out, member);
            }
        });
        return out.toString();
    }

    private static void separate(StringBuilder out) {
        if (!out.isEmpty()) {
            out.append(", ");
        }
    }

    private static void member(StringBuilder out, Member member) {
        switch (member) {
            case Item item -> bare(out, item.value());
            case InnerList list -> inner(out, list.items());
        }
        parameters(out, member.parameters());
    }

    private static void inner(StringBuilder out, List<Item> items) {
        out.append('(');
        for (int i = 0; i < items.size(); i++) {
            out.append(i == 0 ? "" : " ");
            member(out, items.get(i));
        }
        out.append(')');
    }

    private static void parameters(StringBuilder out, Map<String, BareItem> parameters) {
        parameters.forEach((key, value) -> {
            out.append(';');
            key(out, key);
            if (!BareItem.Bool.TRUE.equals(value)) {
                out.append('=');
                bare(out, value);
            }
        });
    }

    private static void key(StringBuilder out, String key) {
        boolean valid = !key.isEmpty()
                && Chars.isKeyStart(key.charAt(0))
                && key.chars().allMatch(c -> Chars.isKeyChar((char) c));
        if (!valid) {
            throw new IllegalArgumentException("not a key: " + key);
        }
        out.append(key);
    }

    /** Appends a value without parameters (4.1.3.1). */
    public static void bare(StringBuilder out, BareItem value) {
        switch (value) {
            case BareItem.Int i -> out.append(i.value());
            case BareItem.Decimal d -> decimal(out, d.thousandths());
            case BareItem.Text t -> text(out, t.value());
            case BareItem.Token t -> out.append(t.value());
            case BareItem.Bytes b ->
                out.append(':')
                        .append(Base64.getEncoder().encodeToString(b.toArray()))
                        .append(':');
            case BareItem.Bool b -> out.append(b.value() ? "?1" : "?0");
            case BareItem.Date d -> out.append('@').append(d.epochSeconds());
            case BareItem.Display d -> display(out, d.value());
        }
    }

    private static void decimal(StringBuilder out, long thousandths) {
        long size = Math.abs(thousandths);
        String fraction = Long.toString(1000 + size % 1000);
        int end = 4;
        while (end > 2 && fraction.charAt(end - 1) == '0') {
            end--;
        }
        out.append(thousandths < 0 ? "-" : "").append(size / 1000).append('.').append(fraction, 1, end);
    }

    private static void text(StringBuilder out, String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            out.append(c);
        }
        out.append('"');
    }

    private static void display(StringBuilder out, String value) {
        out.append("%\"");
        for (byte b : value.getBytes(UTF_8)) {
            int octet = b & 0xff;
            if (octet == '%' || octet == '"' || octet < 0x20 || octet > 0x7e) {
                out.append('%').append(HEX.charAt(octet >> 4)).append(HEX.charAt(octet & 15));
            } else {
                out.append((char) octet);
            }
        }
        out.append('"');
    }
}
