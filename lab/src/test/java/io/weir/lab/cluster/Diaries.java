package io.weir.lab.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.base.Fence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What services of a fleet write down of themselves ({@code service.Diary}), read together: whether two of one were ever at once,
 * for how many milliseconds, and whether each that began was ended. What is not counted is what docs/cluster.md says may overlap:
 * the object of a process that stood still goes on until it is deactivated, but its lease has no time left, and it does not work.
 * Confined to the test's thread.
 */
final class Diaries {
    private static final int LEAST_WORDS = 5;

    /** An activation. */
    private static final class Stay {
        final String process;
        final String service;
        final Fence fence;
        final String shape;
        final long entered;
        final int slot;
        long worked;
        long active;
        long called;
        long over;

        Stay(String process, String[] line) {
            this.process = process;
            service = line[1];
            fence = fence(line[2]);
            slot = Integer.parseInt(line[3]);
            entered = Long.parseLong(line[4]);
            shape = line[5];
        }

        @Override
        public String toString() {
            return service + "@" + fence + " of " + process + " (" + shape + ") entered " + entered + ", active "
                    + active + ", worked until " + worked + ", called " + called + ", over " + over;
        }
    }

    /** A process stood still. */
    private record Stall(long from, long to) {
        long within(long begin, long end) {
            return Math.max(0, Math.min(to, end) - Math.max(from, begin));
        }
    }

    /**
     * What was found.
     *
     * @param activations how many there were
     * @param ended how many of them were deactivated, or failed by themselves
     * @param overlapMillis for how long two of one were there at once, in all
     * @param stalled pairs whose former one's process stood still when it was to let go: not counted
     * @param violations what must not be
     */
    record Found(int activations, int ended, long overlapMillis, int stalled, List<String> violations) {
        String told() {
            return activations + " activations, " + ended + " ended, overlap " + overlapMillis + " ms, " + stalled
                    + " beside a process that stood still";
        }
    }

    private final Path folder;
    private final long letGoNanos;
    private final Set<String> dead = new HashSet<>();
    private final Map<String, Long> read = new HashMap<>();
    private final Map<String, NavigableMap<Fence, Stay>> stays = new TreeMap<>();
    private final Map<String, List<Stall>> stalls = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long overlap;
    private int stalled;

    /**
     * @param folder where they are
     * @param letGoMillis the least time there is from when a lease that cannot be renewed is let go until somebody else begins
     */
    Diaries(Path folder, long letGoMillis) {
        this.folder = folder;
        this.letGoNanos = TimeUnit.MILLISECONDS.toNanos(letGoMillis);
    }

    /** As diaries call a process. */
    static String process(String member, long pid) {
        return member + "-" + pid;
    }

    /** A process came to a sudden end. */
    void killed(String process) {
        dead.add(process);
    }

    /** Of these services, those of which no object is active and was not told to end. */
    List<String> inactive(List<String> services) throws IOException {
        more();
        return services.stream().filter(s -> !active(s)).toList();
    }

    private boolean active(String service) {
        NavigableMap<Fence, Stay> of = stays.get(service);
        if (of == null) {
            return false;
        }
        Stay s = of.lastEntry().getValue();
        return s.active != 0 && s.called == 0 && !dead.contains(s.process);
    }

    /** Whether a process has activations that were not told to end. */
    boolean busy(String process) throws IOException {
        more();
        return stays.values().stream()
                .flatMap(of -> of.values().stream())
                .anyMatch(s -> s.process.equals(process) && s.called == 0 && s.over == 0);
    }

    /** How many activations there were. */
    int activations() throws IOException {
        more();
        return stays.values().stream().mapToInt(Map::size).sum();
    }

    /**
     * Compares all of them, once.
     *
     * @param ended whether all processes have ended: then whatever was active is over
     */
    Found found(boolean ended) throws IOException {
        more();
        for (NavigableMap<Fence, Stay> of : stays.values()) {
            for (Stay s : of.values()) {
                s.worked = worked(s);
            }
            compare(of, ended);
        }
        int over = (int) stays.values().stream()
                .flatMap(of -> of.values().stream())
                .filter(s -> s.over != 0)
                .count();
        return new Found(activations(), over, overlap / 1_000_000, stalled, violations);
    }

