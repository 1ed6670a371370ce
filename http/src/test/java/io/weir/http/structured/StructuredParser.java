package io.weir.http.structured;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.http.structured.Member.InnerList;
import io.weir.http.structured.Member.Item;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses structured fields exactly as RFC 9651 4.2 says, or fails. Several lines of a field are joined with a comma and
 * a space before. Bounds: {@link #MAX_MEMBERS} members of a list or dictionary, {@link #MAX_INNER} items of an inner
 * list, {@link #MAX_INNER} parameters of one member, {@link #MAX_LENGTH} characters in all: what RFC 9651 3 wants
 * supported at least. Lives for one parse; not shared.
 */
public final class StructuredParser {

    public static final int MAX_MEMBERS = 1024;
    public static final int MAX_INNER = 256;
    public static final int MAX_LENGTH = 65_536;

    private final String text;
    private int at;

    private StructuredParser(String text) throws StructuredSyntaxException {
        this.text = text;
        if (text.length() > MAX_LENGTH) {
            throw fail("field too long");
        }
    }

    /** An item (4.2.3). */
    public static Item parseItem(String text) throws StructuredSyntaxException {
        StructuredParser parser = new StructuredParser(text);
        parser.skipSpaces();
        Item item = parser.item();
        parser.end();
        return item;
    }

    /** A list (4.2.1); an empty field is an empty list. */
    public static List<Member> parseList(String text) throws StructuredSyntaxException {
        StructuredParser parser = new StructuredParser(text);
        parser.skipSpaces();
        List<Member> members = new ArrayList<>();
        while (!parser.atEnd()) {
            parser.bound(members.size(), MAX_MEMBERS);
            members.add(parser.member());
            parser.separator();
        }
        return Collections.unmodifiableList(members);
    }

    /** A dictionary (4.2.2), in the order of the field; the last of several equal keys counts, at the first's place. */
    public static Map<String, Member> parseDictionary(String text) throws StructuredSyntaxException {
        StructuredParser parser = new StructuredParser(text);
        parser.skipSpaces();
        Map<String, Member> members = new LinkedHashMap<>();
        while (!parser.atEnd()) {
            parser.bound(members.size(), MAX_MEMBERS);
            String key = parser.key();
            boolean valued = parser.take('=');
            members.put(key, valued ? parser.member() : new Item(BareItem.Bool.TRUE, parser.parameters()));
            parser.separator();
        }
        return Collections.unmodifiableMap(members);
    }

    private Member member() throws StructuredSyntaxException {
        return peek() == '(' ? innerList() : item();
    }

    private Item item() throws StructuredSyntaxException {
        BareItem value = bareItem();
        return new Item(value, parameters());
    }

    private InnerList innerList() throws StructuredSyntaxException {
        expect('(');
        List<Item> items = new ArrayList<>();
        while (true) {
            skipSpaces();
            if (take(')')) {
                return new InnerList(items, parameters());
            }
            bound(items.size(), MAX_INNER);
            items.add(item());
            if (peek() != ' ' && peek() != ')') {
                throw fail("inner list needs a space or its end");
            }
        }
    }

    private Map<String, BareItem> parameters() throws StructuredSyntaxException {
        if (peek() != ';') {
            return Map.of();
        }
        Map<String, BareItem> parameters = new LinkedHashMap<>();
        while (take(';')) {
            skipSpaces();
            bound(parameters.size(), MAX_INNER);
            String key = key();
            parameters.put(key, take('=') ? bareItem() : BareItem.Bool.TRUE);
        }
        return parameters;
    }

    private String key() throws StructuredSyntaxException {
        if (!Chars.isKeyStart(peek())) {
            throw fail("key expected");
        }
        int from = at;
        while (Chars.isKeyChar(peek())) {
            at++;
        }
        return text.substring(from, at);
    }

    private BareItem bareItem() throws StructuredSyntaxException {
        char c = peek();
        if (c == '-' || Chars.isDigit(c)) {
            return number();
        }
        return switch (c) {
            case '"' -> string();
            case ':' -> bytes();
            case '?' -> bool();
            case '@' -> date();
            case '%' -> display();
            default -> token();
        };
    }

    private BareItem number() throws StructuredSyntaxException {
        boolean negative = take('-');
        int from = at;
        long whole = digits(15);
        int length = at - from;
        if (!take('.')) {
            return new BareItem.Int(negative ? -whole : whole);
        }
        if (length > 12) {
            throw fail("decimal too long");
        }
        int point = at;
        long fraction = digits(3);
        for (int i = at - point; i < 3; i++) {
            fraction *= 10;
        }
        long thousandths = whole * 1000 + fraction;
        return new BareItem.Decimal(negative ? -thousandths : thousandths);
    }

    private long digits(int most) throws StructuredSyntaxException {
        int from = at;
        long value = 0;
        while (Chars.isDigit(peek())) {
            if (at - from == most) {
                throw fail("too many digits");
            }
            value = value * 10 + (text.charAt(at++) - '0');
        }
        if (at == from) {
            throw fail("digit expected");
        }
        return value;
    }

    private BareItem string() throws StructuredSyntaxException {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return new BareItem.Text(out.toString());
            }
            if (c == '\\') {
                c = next();
                if (c != '"' && c != '\\') {
                    throw fail("wrong escape");
                }
            } else if (c < 0x20 || c > 0x7e) {
                throw fail("wrong character in string");
            }
            out.append(c);
        }
    }

    private BareItem token() throws StructuredSyntaxException {
        if (!Chars.isAlpha(peek()) && peek() != '*') {
            throw fail("item expected");
        }
        int from = at;
        while (Chars.isTokenChar(peek())) {
            at++;
        }
        return new BareItem.Token(text.substring(from, at));
    }

    private BareItem bytes() throws StructuredSyntaxException {
        expect(':');
        int close = text.indexOf(':', at);
        if (close < 0) {
            throw fail("byte sequence never ends");
        }
        try {
            BareItem bytes = BareItem.Bytes.of(Base64.getDecoder().decode(text.substring(at, close)));
            at = close + 1;
            return bytes;
        } catch (IllegalArgumentException notBase64) {
            throw fail("not base64");
        }
    }

    private BareItem bool() throws StructuredSyntaxException {
        expect('?');
        char c = next();
        if (c != '0' && c != '1') {
            throw fail("boolean expected");
        }
        return c == '1' ? BareItem.Bool.TRUE : BareItem.Bool.FALSE;
    }

    private BareItem date() throws StructuredSyntaxException {
        expect('@');
        if (number() instanceof BareItem.Int seconds) {
            return new BareItem.Date(seconds.value());
        }
        throw fail("date is no integer");
    }

    private BareItem display() throws StructuredSyntaxException {
        expect('%');
        expect('"');
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (char c = next(); c != '"'; c = next()) {
            if (c < 0x20 || c > 0x7e) {
                throw fail("wrong character in display string");
            }
            out.write(c == '%' ? octet() : c);
        }
        try {
            ByteBuffer utf8 = ByteBuffer.wrap(out.toByteArray());
            return new BareItem.Display(UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(utf8)
                    .toString());
        } catch (CharacterCodingException notUtf8) {
            throw fail("not UTF-8");
        }
    }

    private int octet() throws StructuredSyntaxException {
        int high = Chars.lowerHex(next());
        int low = Chars.lowerHex(next());
        if (high < 0 || low < 0) {
            throw fail("wrong percent-encoding");
        }
        return high * 16 + low;
    }

    /** The comma between two members, with white space around it, and something behind it; or the end. */
    private void separator() throws StructuredSyntaxException {
        skipOptional();
        if (atEnd()) {
            return;
        }
        expect(',');
        skipOptional();
        if (atEnd()) {
            throw fail("comma at the end");
        }
    }

    private void end() throws StructuredSyntaxException {
        skipSpaces();
        if (!atEnd()) {
            throw fail("end expected");
        }
    }

    private void bound(int size, int limit) throws StructuredSyntaxException {
        if (size == limit) {
            throw fail("more than " + limit + " members");
        }
    }

    private boolean atEnd() {
        return at == text.length();
    }

    private char peek() {
        return atEnd() ? 0 : text.charAt(at);
    }

    private char next() throws StructuredSyntaxException {
        if (atEnd()) {
            throw fail("unexpected end");
        }
        return text.charAt(at++);
    }

    private boolean take(char c) {
        boolean there = !atEnd() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) throws StructuredSyntaxException {
        if (!take(c)) {
            throw fail("'" + c + "' expected");
        }
    }

    private void skipSpaces() {
        while (take(' ')) {
            // only spaces count here
        }
    }

    private void skipOptional() {
        while (take(' ') || take('\t')) {
            // spaces and tabs
        }
    }

    private StructuredSyntaxException fail(String what) {
        return new StructuredSyntaxException(what, at);
    }
}
