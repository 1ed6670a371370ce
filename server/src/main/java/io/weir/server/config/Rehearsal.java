package io.weir.server.config;

import io.weir.base.ConfigProblem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds what would prevent a start besides the text of the configuration: files, folders and addresses of this machine.
 * It does what a start does, on other ports, and leaves nothing behind. If a part of the text is wrong, the rest is
 * still tried. Used once.
 */
public final class Rehearsal {
    private final RehearsalReport found;

    private Rehearsal(RehearsalReport found) {
        this.found = found;
    }

    /** Tries everything on this machine that a start with the configuration would use, as far as its text is valid. */
    public static Rehearsal of(LoadedConfig loaded, Path dataDir) {
        return of(loaded, dataDir, Files::isWritable);
    }

    /** The same with another check of write permission. */
    static Rehearsal of(LoadedConfig loaded, Path dataDir, Predicate<Path> isWritable) {
        RehearsalReport found = new RehearsalReport(loaded);
        if (!loaded.tree().entries().isEmpty()) {
            new FolderRehearsal(found, loaded, dataDir.toAbsolutePath(), isWritable).tryAll();
            new ListenerRehearsal(found, loaded).tryAll();
        }
        return new Rehearsal(found);
    }

    /** The problems that would prevent a start. */
    public List<ConfigProblem> problems() {
        return found.problems();
    }

    /** The problems with which a server would start, but not work as intended. */
    public List<ConfigProblem> warnings() {
        return found.warnings();
    }
}
