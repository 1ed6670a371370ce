package io.weir.server.processes;

import io.weir.base.OwnerOnly;
import io.weir.server.files.PrivateFiles;
import io.weir.server.start.Share;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How worker processes are started. Immutable.
 *
 * @param config the configuration file that workers read; null for the embedded default
 * @param folder of what belongs to single workers
 * @param listeners of the sockets that each is given, in that order
 */
record Launch(WorkerWords words, @Nullable Path config, Path dataDir, Path folder, List<String> listeners) {
    /** Words of a line each: a virtual machine, its options, and what it runs. */
    private static final String PROGRAM = "program";

    private static final int MOST_TOLD = 4000;
    private static final long MOST_KEPT = 1 << 20;
    private static final Pattern SCRATCH = Pattern.compile("process-([0-9]{1,18})");

    /** Where workers connect. */
    Path link() {
        return folder.resolve("link");
    }

    /**
     * The same for what is on the disk now: the program that {@code ./weir upgrade} left word of, and the configuration
     * file, copied under another name, for the processes of before may need theirs once more.
     */
    Launch again() throws IOException {
        Path file = words.config();
        Path copy = null;
        if (file != null) {
            Path first = folder.resolve("weir.yaml");
            copy = first.equals(config) ? folder.resolve("weir-2.yaml") : first;
            PrivateFiles.write(copy, Files.readString(file));
        }
        Path program = folder.resolve(PROGRAM);
        WorkerWords next = Files.exists(program)
                ? words.on(List.of(Files.readString(program).split("\n", -1)))
                : words;
        return new Launch(next, copy, dataDir, folder, listeners);
    }

    /** What workers read now; empty with the embedded default. */
    String copied() throws IOException {
        return config == null ? "" : Files.readString(config);
    }

    /** Workers that start from now on read the configuration file as it is now. */
    void copy() throws IOException {
        Path file = words.config();
        if (file != null) {
            copy(Files.readString(file));
        }
    }

    /** Workers that start from now on read this text. */
    void copy(String text) throws IOException {
        if (config != null) {
            PrivateFiles.write(config, text);
        }
    }

    /** Leaves word of the program by which new workers are to be started: that of this process. */
    static void program(Path dataDir) throws IOException {
        PrivateFiles.write(
                dataDir.resolve(Supervisor.FOLDER).resolve(PROGRAM),
                String.join("\n", WorkerWords.ofThisProcess().machine()));
    }

    /** A process is gone: so is what was its own. */
    void ended(int slot, long pid) {
        Path scratch = scratch(folder, slot, pid);
        if (Files.isDirectory(scratch)) {
            delete(scratch);
        }
    }

    private static void delete(Path scratch) {
        try (Stream<Path> all = Files.walk(scratch)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        } catch (IOException | UncheckedIOException _) {
            // no longer needed; the next start of the server tries again to delete it
        }
    }

    /** What a process has for itself alone. */
    static Path scratch(Path folder, int slot, long pid) {
        return folder.resolve(Integer.toString(slot)).resolve("process-" + pid);
    }

    /**
     * What the processes of a slot print besides their log: why one does not start, and what the virtual machine says.
     */
    Path errors(int slot) {
        return folder.resolve(Integer.toString(slot)).resolve("errors");
    }

    /**
     * What was printed since the file had a length; empty when it cannot be read. It names the file that the operator
     * wrote, not the copy that the process read.
     */
    String errors(int slot, long since) {
        try (FileChannel file = FileChannel.open(errors(slot))) {
            ByteBuffer text = ByteBuffer.allocate((int) Math.min(MOST_TOLD, Math.max(0, file.size() - since)));
            file.read(text, since);
            String printed = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
            return named(printed);
        } catch (IOException e) {
            return "";
        }
    }

    /** A text that names the file that the operator wrote, where it named the copy that processes read. */
    String named(String text) {
        Path original = words.config();
        return config == null || original == null ? text : text.replace(config.toString(), original.toString());
    }

    /** How long that file is before another process is started: it is begun anew where that is very long. */
    long errorsLength(int slot) throws IOException {
        if (errors(slot).toFile().length() > MOST_KEPT) {
            Files.deleteIfExists(errors(slot));
        }
        return errors(slot).toFile().length();
    }

    /** The configuration that all processes have, once a change was applied to them. */
    Path inForce() {
        return folder.resolve(Share.IN_FORCE);
    }

    /** The configuration that they are asked whether they could have. */
    Path next() {
        return folder.resolve(Share.NEXT);
    }

    /** Takes away what processes of an earlier supervisor left that was killed. */
    void sweep() throws IOException {
        try (Stream<Path> all = Files.walk(folder, 2)) {
            for (Path p : all.toList()) {
                Matcher m = SCRATCH.matcher(p.getFileName().toString());
                if (m.matches() && ProcessHandle.of(Long.parseLong(m.group(1))).isEmpty()) {
                    delete(p);
                }
            }
        }
    }

    /**
     * Starts the process of a slot.
     *
     * @param beside whether the slot has another
     * @param inForce whether it is to have the configuration that the others have, not that of the files
     */
    Process start(int slot, int processes, boolean inForce, boolean beside) throws IOException {
        PrivateFiles.folder(folder.resolve(Integer.toString(slot)));
        List<String> own = new ArrayList<>(List.of(
                "--process=" + slot,
                "--processes=" + processes,
                "--link=" + link(),
                "--sockets=" + String.join(",", listeners)));
        if (inForce) {
            own.add("--in-force");
        }
        if (beside) {
            own.add("--beside");
        }
        OwnerOnly.open(errors(slot), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        return new ProcessBuilder(words.command(config, own))
                .redirectInput(new File("/dev/null"))
                // what users' functions and services print is seen where it would be of one process
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors(slot).toFile()))
                .start();
    }
}
