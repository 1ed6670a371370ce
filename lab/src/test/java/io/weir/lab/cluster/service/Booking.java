package io.weir.lab.cluster.service;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * Notes what it does, with its fence, in files that all members and the test share: whoever reads them knows what was done how
 * often, by whom, whatever became of the answers. What it does lasts as long as the test's files say. One object for each
 * activation; called on many threads.
 */
public final class Booking implements SingletonService, Desk {
    static final Path FOLDER = Path.of(System.getProperty("weir.test.notes", ""));
    static final String MEMBER = System.getProperty("weir.test.member", "nobody");

    private final String name;
    private volatile Fence fence = Fence.NONE;

    public Booking(Map<String, String> properties) {
        name = properties.getOrDefault("name", "booking");
    }

    /** Appends a line in one write. */
    static void note(String file, String line) {
        try {
            Files.writeString(
                    FOLDER.resolve(file),
                    line + " " + MEMBER + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a file is there, or is not, whoever interrupts. */
    static void await(String file, boolean there) {
        while (Files.exists(FOLDER.resolve(file)) != there) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            var _ = Thread.interrupted();
        }
    }

    @Override
    public void activate(Fence given) {
        fence = given;
        note("active", name + " " + given);
    }

    /** Hangs while there is a file {@code hang-NAME}. */
    @Override
    public void deactivate() {
        note("inactive", name + " " + fence);
        await("hang-" + name, false);
    }

    private String done(String file, String word) {
        note(file, word + " " + fence);
        await("hold-" + word, false);
        return MEMBER;
    }

    @Override
    public String book(String word) {
        return done("booked", word);
    }

    @Override
    public String ask(String word) {
        return done("asked", word);
    }

    @Override
    public boolean bindOnceTold(String word) throws InterruptedException {
        note("asked", word + " " + fence);
        await("bind-" + word, true);
        boolean[] bound = new boolean[1];
        Thread stray = Thread.ofPlatform().start(() -> bound[0] = bind(word + "-stray"));
        stray.join();
        boolean here = bind(word + "-call");
        return here || bound[0];
    }

    @SuppressWarnings("BanJNDI") // it is what services bind with; Weir's deserializes nothing
    private boolean bind(String path) {
        try {
            new InitialContext().rebind(path, this);
            note("bound", path + " bound");
            return true;
        } catch (NamingException e) {
            note("bound", path + " " + e.getClass().getSimpleName());
            return false;
        }
    }
}
