package io.weir.lab.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.base.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.opentest4j.TestAbortedException;

/**
 * A network of our own: a namespace for each member, one in the middle. The members' log and introductions go over a bridge in
 * the middle, whose ports can be cut; what their singleton counts in is reached over wires of its own, which stay. Nothing of it
 * is seen by the machine; it is gone with the processes that hold it.
 */
final class Namespaces implements AutoCloseable {
    /** Where the store listens, in the middle. */
    static final String STORE = "10.99.0.1";

    /** Longer than any test. */
    private static final String HOLDER_SECONDS = "7200";

    private static final long HOLDER_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Process hub;
    private final Map<String, Process> members = new LinkedHashMap<>();

    private Namespaces() throws IOException {
        hub = holder();
        for (String name : Fleet.NAMES) {
            members.put(name, holder());
        }
    }

    private static Process holder() throws IOException {
        return new ProcessBuilder("unshare", "-n", "sleep", HOLDER_SECONDS).start();
    }

    /** Makes it. */
    static Namespaces make() throws IOException, InterruptedException {
        Namespaces n = new Namespaces();
        try {
            n.lay();
            return n;
        } catch (IOException e) {
            n.close();
            throw e;
        }
    }

    static String host(String member) {
        return "10.77.0." + (Fleet.NAMES.indexOf(member) + 1);
    }

    /** Where a member is asked, over its wire to the middle, which is never cut. */
    static String adminHost(String member) {
        return "10.78." + (Fleet.NAMES.indexOf(member) + 1) + ".2";
    }

    /** The bridge's port towards a member. */
    static String port(String member) {
        return "log" + (Fleet.NAMES.indexOf(member) + 1);
    }

    /** Words that run a command where a member is. */
    static List<String> inside(String pid) {
        return List.of("nsenter", "-t", pid, "-n");
    }

    /** One, or the test is skipped and says so: not every machine lets us make networks, continuous integration's neither. */
    static Namespaces orSkip() throws InterruptedException {
        try {
            return make();
        } catch (IOException e) {
            String missing =
                    "partitions are not tested: this machine does not let us make network namespaces with bridges;"
                            + " needs root, unshare, nsenter and ip (" + e.getMessage() + ")";
            System.out.println(missing);
            throw new TestAbortedException(missing, e);
        }
    }

    /**
     * A program in the middle of it.
     *
     * @param arguments the members' processes are added to them, for {@link #site}
     */
    Process run(Class<?> main, Path output, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(inside(hubPid()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Fleet.NAMES.forEach(n -> command.add(pid(n)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Where members are, as a program in the middle sees it, which got these arguments. */
    static Site site(String[] arguments) {
        return new Site() {
            @Override
            public String host(String member) {
                return Namespaces.host(member);
            }

            @Override
            public String adminHost(String member) {
                return Namespaces.adminHost(member);
            }

            @Override
            public List<String> prefix(String member) {
                return inside(arguments[arguments.length - Fleet.NAMES.size() + Fleet.NAMES.indexOf(member)]);
            }

            @Override
            public String storeHost() {
                return STORE;
            }

            @Override
            public List<Integer> ports() {
                return List.of(7001, 7001, 7001);
            }
        };
    }

    /** Cuts a member off from the others. */
    static void cut(String member) throws IOException, InterruptedException {
        run(List.of("ip", "link", "set", port(member), "down"));
    }

    static void heal(String member) throws IOException, InterruptedException {
        run(List.of("ip", "link", "set", port(member), "up"));
    }

    String hubPid() {
        return String.valueOf(hub.pid());
    }

    String pid(String member) {
        return String.valueOf(Objects.requireNonNull(members.get(member)).pid());
    }

    private void lay() throws IOException, InterruptedException {
        away(hub);
        for (Process member : members.values()) {
            away(member);
        }
        ip(hubPid(), "link set lo up");
        ip(hubPid(), "addr add " + STORE + "/32 dev lo");
        ip(hubPid(), "link add br0 type bridge");
        ip(hubPid(), "link set br0 up");
        for (String member : Fleet.NAMES) {
            int n = Fleet.NAMES.indexOf(member) + 1;
            String pid = pid(member);
            ip(pid, "link set lo up");
            ip(hubPid(), "link add " + port(member) + " type veth peer name eth0 netns " + pid);
            ip(hubPid(), "link set " + port(member) + " master br0 up");
            ip(pid, "addr add " + host(member) + "/24 dev eth0");
            ip(pid, "link set eth0 up");
            ip(hubPid(), "link add store" + n + " type veth peer name eth1 netns " + pid);
            ip(hubPid(), "addr add 10.78." + n + ".1/24 dev store" + n);
            ip(hubPid(), "link set store" + n + " up");
            ip(pid, "addr add 10.78." + n + ".2/24 dev eth1");
            ip(pid, "link set eth1 up");
            ip(pid, "route add " + STORE + " via 10.78." + n + ".1");
        }
    }

    /** Waits until a holder is in a network of its own. */
    private static void away(Process holder) throws IOException {
        Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
        Path its = Path.of("/proc/" + holder.pid() + "/ns/net");
        long end = SystemClock.INSTANCE.nanos() + HOLDER_NANOS;
        while (!holder.isAlive() || Files.readSymbolicLink(its).equals(ours)) {
            if (!holder.isAlive()) {
                throw new IOException(
                        "unshare -n: " + new String(holder.getErrorStream().readAllBytes(), UTF_8));
            }
            if (SystemClock.INSTANCE.nanos() - end > 0) {
                throw new IOException("unshare -n has made no network");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static void ip(String pid, String words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(inside(pid));
        command.add("ip");
        command.addAll(List.of(words.split(" ", -1)));
        run(command);
    }

    /** Runs a command; fails with what it printed. */
    static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + printed);
        }
    }

    @Override
    public void close() {
        members.values().forEach(Process::destroyForcibly);
        hub.destroyForcibly();
    }
}
