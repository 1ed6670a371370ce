package io.weir.http;

import org.jspecify.annotations.Nullable;

/** Parses one field line (RFC 9112 5). Stateless and shared. */
final class FieldLine {
    private static final String CONTENT_LENGTH = "content-length";
    private static final String TRANSFER_ENCODING = "transfer-encoding";
    private static final String LENGTH_LETTERS = "contentlength";
    private static final String ENCODING_LETTERS = "transferencoding";

    private FieldLine() {}

    /** Adds the field in {@code [from, to)} of the fields' own text, or returns the fault. */
    static @Nullable Fault parse(Fields fields, int from, int to) {
        byte[] bytes = fields.bytes();
        int nameEnd = Ascii.tokenEnd(bytes, from, to);
        if (nameEnd == to || bytes[nameEnd] != ':' || nameEnd == from) return badName(fields, from, nameEnd, to);
        FieldName id = FieldName.of(bytes, from, nameEnd);
        if (id == null && imitates(bytes, from, nameEnd)) return Fault.FIELD_NAME_LOOKALIKE;
        int valueStart = Ascii.skipBlanks(bytes, nameEnd + 1, to);
        int valueEnd = Ascii.trimBlanks(bytes, valueStart, to);
        fields.addSpan(from, nameEnd, valueStart, valueEnd, id);
        return null;
    }

    private static Fault badName(Fields fields, int from, int nameEnd, int to) {
        byte[] bytes = fields.bytes();
        if (Ascii.isBlank(bytes[from])) return fields.size() == 0 ? Fault.LEADING_WHITESPACE : Fault.OBS_FOLD;
        if (bytes[from] == ':') return Fault.FIELD_NAME_EMPTY;
        if (nameEnd == to) return Fault.FIELD_WITHOUT_COLON;
        byte b = bytes[nameEnd];
        if (b < 0) return Fault.FIELD_NAME_HIGH_BYTE;
        if (!Ascii.isBlank(b)) return Fault.FIELD_NAME_INVALID;
        int next = Ascii.skipBlanks(bytes, nameEnd, to);
        return next < to && bytes[next] == ':' ? Fault.SPACE_BEFORE_COLON : Fault.FIELD_NAME_INVALID;
    }

    // a receiver that maps other characters to the hyphen, as CGI does, would see a framing field that we do not see
    private static boolean imitates(byte[] bytes, int from, int to) {
        boolean replaced = switch (to - from) {
            case 14 -> like(CONTENT_LENGTH, bytes, from);
            case 17 -> like(TRANSFER_ENCODING, bytes, from);
            default -> false;
        };
        return replaced || spells(LENGTH_LETTERS, bytes, from, to) || spells(ENCODING_LETTERS, bytes, from, to);
    }

    // with any number of punctuation marks between the letters, or none: some receivers ignore them
    private static boolean spells(String letters, byte[] bytes, int from, int to) {
        if (to - from < letters.length()) return false;
        int at = 0;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (!Ascii.isAlpha(b) && !Ascii.isDigit(b)) continue;
            if (at == letters.length() || Ascii.lower(b) != letters.charAt(at)) return false;
            at++;
        }
        return at == letters.length();
    }

    private static boolean like(String name, byte[] bytes, int from) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '-' && Ascii.lower(bytes[from + i]) != c) return false;
        }
        return true;
    }
}
