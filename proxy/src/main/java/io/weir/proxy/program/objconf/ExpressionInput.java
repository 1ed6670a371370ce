package io.weir.proxy.program.objconf;

import org.jspecify.annotations.Nullable;

/** What expressions can read of a request. Confined to the request's loop. */
interface ExpressionInput {
    /** The value of a variable; null: undefined. */
    @Nullable
    Object variable(String name);

    /** The value for a key of a map: {@code $headers{'host'}}; null: undefined. */
    @Nullable
    Object entry(String map, String key);

    /** A group of the last regular expression that matched, 0 for the whole; null: there is none. */
    @Nullable
    String group(int number);

    /** Remembers the groups of a match, 0 for the whole. */
    void groups(@Nullable String[] groups);

    /** A function with side effects or of the outside: time, files, other programs; null: undefined. */
    @Nullable
    Object call(Expression.Function function, Object[] arguments);

    /** A test of a file: {@code -e} and the like, without the dash; null: undefined. */
    @Nullable
    Object test(char what, String path);
}
