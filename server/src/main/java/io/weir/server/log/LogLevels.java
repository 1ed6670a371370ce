package io.weir.server.log;

import io.weir.base.LogMessage;
import io.weir.base.Nearest;
import io.weir.base.Severity;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides which messages are logged: the configured levels, compiled. Immutable; swapped whole by a live change. */
public final class LogLevels {
    /** The subsystems of all messages, in any case; a test compares them with the declarations. */
    public static final Set<String> SUBSYSTEMS = subsystems(
            "Admin",
            "Audit",
            "Cache",
            "Cluster",
            "Configuration",
            "HTTP",
            "JMS",
            "Java",
            "Kernel",
            "Log",
            "Netty",
            "Proxy",
            "Security",
            "Server",
            "Socket",
            "Store",
            "Supervisor",
            "Wire",
            "WorkManager");

    private final Severity general;
    private final Map<String, Severity> bySubsystem;

    private LogLevels(Severity general, Map<String, Severity> bySubsystem) {
        this.general = general;
        this.bySubsystem = bySubsystem;
    }

    private static Set<String> subsystems(String... names) {
        Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        all.addAll(List.of(names));
        return Collections.unmodifiableSet(all);
    }

    /** Compiles levels; entries that {@link #problem} refuses are skipped. */
    public static LogLevels of(Severity general, List<String> entries) {
        Map<String, Severity> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String entry : entries) {
            int eq = entry.indexOf('=');
            Severity severity = eq < 0 ? null : severity(entry.substring(eq + 1));
            if (severity != null) {
                map.put(entry.substring(0, eq).trim(), severity);
            }
        }
        return new LogLevels(general, map);
    }

    /** What is wrong with an entry {@code Subsystem=level}, or null. */
    public static @Nullable String problem(String entry) {
        int eq = entry.indexOf('=');
        if (eq <= 0) {
            return "expected Subsystem=level, such as Socket=fine, found \"" + entry + "\"";
        }
        String name = entry.substring(0, eq).trim();
        if (!SUBSYSTEMS.contains(name)) {
            return "there is no subsystem \"" + name + "\"" + Nearest.known(name, SUBSYSTEMS);
        }
        return severity(entry.substring(eq + 1)) != null
                ? null
                : "expected one of catastrophe, critical, error, warning, notice, info, fine, finer, finest after"
                        + " the sign =, found \"" + entry + "\"";
    }

    /** Whether a message is at least as severe as its subsystem's level. */
    boolean pass(LogMessage message) {
        return pass(message.subsystem(), message.severity());
    }

    boolean pass(String subsystem, Severity severity) {
        Severity level = bySubsystem.isEmpty() ? general : bySubsystem.getOrDefault(subsystem, general);
        return severity.compareTo(level) <= 0;
    }

    private static @Nullable Severity severity(String word) {
        for (Severity s : Severity.values()) {
            if (s.name().toLowerCase(Locale.ROOT).equals(word.trim())) {
                return s;
            }
        }
        return null;
    }
}
