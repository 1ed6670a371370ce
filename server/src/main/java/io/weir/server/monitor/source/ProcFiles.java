package io.weir.server.monitor.source;

import io.weir.server.monitor.source.Facts.Averages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/**
 * Reads Linux's figures of the machine and this process; on other systems everything is zero. Confined to the sampler.
 * The files are provided by the kernel: reading them does not wait for a disk.
 */
public final class ProcFiles {
    /** Time of a processor since the machine's start, in the system's ticks. */
    public record CpuTime(int number, long user, long kernel, long idle, long total) {}

    /** Sizes in bytes. */
    public record Memory(long virtual, long resident, long machine) {}

    private final Path root;

    /** Reads below the root, in production {@code /proc}. */
    public ProcFiles(Path root) {
        this.root = root;
    }

    public Averages load() {
        for (String line : lines("loadavg")) {
            StringTokenizer words = new StringTokenizer(line);
            if (words.countTokens() >= 3) {
                return new Averages(number(words.nextToken()), number(words.nextToken()), number(words.nextToken()));
            }
        }
        return Averages.ZERO;
    }

    public Memory memory() {
        long virtual = 0;
        long resident = 0;
        for (String line : lines("self/status")) {
            virtual = line.startsWith("VmSize:") ? kilobytes(line) : virtual;
            resident = line.startsWith("VmRSS:") ? kilobytes(line) : resident;
        }
        long machine = 0;
        for (String line : lines("meminfo")) {
            machine = line.startsWith("MemTotal:") ? kilobytes(line) : machine;
        }
        return new Memory(virtual, resident, machine);
    }

    public List<CpuTime> cpus() {
        List<CpuTime> cpus = new ArrayList<>();
        for (String line : lines("stat")) {
            if (line.length() > 3 && line.startsWith("cpu") && Character.isDigit(line.charAt(3))) {
                cpus.add(cpu(line.split(" +")));
            }
        }
        return cpus;
    }

    // cpuN user nice system idle iowait irq softirq steal …
    private static CpuTime cpu(String[] words) {
        long[] ticks = new long[8];
        for (int i = 0; i < ticks.length && i + 1 < words.length; i++) {
            ticks[i] = (long) number(words[i + 1]);
        }
        long user = ticks[0] + ticks[1];
        long kernel = ticks[2] + ticks[5] + ticks[6];
        long idle = ticks[3] + ticks[4];
        int number = (int) number(words[0].substring(3));
        return new CpuTime(number, user, kernel, idle, user + kernel + idle + ticks[7]);
    }

    private List<String> lines(String name) {
        try {
            Path file = root.resolve(name);
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            // a figure that cannot be read is shown as zero instead of failing the whole view
            return List.of();
        }
    }

    private static long kilobytes(String line) {
        StringTokenizer words = new StringTokenizer(line);
        words.nextToken();
        return words.hasMoreTokens() ? 1024 * (long) number(words.nextToken()) : 0;
    }

    private static double number(String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
