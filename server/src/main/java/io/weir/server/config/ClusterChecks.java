package io.weir.server.config;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Durations;
import io.weir.base.IoReason;
import io.weir.base.Nearest;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.ClusterTlsConfig;
import io.weir.cluster.config.LeaseConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.config.MemberRole;
import io.weir.cluster.config.SingletonConfig;
import io.weir.cluster.config.TimerConfig;
import io.weir.cluster.timer.Schedule;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.listen.PlainHttp2;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks across the keys of the sections cluster, singletons and timers. Used once. */
final class ClusterChecks {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final WeirConfig config;
    private final ClusterConfig cluster;
    private final ConfigNode.Mapping tree;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private ClusterChecks(WeirConfig config, ConfigNode.Mapping tree) {
        this.config = config;
        this.cluster = config.cluster();
        this.tree = tree;
    }

    static List<ConfigProblem> of(WeirConfig config, ConfigNode.Mapping tree) {
        ClusterChecks checks = new ClusterChecks(config, tree);
        checks.names();
        checks.members();
        checks.leasing();
        checks.lease();
        checks.secret();
        checks.tls();
        checks.caches();
        config.singletons().forEach(checks::singleton);
        config.timers().forEach(checks::timer);
        return checks.problems;
    }

    private void names() {
        requireName("cluster.name", cluster.name());
        if (!cluster.member().isEmpty()) {
            requireName("cluster.member", cluster.member());
        } else if (!cluster.members().isEmpty() || cluster.leasing() == Leasing.DATABASE) {
            report("cluster.member", "others need the name of this server: add one, such as member: alpha");
        }
    }

    private void requireName(String key, String name) {
        if (!NAME.matcher(name).matches()) {
            report(
                    key,
                    "a name has 1 to 64 letters, digits, dots, dashes or underscores, and begins with a letter or"
                            + " digit, found \"" + name + "\"");
        }
    }

