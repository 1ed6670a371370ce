package io.weir.proxy.program;

import java.util.List;

/** What {@code cache-setting} says. Immutable. */
record CacheTerms(
        boolean checkAlways,
        long maxUncheckSeconds,
        double lmFactor,
        long coverErrorsSeconds,
        CacheSettings.ConnectMode connectMode,
        List<String> ignore) {
    static final CacheTerms STANDARD = new CacheTerms(false, 0, 0.1, 0, CacheSettings.ConnectMode.NORMAL, List.of());
}
