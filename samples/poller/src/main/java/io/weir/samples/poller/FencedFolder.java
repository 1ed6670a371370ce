package io.weir.samples.poller;

import io.weir.base.Fence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A folder that remembers the highest fence that ever worked in it, so that a server that was asleep for a minute finds out
 * that it is not the one any more. A store that compares and writes in one step (a row of a database with a conditional
 * update) leaves no gap at all between the question and the write; a plain folder cannot do better than to ask just before.
 */
final class FencedFolder {
    /** Another server works here now. */
    static final class Superseded extends IOException {
        private static final long serialVersionUID = 1;

        Superseded(Fence mine, Fence now) {
            super("fence " + mine + " is over: " + now + " works here now");
        }
    }

    private final Path file;

    FencedFolder(Path folder) {
        this.file = folder.resolve("fence");
    }

    /** From here on, everybody with a lower fence is refused. */
    void enter(Fence fence) throws IOException {
        check(fence);
        publish(file, fence.epoch() + "." + fence.counter());
    }

    /** Refuses a fence that is over. */
    void check(Fence fence) throws IOException {
        Fence highest = highest();
        if (fence.compareTo(highest) < 0) {
            throw new Superseded(fence, highest);
        }
    }

    private Fence highest() throws IOException {
        if (!Files.exists(file)) {
            return Fence.NONE;
        }
        String[] parts = Files.readString(file).strip().split("\\.", -1);
        return new Fence(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    /** Writes a file so that readers see all of it, or what was there before. */
    static void publish(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), ".draft", "");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