    private static Fence fence(String text) {
        int dot = text.indexOf('.');
        return new Fence(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
    }

    private long worked(Stay s) throws IOException {
        try (RandomAccessFile moments =
                new RandomAccessFile(folder.resolve("moments-" + s.process).toFile(), "r")) {
            moments.seek(s.slot * (long) Long.BYTES);
            return moments.readLong();
        }
    }

    /** Reads what was written since. */
    private void more() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path f : files.filter(f -> f.getFileName().toString().startsWith("diary-"))
                    .toList()) {
                more(f, f.getFileName().toString().substring("diary-".length()));
            }
        }
    }

    private void more(Path diary, String process) throws IOException {
        long from = read.getOrDefault(process, 0L);
        try (RandomAccessFile in = new RandomAccessFile(diary.toFile(), "r")) {
            ByteBuffer text = ByteBuffer.allocate((int) (in.length() - from));
            in.seek(from);
            in.readFully(text.array());
            int whole = new String(text.array(), UTF_8).lastIndexOf('\n') + 1;
            read.put(process, from + whole);
            for (String line : new String(text.array(), 0, whole, UTF_8).lines().toList()) {
                line(process, line.split(" ", -1));
            }
        }
    }

    private void line(String process, String[] line) {
        check(line.length >= LEAST_WORDS, String.join(" ", line));
        long at = Long.parseLong(line[4]);
        if (line[0].equals("stalled")) {
            stalls.computeIfAbsent(process, p -> new ArrayList<>()).add(new Stall(at, Long.parseLong(line[5])));
            return;
        }
        NavigableMap<Fence, Stay> of = stays.computeIfAbsent(line[1], s -> new TreeMap<>());
        if (line[0].equals("entered")) {
            Stay twice = of.put(fence(line[2]), new Stay(process, line));
            check(twice == null, "a fence was used twice: " + twice);
            return;
        }
        Stay s = of.get(fence(line[2]));
        if (s == null) {
            violations.add("nobody entered: " + String.join(" ", line));
            return;
        }
        switch (line[0]) {
            case "active" -> s.active = at;
            case "called" -> {
                check(s.called == 0, "deactivated twice: " + s);
                s.called = at;
            }
            case "ended", "failed" -> s.over = at;
            default -> {
                // it heard of the loss
            }
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            violations.add(otherwise);
        }
    }

    private void compare(NavigableMap<Fence, Stay> byFence, boolean ended) {
        List<Stay> inOrder = List.copyOf(byFence.values());
        for (int i = 0; i < inOrder.size(); i++) {
            Stay s = inOrder.get(i);
            boolean latest = i == inOrder.size() - 1;
            check(
                    s.active == 0 || s.called != 0 || dead.contains(s.process) || (latest && !ended),
                    "never deactivated: " + s);
            for (Stay later : inOrder.subList(i + 1, inOrder.size())) {
                beside(s, later);
            }
        }
    }

    private void beside(Stay former, Stay now) {
        check(former.entered < now.entered, "its fence is lower than before: " + now + ", before " + former);
        check(former.worked < now.entered, "at work beside " + now + ": " + former);
        long end = end(former);
        if (end <= now.entered) {
            return;
        }
        if (stoodStill(former.process, now.entered)) {
            stalled++;
        } else {
            // of those that nobody ended it is known how long they worked
            long until = Math.min(end == Long.MAX_VALUE ? former.worked : end, now.over == 0 ? now.worked : now.over);
            overlap += Math.max(1_000_000, until - now.entered);
            violations.add("two at once: " + former + ", " + now);
        }
    }

    /** When it was surely over: as it says itself, or with its process, after its last work. */
    private long end(Stay s) {
        if (s.over != 0) {
            return s.over;
        }
        return dead.contains(s.process) ? s.worked : Long.MAX_VALUE;
    }

    /** For half of the time that it had for letting go before somebody else began. */
    private boolean stoodStill(String process, long before) {
        return stalls.getOrDefault(process, List.of()).stream()
                        .mapToLong(s -> s.within(before - letGoNanos, before))
                        .sum()
                >= letGoNanos / 2;
    }
}
