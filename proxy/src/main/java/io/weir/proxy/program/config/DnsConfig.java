package io.weir.proxy.program.config;

import io.weir.base.Knob;
import java.time.Duration;
import java.util.List;

/** The section {@code proxy.dns}: caching of origins' names. Immutable. */
public record DnsConfig(
        @Knob(
                doc = "Name servers that are queried in this order instead of the system's: addresses, with a port"
                        + " where it is not 53 (10.0.0.2, 10.0.0.2:5353, [fd00::2]:5353). Empty: the system's.",
                watch = "weir_proxy_faults_total")
        List<String> servers,

        @Knob(
                doc = "Whether resolved names are cached at all. Off queries the name servers for every new"
                        + " connection.",
                value = "on",
                dynamic = true,
                watch = "weir_dns_host_misses_total",
                knownAs = "host-dns-cache-init disable")
        boolean cache,

        @Knob(
                doc = "Names cached by each muxer, including those without an address; the least"
                        + " recently used one is evicted. Raise it when entries are at the limit and"
                        + " misses rise, as in a forward proxy; each costs a little memory on each muxer."
                        + " Rule of thumb: the names that are asked for within proxy.dns.expire.",
                value = "1024",
                unit = "names",
                min = "32",
                max = "32768",
                dynamic = true,
                watch = "weir_dns_host_entries",
                knownAs = "host-dns-cache-init cache-size")
        int entries,

        @Knob(
                doc = "Longest time for which an address is used without resolving it again; a"
                        + " record's own time to live applies if it is shorter. Lower it when origins move"
                        + " and their records live too long; raise it to query less. Each look-up delays"
                        + " one request. Rule of thumb: the default.",
                value = "20m",
                min = "1s",
                max = "365d",
                dynamic = true,
                watch = "weir_dns_host_misses_total",
                knownAs = "host-dns-cache-init expire")
        Duration expire,

        @Knob(
                doc = "How long it is cached that a name has no address; 0: not at all. Raise it when"
                        + " clients ask for wrong names again and again; lower it when new names must work"
                        + " at once. Rule of thumb: some seconds.",
                value = "10s",
                min = "0s",
                max = "1h",
                dynamic = true,
                watch = "weir_dns_host_misses_total",
                knownAs = "host-dns-cache-init negative-dns-cache")
        Duration negative,

        @Knob(
                doc = "How long after its last resolution an address is still used while the name servers fail; not"
                        + " if the name no longer exists. 0: not at all."
                        + " A longer time bridges outages of the name servers and may use an address that has"
                        + " moved. Rule of thumb: the default.",
                value = "1h",
                min = "0s",
                max = "365d",
                dynamic = true,
                watch = "weir_dns_host_stale_total")
        Duration stale) {}
