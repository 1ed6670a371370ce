package io.weir.lab.bench.process;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The needed fields of a line of {@code /proc/PID/stat} (proc(5)). Immutable.
 *
 * @param ticks utime + stime, in {@link #TICKS_PER_SECOND}; dead threads included
 */
public record ProcessStat(long pid, long parent, long ticks) {
    /** USER_HZ, 100 on every architecture Weir runs on. */
    static final int TICKS_PER_SECOND = 100;

    /** @throws IllegalArgumentException if it is not such a line */
    static ProcessStat parse(String line) {
        // the program's name is in parentheses and may contain spaces and parentheses itself
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        String[] words =
                close < 0 ? new String[0] : line.substring(close + 1).strip().split(" ", -1);
        if (open < 1 || words.length < 13) {
            throw new IllegalArgumentException("not a line of /proc/PID/stat: " + line);
        }
        return new ProcessStat(
                Long.parseLong(line.substring(0, open).strip()),
                Long.parseLong(words[1]),
                Long.parseLong(words[11]) + Long.parseLong(words[12]));
    }

    /** Ticks of a process and all its descendants, by process id. */
    static Map<Long, Long> family(long root, Collection<ProcessStat> all) {
        Set<Long> members = new HashSet<>(Set.of(root));
        for (boolean grown = true; grown; ) {
            grown = false;
            for (ProcessStat each : all) {
                grown |= members.contains(each.parent) && members.add(each.pid);
            }
        }
        Map<Long, Long> ticks = new HashMap<>();
        for (ProcessStat each : all) {
            if (members.contains(each.pid)) {
                ticks.put(each.pid, each.ticks);
            }
        }
        return ticks;
    }

    /** Microseconds spent between two readings of a family, without processes that died in between. */
    public static double microsBetween(Map<Long, Long> before, Map<Long, Long> after) {
        long ticks = 0;
        for (Map.Entry<Long, Long> each : after.entrySet()) {
            ticks += each.getValue() - before.getOrDefault(each.getKey(), 0L);
        }
        return ticks * 1e6 / TICKS_PER_SECOND;
    }
}
