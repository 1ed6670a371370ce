package io.weir.lab.cluster;

import io.weir.lab.cluster.service.Booking;
import io.weir.lab.cluster.service.Noting;
import io.weir.lab.process.Shell;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.stream.Collectors;
import javax.naming.Context;
import javax.naming.InitialContext;

/**
 * A fleet that takes bookings, an operator's shell on it, a client of it, and the files in which its services note what they
 * did. Confined to the test's thread, but for what clients get.
 */
final class Works implements AutoCloseable {
    private final Path folder;
    private final Fleet fleet;
    private final Shell shell;

    /**
     * @param cluster lines of the section cluster
     * @param sections beside the desk's entry, of singletons first
     */
    Works(Path folder, String cluster, String sections) throws IOException {
        this.folder = folder;
        this.fleet = new Fleet(folder, cluster, "singletons:\n" + desk("desk", "exposed-as: app/desk") + sections);
        this.shell = new Shell(folder.resolve("shell"));
    }

    /** An entry of singletons: one that books. */
    static String desk(String name, String settings) {
        return "  %s: {class-name: %s, properties: {name: %s}, %s}\n"
                .formatted(name, Booking.class.getName(), name, settings);
    }

    /** The deployed one's entry. */
    static String shop(Shops shops) {
        return "  shop: {exposed-as: app/shop, properties: {port: \"%d\"}}\n".formatted(shops.port());
    }

    /** A timer that fires each second, and catches up on each that it missed. */
    static String tick() {
        return "timers:\n  tick: {schedule: \"* * * * * *\", misfire: fire-all, class-name: %s}\n"
                .formatted(Noting.class.getName());
    }

    Fleet fleet() {
        return fleet;
    }

    /** What {@code ./weir} prints for a member's server, having ended well. */
    String weir(String member, String verb, String... words) throws Exception {
        return shell.ok(fleet.data(member), verb, words);
    }

    /** Lines that services noted in a file. */
    List<String> notes(String file) throws IOException {
        Path at = folder.resolve(file);
        return Files.exists(at) ? Files.readAllLines(at) : List.of();
    }

    List<String> notes(String file, String first) throws IOException {
        return notes(file).stream().filter(l -> l.startsWith(first + " ")).toList();
    }

    /** Makes a file for which services look. */
    void put(String file) throws IOException {
        Files.createFile(folder.resolve(file));
    }

    void take(String file) throws IOException {
        Files.delete(folder.resolve(file));
    }

    /** What a client outside gets, which knows all members and waits while a service moves. */
    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // it is what clients use, and it demands a Hashtable
    <T> T look(Class<T> type, String name) throws Exception {
        Hashtable<String, String> where = new Hashtable<>();
        where.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        where.put(
                Context.PROVIDER_URL,
                fleet.names().stream().map(fleet::address).collect(Collectors.joining(",", "weir://", "")));
        where.put("io.weir.invoke.owner-wait", "30s");
        where.put("io.weir.invoke.deadline", "60s");
        Context context = new InitialContext(where);
        try {
            return type.cast(context.lookup(name));
        } finally {
            context.close();
        }
    }

    /** The member where a singleton is active, as all that run see it. */
    String active(String singleton) throws Exception {
        String[] at = new String[1];
        fleet.await(singleton + " is active somewhere", () -> {
            at[0] = "";
            for (String name : fleet.names()) {
                if (fleet.server(name).alive()) {
                    String seen = fleet.active(singleton, name);
                    if (seen.isEmpty() || !(at[0].isEmpty() || at[0].equals(seen))) {
                        return false;
                    }
                    at[0] = seen;
                }
            }
            return fleet.server(at[0]).alive();
        });
        return at[0];
    }

    /** Starts again who does not run, and waits until all members are live and the desk is open. */
    void whole() throws Exception {
        for (String name : fleet.names()) {
            if (!fleet.server(name).alive()) {
                fleet.start(name);
            }
        }
        for (String seenBy : fleet.names()) {
            fleet.await(
                    seenBy + " sees all live",
                    () -> fleet.fact(seenBy, "membersLive")
                                    .equals(String.valueOf(fleet.names().size()))
                            && fleet.fact(seenBy, "waiting").isEmpty());
        }
        active("desk");
    }

    /** Kills a member at once and waits for the end of its process. */
    void kill(String member) throws Exception {
        ProcessLauncher.Running server = fleet.server(member);
        server.kill();
        server.exit();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
