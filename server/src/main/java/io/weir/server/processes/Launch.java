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
 * @param folder for the files of single workers
 * @param listeners of the sockets that each worker gets, in that order
 * @param run names this way of starting: those of an upgrade have another, since they may be configured otherwise
 */
record Launch(WorkerWords words, @Nullable Path config, Path dataDir, Path folder, List<String> listeners, String run) {
    /** File with a word per line: a virtual machine, its options, and what it runs. */
    private static final String PROGRAM = "program";

    private static final int MAX_ERRORS_SHOWN = 4000;
    private static final long MAX_ERRORS_KEPT = 1 << 20;
    private static final Pattern SCRATCH = Pattern.compile("process-([0-9]{1,18})");

    /** The socket to which workers connect. */
    Path link() {
        return folder.resolve("link");
    }

    /**
     * The same with what is on the disk now: the program recorded by {@code ./weir upgrade}, and the configuration
     * file, copied under another name, because the old processes may need theirs again.
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
        return new Launch(next, copy, dataDir, folder, listeners, Share.newRun());
    }

    /** The text that workers read now; empty with the embedded default. */
    String copied() throws IOException {
        return config == null ? "" : Files.readString(config);
    }

    /** Makes workers that start from now on read the configuration file as it is now. */
    void copy() throws IOException {
        Path file = words.config();
        if (file != null) {
            copy(Files.readString(file));
        }
    }

    /** Makes workers that start from now on read this text. */
    void copy(String text) throws IOException {
        if (config != null) {
            PrivateFiles.write(config, text);
        }
    }

    /** Records the program with which new workers are to be started: that of this process. */
    static void program(Path dataDir) throws IOException {
        PrivateFiles.write(
                dataDir.resolve(Supervisor.FOLDER).resolve(PROGRAM),
                String.join("\n", WorkerWords.ofThisProcess().machine()));
    }

    /** Called when a process has ended: deletes its files. */
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

    /** The folder of a single process. */
    static Path scratch(Path folder, int slot, long pid) {
        return folder.resolve(Integer.toString(slot)).resolve("process-" + pid);
    }

    /**
     * The file for output of a slot's processes besides their log: why one does not start, and messages of the virtual
     * machine.
     */
    Path errors(int slot) {
        return folder.resolve(Integer.toString(slot)).resolve("errors");
    }

    /**
     * The output since the file had a length; empty if it cannot be read. It names the operator's file, not the copy
     * that the process read.
     */
    String errors(int slot, long since) {
        try (FileChannel file = FileChannel.open(errors(slot))) {
            ByteBuffer text = ByteBuffer.allocate((int) Math.min(MAX_ERRORS_SHOWN, Math.max(0, file.size() - since)));
            file.read(text, since);
            String printed = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
            return named(printed);
        } catch (IOException e) {
            return "";
        }
    }

    /** The text with the name of the operator's file instead of the copy that processes read. */
    String named(String text) {
        Path original = words.config();
        return config == null || original == null ? text : text.replace(config.toString(), original.toString());
    }

    /** The length of that file before another process is started; a very long file is truncated first. */
    long errorsLength(int slot) throws IOException {
        if (errors(slot).toFile().length() > MAX_ERRORS_KEPT) {
            Files.deleteIfExists(errors(slot));
        }
        return errors(slot).toFile().length();
    }

    /** The configuration that all processes have after a live change. */
    Path inForce() {
        return folder.resolve(Share.IN_FORCE);
    }

    /** The configuration that processes are told to check. */
    Path next() {
        return folder.resolve(Share.NEXT);
    }

    /** Deletes files left by processes of an earlier supervisor that was killed. */
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
     * @param beside whether the slot has another process
     * @param inForce whether it uses the configuration of the other processes, not that of the files
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
        List<String> command = words.command(config, own);
        String trained = System.getProperty(WorkerWords.TRAINED);
        if (trained != null && slot == 1) {
            command.add(1, "-XX:AOTCacheOutput=" + trained);
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(Share.RUN, run);
        Path original = words.config();
        if (original != null) {
            builder.environment().put(Share.ORIGINAL, original.toString());
        }
        return builder.redirectInput(new File("/dev/null"))
                // output of users' functions and services appears where it would with one process
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors(slot).toFile()))
                .start();
    }
}
