package io.weir.lab.bench.peer;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Configurations of Weir and of the origin for the growths: each is larger by one number than the next. Stateless. */
public final class GrowthConfigs {
    /** Bodies of the origin's folder, by name: small ones where there are many, a kilobyte elsewhere. */
    public static final Map<String, Integer> FILES = Map.of("small", 200, "k", 1024);

    /** Objects that are stored in each step of the growth of routes, whatever the number of rules. */
    public static final int ROUTED_OBJECTS = 10_000;

    private static final int LISTENED = 250;

    private GrowthConfigs() {}

    /**
     * An nginx: under {@code /o/} small answers that may be stored, under {@code /v/} variants by X-Variant, under
     * {@code /m/} answers that may not be stored, elsewhere a kilobyte that may.
     *
     * @param addresses at which it listens beside 127.0.0.1: {@link #address} of 0 and on
     */
    public static String origin(Path folder, int port, int addresses) {
        StringBuilder listen = new StringBuilder("    listen 127.0.0.1:" + port + " backlog=4096;\n");
        for (int i = 0; i < addresses; i++) {
            listen.append("    listen ")
                    .append(address(i))
                    .append(':')
                    .append(port)
                    .append(";\n");
        }
        return PeerConfigs.nginxHead(folder, 4096 + addresses) + """
                  open_file_cache max=16;
                  server {
                %s    root %s/www;
                    location = /status { stub_status; }
                    location /o/ { try_files /small =404; add_header Cache-Control "max-age=36000"; }
                    location /v/ {
                      try_files /k =404;
                      add_header Cache-Control "max-age=36000";
                      add_header Vary "X-Variant";
                    }
                    location /m/ { try_files /k =404; add_header Cache-Control "no-store"; }
                    location / { try_files /k =404; add_header Cache-Control "max-age=36000"; }
                  }
                }
                """.formatted(listen, folder);
    }

    /** The loopback address of an origin. */
    public static String address(int origin) {
        return "127.0." + (1 + origin / LISTENED) + "." + (1 + origin % LISTENED);
    }

    /** One route, a cache with room for all objects of the largest step. */
    public static String roomy(int originPort) {
        return WeirConfigs.plain(originPort, true)
                .replace("cache: {enabled: on}", "cache: {enabled: on, memory-budget: 4GiB, max-entries: 2000000}");
    }

    /** One route, as many variants as there may be. */
    public static String variants(int originPort) {
        return WeirConfigs.plain(originPort, true)
                .replace("cache: {enabled: on}", "cache: {enabled: on, max-variants: 1024}");
    }

    /** A route to each of so many origins; nothing is stored, and idle connections are kept. */
    public static String origins(int originPort, int origins) {
        StringBuilder text = new StringBuilder(kept(originPort));
        text.setLength(text.indexOf("    - origins:"));
        for (int i = 0; i < origins; i++) {
            text.append("    - {path: \"/m/%05d/\", origins: [\"%s\"]}\n".formatted(i, url(i, originPort)));
        }
        return text.toString();
    }

    /** One route to a pool of so many servers; the rest as for {@link #origins}. */
    public static String pool(int originPort, int servers) {
        StringBuilder text = new StringBuilder(kept(originPort));
        text.setLength(text.indexOf("    - origins:"));
        text.append("    - {path: /, pool: p}\n  origins:\n    p:\n      servers:\n");
        for (int i = 0; i < servers; i++) {
            text.append("        - {url: \"").append(url(i, originPort)).append("\"}\n");
        }
        return text.toString();
    }

    private static String url(int origin, int port) {
        return "http://" + address(origin) + ':' + port;
    }

    private static String kept(int originPort) {
        return WeirConfigs.plain(originPort, false)
                .replace("proxy:\n", "proxy:\n  origin-pool: {idle-time-out: 280s}\n");
    }

    /** Several processes, all else as in {@link WeirConfigs#plain}. */
    public static String processes(int originPort, int processes) {
        return WeirConfigs.plain(originPort, true) + "server: {processes: " + processes + "}\n";
    }

    /**
     * A broker with queues {@link #queue} of 0 and on, a topic {@code t}, and a factory {@code Growth} that sends
     * without waiting for an answer.
     */
    public static String messaging(int queues) {
        StringBuilder text = new StringBuilder("""
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                kernel: {socket-readers: 1}
                messaging:
                  connection-factories:
                    growth:
                      jndi-name: Growth
                      delivery: {send-timeout: 10000}
                      flow: {one-way-send-mode: enabled, one-way-send-window-size: 300}
                      client: {messages-maximum: 300, synchronous-prefetch-mode: enabled}
                  topics:
                    t: {}
                  queues:
                """);
        for (int i = 0; i < queues; i++) {
            text.append("    ").append(queue(i)).append(": {}\n");
        }
        return text.toString();
    }

    /**
     * A member of a cluster on this machine.
     *
     * @param ports of all members' listeners
     */
    public static String member(int number, List<Integer> ports) {
        String all = ports.stream().map(p -> "\"127.0.0.1:" + p + "\"").collect(Collectors.joining(", "));
        return """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: %d}
                admin: {port: 0}
                kernel: {socket-readers: 1}
                cluster:
                  member: m%d
                %s""".formatted(ports.get(number), number, ports.size() == 1 ? "" : "  members: [" + all + "]\n");
    }

    /**
     * A lone member with so many singletons.
     *
     * @param lib folder with their class
     */
    public static String singletons(int count, Path lib, String type) {
        StringBuilder text = new StringBuilder(alone(lib)).append("singletons:\n");
        for (int i = 0; i < count; i++) {
            text.append("  s-%05d: {class-name: %s}\n".formatted(i, type));
        }
        return text.toString();
    }

    /**
     * A lone member with so many timers, which together fire {@link #firingsPerSecond} times a second.
     *
     * @param count 100, 1000 or 10000
     * @param lib folder with their class
     */
    public static String timers(int count, Path lib, String type) {
        StringBuilder text = new StringBuilder(alone(lib)).append("timers:\n");
        for (int i = 0; i < count; i++) {
            String schedule = count <= 100
                    ? "* * * * * *"
                    : count <= 1000 ? i % 10 + "/10 * * * * *" : i % 60 + " " + i / 60 % 2 + "/2 * * * *";
            text.append("  t-%05d: {schedule: \"%s\", class-name: %s}\n".formatted(i, schedule, type));
        }
        return text.toString();
    }

    /** How often so many timers fire together. */
    public static double firingsPerSecond(long timers) {
        return timers <= 100 ? timers : timers <= 1000 ? timers / 10.0 : timers / 120.0;
    }

    private static String alone(Path lib) {
        return """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                kernel: {socket-readers: 1}
                cluster: {lib-dir: %s}
                """.formatted(lib);
    }

    /** The name of a queue. */
    public static String queue(int queue) {
        return "q-%05d".formatted(queue);
    }
}
