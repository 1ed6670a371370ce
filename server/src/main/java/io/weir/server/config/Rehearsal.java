package io.weir.server.config;

import io.weir.base.ConfigProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a start would stumble over besides the text of the configuration: files, folders and addresses of this machine. It
 * is tried by what a start does, on ports of its own, and nothing is left behind. Where something of the text is wrong,
 * the rest is tried nevertheless. Used once.
 */
public final class Rehearsal {
    private final RehearsalReport found;

    private Rehearsal(RehearsalReport found) {
        this.found = found;
    }

    /** Everything of this machine that a start with the configuration would meet, as far as its text can be used. */
    public static Rehearsal of(LoadedConfig loaded, Path dataDir) {
        return of(loaded, dataDir, Files::isWritable);
    }

    /** The same where somebody else says what may be written. */
    static Rehearsal of(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        RehearsalReport found = new RehearsalReport(loaded);
        if (!loaded.tree().entries().isEmpty()) {
            new FolderRehearsal(found, loaded, dataDir.toAbsolutePath(), isWritable).tryAll();
            new ListenerRehearsal(found, loaded).tryAll();
        }
        return new Rehearsal(found);
    }

    /** What would stop a start. */
    public List<ConfigProblem> problems() {
        return found.problems();
    }

    /** What a server would run with, and not as it is meant. */
    public List<ConfigProblem> warnings() {
        return found.warnings();
    }
}