    private void members() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < cluster.members().size(); i++) {
            String member = cluster.members().get(i);
            String key = "cluster.members[" + i + "]";
            if (port(member) < 0) {
                report(key, "expected host:port, such as 10.0.0.1:7001, found \"" + member + "\"");
            } else if (!seen.add(member)) {
                report(key, member + " is listed twice");
            }
        }
        if (!cluster.members().isEmpty()) {
            self();
        } else if (cluster.role() == MemberRole.WITNESS) {
            report("cluster.role", "a witness needs cluster.members: the addresses of all members, its own included");
        }
    }

    /** Checks that one of the members is this one. */
    private void self() {
        List<Integer> ports = config.listeners().values().stream()
                .filter(l -> l.protocol() == ListenerProtocol.WEIR)
                .map(ListenerConfig::port)
                .toList();
        if (ports.isEmpty()) {
            report(
                    "cluster.members",
                    "members communicate through a weir listener: add one, such as listeners: {messaging: {port: 7001,"
                            + " protocol: weir}}");
            return;
        }
        String advertise = cluster.advertise();
        if (advertise != null && !cluster.members().contains(advertise)) {
            report("cluster.advertise", advertise + " is not in cluster.members: add it there, on all members");
        } else if (advertise == null
                && !ports.contains(0)
                && cluster.members().stream().noneMatch(m -> ports.contains(port(m)))) {
            report(
                    "cluster.members",
                    "none has a port of this server's weir listeners (" + text(ports) + "): add this server, or set"
                            + " cluster.advertise to its entry");
        }
    }

    private static String text(List<Integer> ports) {
        return String.join(", ", ports.stream().map(String::valueOf).toList());
    }

    private void leasing() {
        if (cluster.leasing() == Leasing.DATABASE) {
            if (cluster.database().url().isEmpty()) {
                report(
                        "cluster.leasing",
                        "leasing: database needs cluster.database.url, such as jdbc:postgresql://db/weir");
            }
            if (cluster.role() == MemberRole.WITNESS) {
                report("cluster.role", "a witness requires leasing: consensus; with a database there are no votes");
            }
        } else if (cluster.members().size() == 2) {
            report(
                    "cluster.members",
                    "two members cannot agree once one is gone, so the other would have to stop: add a third that only"
                            + " votes (cluster.role: witness), or keep leases in a database (leasing: database)");
        }
    }

    private void lease() {
        LeaseConfig l = cluster.lease();
        if (2 * l.renewNanos() > l.timeToLiveNanos() - l.graceNanos()) {
            report(
                    "cluster.lease.renew",
                    "two renewals (" + text(l.renewNanos()) + " each) must fit in time-to-live ("
                            + Durations.format(l.timeToLive()) + ") less grace (" + text(l.graceNanos())
                            + "), so that one may be lost: shorten renew, or lengthen time-to-live");
        }
        if (l.marginNanos() >= l.graceNanos()) {
            report(
                    "cluster.lease.margin",
                    "is " + text(l.marginNanos()) + ", not less than grace (" + text(l.graceNanos())
                            + "): the lease would end before its holder has deactivated");
        }
        if (l.checkNanos() > l.renewNanos()) {
            report(
                    "cluster.lease.check",
                    "is " + text(l.checkNanos()) + ", more than renew (" + text(l.renewNanos()) + ")");
        }
    }

    private static String text(long nanos) {
        return Durations.format(Duration.ofNanos(nanos));
    }

    private void secret() {
        String file = cluster.secretFile();
        if (file != null) {
            if (readable("cluster.secret-file", file)) {
                notEmpty("cluster.secret-file", Path.of(file));
            }
            if (cluster.secret() != null) {
                report("cluster.secret-file", "either secret or secret-file");
            }
        } else if (cluster.secret() == null || cluster.secret().isEmpty()) {
            cluster.members().stream()
                    .filter(m -> port(m) >= 0 && !loopback(host(m)))
                    .findFirst()
                    .ifPresent(m -> secretNeeded("cluster.members", m));
            if (cluster.leasing() == Leasing.DATABASE && cluster.members().isEmpty()) {
                config.listeners().forEach((name, l) -> {
                    if (l.protocol() == ListenerProtocol.WEIR && !loopback(l.address())) {
                        secretNeeded("listeners." + name + ".address", l.address());
                    }
                });
            }
        }
    }

    private void secretNeeded(String key, String address) {
        report(
                key,
                address + " is not on loopback: members must authenticate each other with a secret. Set"
                        + " cluster.secret-file (or cluster.secret) to the same on all of them");
    }

    private void tls() {
        ClusterTlsConfig tls = cluster.tls();
        String[][] files = {
            {"chain-file", tls.chainFile()}, {"key-file", tls.keyFile()}, {"trust-file", tls.trustFile()}
        };
        boolean any = tls.chainFile() != null || tls.keyFile() != null || tls.trustFile() != null;
        if (any && !tls.enabled()) {
            report("cluster.tls", "needs all three: chain-file, key-file and trust-file");
            return;
        }
        for (String[] file : files) {
            if (any) {
                readable("cluster.tls." + file[0], file[1]);
            }
        }
    }

    /** The listener for the caches of other members. */
    private void caches() {
        List<String> names = new ArrayList<>();
        config.listeners().forEach((name, l) -> {
            if (l.protocol() == ListenerProtocol.CACHE) {
                names.add(name);
                cache("listeners." + name, l);
            }
        });
        if (names.size() > 1) {
            report(
                    "listeners." + names.get(1) + ".protocol",
                    "the listener " + names.get(0) + " has the protocol cache already: a member has one");
        }
    }

    private void cache(String key, ListenerConfig l) {
        if (cluster.alone()) {
            report(
                    key + ".protocol",
                    "is for the caches of the other members of a cluster, and this server is alone: add"
                            + " cluster.members, or remove this listener");
        } else if (config.server().processes() > 1) {
            report(
                    key + ".protocol",
                    "needs server.processes: 1, since only the first of several processes is a member of the cluster");
        } else if (l.secure()) {
            report(
                    key + ".tls",
                    "does not apply here: members authenticate each other with cluster.secret-file, cluster.tls, or"
                            + " both. Remove this section");
        } else if (!loopback(l.address())
                && cluster.secretFile() == null
                && cluster.secret() == null
                && !cluster.tls().enabled()) {
            secretNeeded(key + ".address", l.address());
        }
        if (l.http2() == PlainHttp2.ONLY || l.proxyProtocol().enabled()) {
            report(
                    key + (l.proxyProtocol().enabled() ? ".proxy-protocol" : ".http2"),
                    "does not apply here: members ask each other over HTTP/1.1, without load balancers. Remove it");
        }
        if (l.address().equals("0.0.0.0") || l.address().equals("::")) {
            report(
                    key + ".address",
                    "the other members are told this address: give the one at which they reach this server, such as"
                            + " 10.0.0.1");
        }
    }

    private void singleton(String name, SingletonConfig s) {
        String key = "singletons." + name;
        List<String> candidates = s.candidateServers();
        if (new HashSet<>(candidates).size() < candidates.size()) {
            report(key + ".candidate-servers", "a server is listed twice: " + String.join(", ", candidates));
        }
        String preferred = s.preferredServer();
        if (!preferred.isEmpty() && !candidates.isEmpty() && !candidates.contains(preferred)) {
            report(
                    key + ".preferred-server",
                    "\"" + preferred + "\" is not in candidate-servers (" + String.join(", ", candidates)
                            + "): add it there, or leave candidate-servers out");
        }
        if (cluster.alone()) {
            known(key + ".preferred-server", preferred);
            candidates.forEach(c -> known(key + ".candidate-servers", c));
        }
    }

    /** Checks a member's name; in a cluster of one all names are known. */
    private void known(String key, String member) {
        String own = cluster.memberName(config.server().name());
        if (!member.isEmpty() && !member.equals(own)) {
            report(key, "there is no member \"" + member + "\": this server is alone and called \"" + own + "\"");
        }
    }

    private void timer(String name, TimerConfig t) {
        String key = "timers." + name;
        if (t.destination().isEmpty() == t.className().isEmpty()) {
            report(key, "either destination (a message is sent) or class-name (a listener is called)");
        } else if (!t.destination().isEmpty()) {
            destination(key + ".destination", t.destination());
        }
        boolean zone = parses(key + ".zone", "every 1s", t.zone());
        var _ = parses(key + ".schedule", t.schedule(), zone ? t.zone() : "UTC");
    }

    private boolean parses(String key, String schedule, String zone) {
        try {
            Schedule.parse(schedule, zone);
            return true;
        } catch (IllegalArgumentException e) {
            report(key, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void destination(String key, String name) {
        TreeSet<String> known = new TreeSet<>();
        names(known, "queue/", config.messaging().queues());
        names(known, "topic/", config.messaging().topics());
        if (!known.contains(name)) {
            report(key, "there is no destination \"" + name + "\"" + Nearest.known(name, known));
        } else if (config.listeners().values().stream().noneMatch(l -> l.protocol() == ListenerProtocol.WEIR)) {
            report(key, "messaging does not run: add a listener with protocol: weir");
        }
    }

    private static void names(Set<String> into, String prefix, Map<String, ?> destinations) {
        destinations.keySet().forEach(n -> into.add(prefix + n));
    }

    /** The port of host:port, or -1 if it is not one. */
    private static int port(String member) {
        int colon = member.lastIndexOf(':');
        if (colon <= 0 || !member.substring(colon + 1).matches("\\d{1,5}")) {
            return -1;
        }
        String host = member.substring(0, colon);
        int port = Integer.parseInt(member.substring(colon + 1));
        boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
        return bare || host.isBlank() || port < 1 || port > 65535 ? -1 : port;
    }

    private static String host(String member) {
        return member.substring(0, member.lastIndexOf(':'));
    }

    private static boolean loopback(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.matches("127(\\.\\d{1,3}){3}");
    }

    private boolean readable(String key, @Nullable String file) {
        Path path = Path.of(String.valueOf(file));
        boolean readable = Files.isRegularFile(path) && Files.isReadable(path);
        if (!readable) {
            report(key, "the file " + path.toAbsolutePath() + " does not exist or cannot be read");
        }
        return readable;
    }

    /** An empty secret would accept any peer with an empty one. */
    private void notEmpty(String key, Path file) {
        try {
            if (Files.readString(file).isBlank()) {
                report(
                        key,
                        "the file " + file.toAbsolutePath() + " is empty: put a secret into it, such as that of openssl"
                                + " rand -base64 32");
            }
        } catch (IOException e) {
            report(key, "the file " + file.toAbsolutePath() + " cannot be read: " + IoReason.ofFile(e));
        }
    }

    private void report(String key, String what) {
        problems.add(new ConfigProblem(tree.nearestPlace(key), key, what));
    }
}
