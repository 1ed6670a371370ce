package io.weir.server.config.sun;

import static io.weir.server.config.sun.Quantity.BYTES;
import static io.weir.server.config.sun.Quantity.COUNT;
import static io.weir.server.config.sun.Quantity.SECONDS;
import static io.weir.server.config.sun.Quantity.SWITCH;
import static io.weir.server.config.sun.Quantity.TEXT;
import static io.weir.server.config.sun.Setting.either;
import static io.weir.server.config.sun.Setting.flag;
import static io.weir.server.config.sun.Setting.noted;
import static io.weir.server.config.sun.Setting.number;
import static io.weir.server.config.sun.Setting.special;
import static io.weir.server.config.sun.Setting.text;
import static io.weir.server.config.sun.Setting.words;

import java.util.List;
import java.util.Map;

/** The elements of the Proxy Server's {@code server.xml}, and of Web Server 6.1's where it has more. Stateless. */
final class XmlRows {
    static final long HUGE = Integer.MAX_VALUE;
    static final String DISK =
            "the disk tier is configured in cache.disk; ./weir migrate writes it (docs/disk-cache.md)";
    static final String NSS = "a database of NSS cannot be read: export the certificate with pk12util, and name the"
            + " file in weir.yaml (listeners.*.tls.certificates)";
    static final String CIPHERS = "listeners.*.tls.ciphers of weir.yaml has OpenSSL's names";
    static final String OBSOLETE = "SSL 2 and SSL 3 are not spoken";
    static final String USERS = "users are those of ./weir passwd; directories (LDAP) come with a later version";
    static final String HOST = "the client's Host decides what the server is called";
    static final String PLAIN = "sockets never block";
    static final String FAMILY = "the address decides the family";
    static final String SCHEDULER =
            "the system's scheduler runs commands at times, such as ./weir log rotate and ./weir cachegc; collections of"
                    + " the cache's disk at times are cache.disk.gc.schedule";
    static final String ONE_PROGRAM = "all virtual servers have the program of proxy.objects, whose file it must name";

    /** Severities of the Sun servers. */
    static final Map<String, String> LEVELS = Map.ofEntries(
            Map.entry("finest", "finest"),
            Map.entry("finer", "finer"),
            Map.entry("fine", "fine"),
            Map.entry("config", "info"),
            Map.entry("info", "info"),
            Map.entry("warning", "warning"),
            Map.entry("failure", "error"),
            Map.entry("security", "critical"),
            Map.entry("catastrophe", "catastrophe"));

    private static final List<XmlRow> SERVER = List.of(
            XmlRow.of(
                    "SERVER",
                    special("objectfile", ONE_PROGRAM, "proxy.objects"),
                    special("rootobject", "must be default", "proxy.objects"),
                    either("qosactive", "on", "", "proxy.traffic-figures"),
                    noted("qosmetricsinterval", SECONDS, "rates are measured over one second"),
                    noted("qosrecomputeinterval", Quantity.MILLISECONDS, "rates are measured over one second"),
                    noted("legacyls", TEXT, "each listener has a name")),
            XmlRow.of(
                    "PROPERTY",
                    special(
                            "name",
                            "a variable for $name in obj.conf, magnus.conf's Init lines and here",
                            "proxy.variables"),
                    special("value", "its text", "proxy.variables")),
            XmlRow.of(
                    "LOG",
                    text("file", "server.log.file"),
                    words("loglevel", LEVELS, "server.log.level"),
                    special("logtoconsole", "on: as much as in the file", "server.log.stdout-level"),
                    noted("logvsid", SWITCH, "messages name the virtual server where it matters"),
                    noted("logstdout", SWITCH, "functions write messages with their own logger"),
                    noted("logstderr", SWITCH, "functions write messages with their own logger"),
                    noted("createconsole", SWITCH, "it is for Windows"),
                    noted("usesyslog", SWITCH, "the service manager takes what is printed: server.log.stdout-level")),
            XmlRow.noted("EVENT", SCHEDULER),
            XmlRow.noted("EVENTTIME", SCHEDULER),
            XmlRow.noted("EVENTACTION", SCHEDULER));

