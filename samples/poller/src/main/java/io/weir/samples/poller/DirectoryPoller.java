package io.weir.samples.poller;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Watches a directory that all servers see, and treats each file that arrives there once: a service that cannot be clustered
 * in a meaningful way, of which exactly one must run. One object for each activation; {@code activate} and {@code deactivate}
 * are called by the server, the polling runs on a thread of its own in between.
 *
 * <p>A file is claimed by moving it to {@code work/}, treated, and its result published in {@code done/}. What a predecessor
 * had claimed when it died is treated again: the result has the same name, so it is there once.
 */
public final class DirectoryPoller implements SingletonService {
    private final Path inbox;
    private final Path work;
    private final Path done;
    private final Duration interval;
    private final FencedFolder fences;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("directory-poller").daemon(true).unstarted(task));

    /**
     * By {@code singletons.NAME.properties}.
     *
     * @param properties {@code folder} holds inbox, work and done; {@code interval-millis} between two looks, 1000 if missing
     */
    public DirectoryPoller(Map<String, String> properties) {
        String folder = properties.get("folder");
        if (folder == null) {
            throw new IllegalArgumentException("singletons.….properties needs folder: the directory to watch");
        }
        Path root = Path.of(folder);
        this.inbox = root.resolve("inbox");
        this.work = root.resolve("work");
        this.done = root.resolve("done");
        this.fences = new FencedFolder(root);
        this.interval = Duration.ofMillis(Long.parseLong(properties.getOrDefault("interval-millis", "1000")));
    }

    @Override
    public void activate(Fence fence) throws IOException {
        for (Path folder : List.of(inbox, work, done)) {
            Files.createDirectories(folder);
        }
        fences.enter(fence);
        var _ = thread.scheduleWithFixedDelay(() -> look(fence), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Lets the file at hand be finished. */
    @Override
    public void deactivate() throws InterruptedException {
        thread.shutdown();
        if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
            thread.shutdownNow();
        }
    }

    private void look(Fence fence) {
        try {
            for (Path claimed : files(work)) {
                treat(claimed, fence);
            }
            for (Path arrived : files(inbox)) {
                fences.check(fence);
                treat(Files.move(arrived, work.resolve(arrived.getFileName())), fence);
            }
        } catch (NoSuchFileException gone) {
            System.out.println("somebody else took " + gone.getFile());
        } catch (FencedFolder.Superseded e) {
            System.out.println(e.getMessage());
            thread.shutdown();
        } catch (IOException e) {
            System.out.println("the poller tries again in " + interval + ": " + e);
        }
    }

    /** Counts the lines: where your own code goes. */
    private void treat(Path file, Fence fence) throws IOException {
        String result;
        try (Stream<String> lines = Files.lines(file)) {
            result = file.getFileName() + ": " + lines.count() + " lines, under fence " + fence + "\n";
        }
        fences.check(fence);
        FencedFolder.publish(done.resolve(file.getFileName()), result);
        Files.delete(file);
        System.out.print(result);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
