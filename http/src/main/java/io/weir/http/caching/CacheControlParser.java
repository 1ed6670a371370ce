package io.weir.http.caching;

import io.weir.http.semantics.DeltaSeconds;
import io.weir.http.semantics.FieldScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the directives of one field value. Lives for one parse; not shared. */
final class CacheControlParser {

    /**
     * With more names than this, {@code no-cache="…"} and {@code private="…"} are treated as the form without names.
     */
    static final int MAX_FIELD_NAMES = 32;

    /** A value that is present but not a number, or present twice with different values. */
    private static final long BROKEN = -2;

    private static final List<String> USUAL_VALUES = List.of(
            "no-cache",
            "no-store",
            "no-cache, no-store",
            "no-store, no-cache",
            "no-cache, no-store, must-revalidate",
            "no-cache, no-store, max-age=0, must-revalidate",
            "private",
            "private, no-cache",
            "private, no-store",
            "private, max-age=0",
            "public",
            "max-age=0",
            "max-age=0, must-revalidate",
            "public, max-age=0",
            "public, max-age=0, must-revalidate",
            "max-age=60",
            "public, max-age=60",
            "max-age=300",
            "public, max-age=300",
            "max-age=600",
            "public, max-age=600",
            "max-age=3600",
            "public, max-age=3600",
            "max-age=86400",
            "public, max-age=86400",
            "max-age=604800",
            "public, max-age=604800",
            "max-age=2592000",
            "public, max-age=2592000",
            "max-age=31536000",
            "public, max-age=31536000",
            "public, max-age=31536000, immutable",
            "max-age=31536000, immutable",
            "only-if-cached");

    int flags;
    long maxAge = CacheControl.ABSENT;
    long sMaxAge = CacheControl.ABSENT;
    long maxStale = CacheControl.ABSENT;
    long minFresh = CacheControl.ABSENT;
    long staleWhileRevalidate = CacheControl.ABSENT;
    long staleIfError = CacheControl.ABSENT;
    final List<String> noCacheFields = new ArrayList<>(0);
    final List<String> privateFields = new ArrayList<>(0);

    private CacheControlParser() {}

    static Map<String, CacheControl> usual() {
        Map<String, CacheControl> usual = new HashMap<>();
        for (String value : USUAL_VALUES) {
            usual.put(value, parse(value));
        }
        return Map.copyOf(usual);
    }

    static CacheControl parse(String value) {
        CacheControlParser parser = new CacheControlParser();
        FieldScanner scanner = new FieldScanner(value);
        while (scanner.nextElement()) {
            parser.directive(scanner);
        }
        parser.settle();
        return new CacheControl(parser);
    }

    private void directive(FieldScanner scanner) {
        String name = scanner.token();
        if (name == null) {
            skip(scanner);
            return;
        }
        boolean given = scanner.peek() == '=';
        String argument = given ? argument(scanner) : null;
        boolean clean = scanner.atElementEnd();
        if (!clean) {
            skip(scanner);
        }
        apply(name.toLowerCase(Locale.ROOT), clean && (!given || argument != null), given, argument);
    }

    private static @Nullable String argument(FieldScanner scanner) {
        scanner.take('=');
        return scanner.peek() == '"' ? scanner.quoted() : scanner.token();
    }

    private void skip(FieldScanner scanner) {
        if (!scanner.skipElement()) {
            flags |= CacheControl.MALFORMED;
        }
    }

    /**
     * Applies one directive.
     *
     * @param clean whether the element matched the grammar to its end
     * @param given whether there was an equals sign
     * @param argument the argument after it, or null if it was invalid
     */
    private void apply(String name, boolean clean, boolean given, @Nullable String argument) {
        switch (name) {
            case "no-store" -> flags |= CacheControl.NO_STORE;
            case "no-transform" -> flags |= CacheControl.NO_TRANSFORM;
            case "must-revalidate" -> flags |= CacheControl.MUST_REVALIDATE;
            case "proxy-revalidate" -> flags |= CacheControl.PROXY_REVALIDATE;
            case "only-if-cached" -> flags |= CacheControl.ONLY_IF_CACHED;
            case "public" -> permit(CacheControl.PUBLIC, clean && !given);
            case "must-understand" -> permit(CacheControl.MUST_UNDERSTAND, clean && !given);
            case "immutable" -> permit(CacheControl.IMMUTABLE, clean && !given);
            case "no-cache" -> named(CacheControl.NO_CACHE, noCacheFields, clean ? argument : null);
            case "private" -> named(CacheControl.PRIVATE, privateFields, clean ? argument : null);
            default -> seconds(name, clean ? argument : null, clean && !given);
        }
    }

    private void permit(int flag, boolean clean) {
        if (clean) {
            flags |= flag;
        }
    }

    /**
     * The form with names; without usable names it is treated as the form for the whole response, which prohibits more.
     */
    private void named(int flag, List<String> names, @Nullable String argument) {
        int before = names.size();
        FieldScanner scanner = new FieldScanner(argument == null ? "" : argument);
        while (scanner.nextElement()) {
            String name = scanner.lowerToken();
            if (name == null || !scanner.atElementEnd() || names.size() == MAX_FIELD_NAMES) {
                flags |= flag;
                return;
            }
            names.add(name);
        }
        if (names.size() == before) {
            flags |= flag;
        }
    }

    private void seconds(String name, @Nullable String argument, boolean bare) {
        long value = argument == null ? DeltaSeconds.INVALID : DeltaSeconds.parse(argument);
        long next = value == DeltaSeconds.INVALID ? BROKEN : value;
        switch (name) {
            case "max-age" -> maxAge = merge(maxAge, next);
            case "s-maxage" -> sMaxAge = merge(sMaxAge, next);
            case "min-fresh" -> minFresh = merge(minFresh, next);
            case "max-stale" -> maxStale = merge(maxStale, bare ? CacheControl.ANY : next);
            case "stale-while-revalidate" -> staleWhileRevalidate = merge(staleWhileRevalidate, next);
            case "stale-if-error" -> staleIfError = merge(staleIfError, next);
            default -> {
                // an unknown extension is ignored (RFC 9111 5.2.3)
            }
        }
    }

    private static long merge(long known, long next) {
        return known == CacheControl.ABSENT || known == next ? next : BROKEN;
    }

    /** Replaces broken values by safe ones: lifetimes by 0, permissions by none. */
    private void settle() {
        boolean malformed = (flags & CacheControl.MALFORMED) != 0;
        maxAge = maxAge == BROKEN || malformed ? 0 : maxAge;
        sMaxAge = sMaxAge == BROKEN || (malformed && sMaxAge != CacheControl.ABSENT) ? 0 : sMaxAge;
        minFresh = minFresh == BROKEN ? DeltaSeconds.MAX : minFresh;
        maxStale = maxStale == BROKEN || malformed ? CacheControl.ABSENT : maxStale;
        staleWhileRevalidate = staleWhileRevalidate == BROKEN || malformed ? CacheControl.ABSENT : staleWhileRevalidate;
        staleIfError = staleIfError == BROKEN || malformed ? CacheControl.ABSENT : staleIfError;
    }
}
