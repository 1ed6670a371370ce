package io.weir.kernel.tls;

import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of one owner of certificates: when to reload them, and the outcome. Confined to its owner's lock; the last
 * outcome is readable from any thread.
 */
final class TlsFiles {
    /** Loads the files' current content and applies it. */
    interface Loading {
        /**
         * Loads and applies.
         *
         * @param changed files that have changed since the last load
         * @return the certificates that are presented from now on, by the file that they are from
         * @throws TlsFault if they cannot be used; nothing has changed then
         */
        Map<String, X509Certificate> load(Set<String> changed) throws TlsFault;
    }

    private final String owner;
    private final Collection<String> files;
    private final long interval;
    private final KernelContext kernel;
    private FileMarks marks;
    private long lastCheck;
    private Map<String, X509Certificate> shown = Map.of();
    private volatile TlsReload last;

    /** Takes a snapshot of the files; the owner is about to load them for the first time. */
    TlsFiles(String owner, Collection<String> files, Duration interval, KernelContext kernel) {
        this.owner = owner;
        this.files = List.copyOf(files);
        this.interval = interval.toNanos();
        this.kernel = kernel;
        this.marks = FileMarks.of(this.files);
        this.lastCheck = kernel.clock().nanos();
        this.last = new TlsReload(kernel.clock().millis(), null, List.of());
    }

    /** Records the certificates of the first load. */
    void begin(Map<String, X509Certificate> certificates) {
        shown = Map.copyOf(certificates);
    }

    TlsReload last() {
        return last;
    }

    /** Whether the interval has passed and a file has changed. */
    boolean due(long nanos) {
        if (interval <= 0 || nanos - lastCheck < interval) {
            return false;
        }
        lastCheck = nanos;
        return FileMarks.of(files).differ(marks, files);
    }

    /** Reloads; counts and logs the outcome. */
    TlsReload load(Loading loading) {
        FileMarks seen = FileMarks.of(files);
        Set<String> changed = files.stream()
                .filter(f -> seen.differ(marks, List.of(f)))
                .collect(Collectors.toCollection(TreeSet::new));
        marks = seen;
        try {
            Map<String, X509Certificate> next = loading.load(changed);
            List<String> changes = changes(changed, next);
            shown = Map.copyOf(next);
            return over(null, changes);
        } catch (TlsFault e) {
            return over(String.valueOf(e.getMessage()), List.of());
        }
    }

    private TlsReload over(@Nullable String failure, List<String> changes) {
        TlsReload outcome = new TlsReload(kernel.clock().millis(), failure, changes);
        last = outcome;
        kernel.stats()
                .counter(KernelStats.TLS_RELOADS, owner, failure == null ? "done" : "failed")
                .inc();
        if (failure == null) {
            String what = changes.isEmpty() ? "unchanged" : String.join("; ", changes);
            kernel.log().log(KernelMessages.TLS_RELOADED, owner, what);
        } else {
            kernel.log().log(KernelMessages.TLS_RELOAD_FAILED, owner, failure);
        }
        return outcome;
    }

    private List<String> changes(Set<String> changed, Map<String, X509Certificate> next) {
        List<String> lines = new ArrayList<>();
        next.forEach((place, leaf) -> {
            X509Certificate old = shown.get(place);
            if (!leaf.equals(old)) {
                lines.add(place + ": " + text(leaf) + (old == null ? "" : " instead of " + text(old)));
                changed.remove(place);
            }
        });
        changed.forEach(file -> lines.add(file + " was written"));
        return lines;
    }

    private static String text(X509Certificate c) {
        return "serial " + c.getSerialNumber().toString(16) + " until "
                + c.getNotAfter().toInstant();
    }
}