    private static final List<XmlRow> LISTENERS = List.of(
            XmlRow.of(
                    "LS",
                    special("id", "the listener's name", "listeners.<name>"),
                    special("ip", "without it, or any: every address", "listeners.<name>.address"),
                    number("port", COUNT, 1, 65_535, "listeners.<name>.port"),
                    special(
                            "security",
                            "on: weir.yaml must give tls.certificates",
                            "listeners.<name>.tls.certificates"),
                    number("acceptorthreads", COUNT, 1, 128, "listeners.<name>.acceptors"),
                    text("defaultvs", "listeners.<name>.virtual-server"),
                    special("enabled", "off: there is no such listener", "listeners.<name>"),
                    noted("servername", TEXT, HOST),
                    noted("family", TEXT, FAMILY),
                    noted("blocking", SWITCH, PLAIN)),
            XmlRow.of(
                    "SSLPARAMS",
                    noted("servercertnickname", TEXT, NSS),
                    noted("ssl2", SWITCH, OBSOLETE),
                    noted("ssl3", SWITCH, OBSOLETE),
                    noted("ssl2ciphers", TEXT, OBSOLETE),
                    noted("ssl3tlsciphers", TEXT, CIPHERS),
                    special("tls", "off is refused: no protocol would be left", "listeners.<name>.tls.protocols"),
                    noted("tlsrollback", SWITCH, "a lower version than both can speak is always noticed"),
                    either("clientauth", "need", "none", "listeners.<name>.tls.client-auth")
                            .and("client-trust must be given in weir.yaml")),
            XmlRow.of(
                    "CONNECTIONGROUP",
                    noted("id", TEXT, "a listener has one group"),
                    text("defaultvs", "listeners.<name>.virtual-server"),
                    noted("matchingip", TEXT, "listeners have one address"),
                    noted("servername", TEXT, HOST)),
            XmlRow.of(
                    "VSCLASS",
                    noted("id", TEXT, "classes have no settings of their own"),
                    special("objectfile", ONE_PROGRAM, "proxy.objects"),
                    special("rootobject", "must be default", "proxy.objects"),
                    noted("acceptlanguage", SWITCH, "answers are the origin's")),
            XmlRow.of(
                    "VS",
                    special("id", "the virtual server's name", "virtual-servers.<name>"),
                    special("urlhosts", "", "virtual-servers.<name>.hosts"),
                    special("connections", "", "virtual-servers.<name>.listeners"),
                    special("state", "off is refused: leave the virtual server out", "virtual-servers.<name>"),
                    special("objectfile", ONE_PROGRAM, "proxy.objects"),
                    special("rootobject", "must be default", "proxy.objects"),
                    noted("mime", TEXT, "types are the same for all virtual servers"),
                    special("aclids", "as ACLFILE", "proxy.objects"),
                    noted("acceptlanguage", SWITCH, "answers are the origin's")),
            XmlRow.of(
                    "QOSPARAMS",
                    number("maxbps", BYTES, 0, HUGE, "virtual-servers.<name>.limits.bandwidth"),
                    number("maxconn", COUNT, 0, HUGE, "virtual-servers.<name>.limits.connections"),
                    noted("enforcebandwidth", SWITCH, "a limit that is set holds"),
                    noted("enforceconnections", SWITCH, "a limit that is set holds")));

    private static final List<XmlRow> FILES = List.of(
            XmlRow.of(
                    "MIME",
                    noted("id", TEXT, "types are the same for all virtual servers"),
                    special("file", "a file of types", "proxy.mime-types")),
            XmlRow.noted("TYPE", "write the type into the file that MIME names"),
            XmlRow.of(
                    "ACLFILE",
                    noted("id", TEXT, "see file"),
                    special(
                            "file",
                            "refused if it has lists for resources (uri=, path=, URLs): " + "files of access"
                                    + " control lists come with a later version. Other lists apply only where check-acl names"
                                    + " them",
                            "proxy.objects")),
            XmlRow.noted("USERDB", USERS),
            XmlRow.noted(
                    "JAVA", "it is for web applications, which are not served; WEIR_JAVA_OPTS sets Java's options"),
            XmlRow.noted("DAV", "collections of WebDAV are not served; its methods are passed on to the origin"),
            XmlRow.noted("SEARCH", "collections of documents are not searched; requests are passed on"),
            XmlRow.refused("WEBAPP", "web applications are not served"));

    private static final List<XmlRow> CACHES = List.of(
            XmlRow.of(
                    "FILECACHE",
                    special("enabled", "without CACHE: it decides whether answers are cached", "cache.enabled"),
                    number("maxfiles", COUNT, 1, HUGE, "cache.max-entries"),
                    number("mediumfilesizelimit", BYTES, 0, HUGE, "cache.max-object-size"),
                    special("mediumfilespace", "bytes, with smallfilespace", "cache.memory-budget"),
                    special("smallfilespace", "bytes, with mediumfilespace", "cache.memory-budget"),
                    noted("smallfilesizelimit", BYTES, "small and medium objects are stored alike"),
                    noted("maxage", SECONDS, "an answer's own lifetime decides, and cache-setting"),
                    noted("contentcache", SWITCH, "contents are what the cache is for"),
                    noted("transmitfile", SWITCH, "memory is sent; of the disk tier see cache.disk.sendfile"),
                    noted("tempdir", TEXT, "there are no temporary files outside the data directory"),
                    noted("hashinitsize", COUNT, "the table grows with its entries")),
            XmlRow.of(
                    "CACHE",
                    flag("enabled", "cache.enabled").and("in memory: " + DISK),
                    noted("cachecapacity", COUNT, DISK),
                    noted("cachedir", TEXT, DISK)),
            XmlRow.noted("PARTITION", DISK),
            XmlRow.noted("GC", DISK));

    private XmlRows() {}

    /** All, in the order of the document. */
    static List<XmlRow> all() {
        return List.of(SERVER, LISTENERS, FILES, CACHES).stream()
                .flatMap(List::stream)
                .toList();
    }
}
