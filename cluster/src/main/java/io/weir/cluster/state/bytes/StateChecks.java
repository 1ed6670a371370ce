package io.weir.cluster.state.bytes;

/** Checks of values, shared by writers and readers: an IllegalArgumentException says which limit is exceeded. */
public final class StateChecks {
    private StateChecks() {}

    /** A name has 1 to {@link StateLimits#NAME} characters, none of them a control character. */
    static String name(String value) {
        if (value.isEmpty() || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a name is empty or has a control character: \"" + value + "\"");
        }
        return length(value, StateLimits.NAME);
    }

    static String length(String value, int limit) {
        if (value.length() > limit) {
            throw new IllegalArgumentException(
                    value.length() + " characters where " + limit + " may be: " + value.substring(0, 40) + "…");
        }
        return value;
    }

    static int count(int count, int limit) {
        if (count < 0 || count > limit) {
            throw new IllegalArgumentException(count + " where " + limit + " may be");
        }
        return count;
    }

    public static int range(int value, int least, int most, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", not " + least + " to " + most);
        }
        return value;
    }

    public static long range(long value, long least, long most, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ", not " + least + " to " + most);
        }
        return value;
    }
}
