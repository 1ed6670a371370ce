package io.weir.server.monitor.source;

import io.weir.server.monitor.source.Facts.Averages;
import java.util.List;
import java.util.Map;

/**
 * The sampler's results for the latest second. Immutable.
 *
 * @param load the machine's load averages
 * @param rateSent bytes a second to clients
 * @param rateReceived bytes a second from clients
 * @param requests requests a second
 * @param errors answers with status 500 and above a second
 * @param responseTime seconds that the requests of a second took on average
 * @param virtualBytes size of the process
 * @param residentBytes of it in memory
 * @param memoryFraction resident share of the machine's memory, 0 to 1
 * @param servers rates by virtual server
 * @param throughputs completed pieces of work a second, by work manager
 */
public record Readings(
        Averages load,
        double rateSent,
        double rateReceived,
        Averages requests,
        Averages errors,
        Averages responseTime,
        long virtualBytes,
        long residentBytes,
        double memoryFraction,
        List<Cpu> cpus,
        Map<String, Rate> servers,
        Map<String, Double> throughputs) {
    /** Before the first sample. */
    public static final Readings NONE = new Readings(
            Averages.ZERO, 0, 0, Averages.ZERO, Averages.ZERO, Averages.ZERO, 0, 0, 0, List.of(), Map.of(), Map.of());

    /** How a processor spent the latest second, in percent; steal is in none of them. */
    public record Cpu(int number, double idle, double user, double kernel) {}

    /** Bytes a second to the clients of a virtual server: current and peak. */
    public record Rate(double now, double peak) {
        static final Rate NONE = new Rate(0, 0);
    }

    public Rate server(String id) {
        return servers.getOrDefault(id, Rate.NONE);
    }

    public double throughput(String pool) {
        return throughputs.getOrDefault(pool, 0.0);
    }
}
