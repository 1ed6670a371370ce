package io.weir.http.structured;

/** Character classes of RFC 9651. */
final class Chars {

    private Chars() {}

    static boolean isAlpha(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Characters of a token after its first: tchar, colon and slash (3.3.4). */
    static boolean isTokenChar(char c) {
        return isAlpha(c) || isDigit(c) || (c < 0x7f && "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0);
    }

    static boolean isKeyStart(char c) {
        return (c >= 'a' && c <= 'z') || c == '*';
    }

    static boolean isKeyChar(char c) {
        return isKeyStart(c) || isDigit(c) || c == '_' || c == '-' || c == '.';
    }

    /** Value of a hexadecimal digit in lower case, or -1. */
    static int lowerHex(char c) {
        if (isDigit(c)) {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
