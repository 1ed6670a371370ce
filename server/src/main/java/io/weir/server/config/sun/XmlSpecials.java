package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import io.weir.base.TextFile;
import io.weir.proxy.program.objconf.BesideFile;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Elements of {@code server.xml} that are more than values. Used by one {@link ServerXml}. */
final class XmlSpecials {
    private static final Set<String> ANY = Set.of("any", "*", "0.0.0.0", "inaddr_any");
    private static final String EVERY_ADDRESS = "0.0.0.0";
    private static final Pattern COMMENT = Pattern.compile("(?m)#.*$");

    /** Lists that apply to resources without a directive. */
    private static final Pattern RESOURCE_LIST =
            Pattern.compile("\\bacl\\s+\"?((?:uri|path)=[^\";]*|[^\";\\s]*://[^\";]*)");

    private final String file;
    private final String objects;
    private final Layer layer;

    XmlSpecials(String file, String objects, Layer layer) {
        this.file = file;
        this.objects = objects;
        this.layer = layer;
    }

    /** Whether an element is to be read; what is switched off is not. */
    boolean wanted(XmlElement e, String name) {
        return switch (e.name()) {
            case "LS", "http-listener" -> {
                if (!e.flag("enabled", true)) {
                    layer.note(e.at(), e.name() + " " + name + " has no effect: it is not enabled");
                }
                yield e.flag("enabled", true);
            }
            case "ssl" -> e.flag("enabled", true);
            default -> true;
        };
    }

    /**
     * Applies what the table of settings does not.
     *
     * @param text the text of a property, with variables in it
     */
    void apply(XmlElement e, String name, Function<XmlElement.Property, String> text) {
        flags(e);
        switch (e.name()) {
            case "LS", "http-listener" -> listener(e, name, text);
            case "SSLPARAMS", "ssl" -> tls(e, name);
            case "VS" -> virtualServer(e, name, "urlhosts", "connections", "state");
            case "virtual-server" -> virtualServer(e, name, "host", "http-listener-name", "enabled");
            case "LOG" -> console(e, "loglevel", "logtoconsole");
            case "log" -> console(e, "log-level", "log-to-console");
            case "FILECACHE" -> fileCache(e);
            case "CACHE" -> cache(e);
            case "access-log" -> accessLog(e);
            case "keep-alive" -> keepAlive(e);
            case "http" -> bodyTimeout(e);
            case "server", "pkcs11" -> revoked(e);
            default -> {
                // all is in the table
            }
        }
        files(e, text);
    }

    /** Without a disk tier of its own, the configuration above has a cache in memory only. */
    private void cache(XmlElement e) {
        if (!layer.isAbove("cache.disk.path") && !layer.isAbove("cache.disk.partitions")) {
            layer.note(e.at(), "CACHE is in memory here (cache.memory-budget): " + XmlRows.DISK);
        }
    }

    /** Switches that are read below. */
    private void flags(XmlElement e) {
        for (String name : List.of("enabled", "security", "state", "logtoconsole", "log-to-console", "tls")) {
            XmlElement.Property p = e.property(name);
            if (p != null && Quantity.flag(p.value().strip()) == null) {
                layer.problem(p.at(), e.name() + " " + name + ": expected on or off, found \"" + p.value() + "\"");
            }
        }
    }

    private void listener(XmlElement e, String name, Function<XmlElement.Property, String> text) {
        String key = "listeners." + name;
        XmlElement.Property ip = e.property("ip");
        String address = ip == null ? EVERY_ADDRESS : text.apply(ip).strip();
        layer.put(
                key + ".address",
                ip == null ? e.at() : ip.at(),
                ANY.contains(address.toLowerCase(Locale.ROOT)) ? EVERY_ADDRESS : address,
                e.name());
        if (e.property("port") == null) {
            layer.problem(e.at(), e.name() + " needs a port");
        }
        if (e.flag("security", false)) {
            XmlElement.Property security = e.property("security");
            certificate(name, security == null ? e.at() : security.at(), e.name() + " security");
        }
    }

    private void certificate(String name, Place at, String called) {
        layer.need(
                at,
                "listeners." + name + ".tls.certificates",
                called + " is on, and " + XmlRows.NSS.replace("*", name)
                        + ". Without it this listener would run without TLS");
    }

    private void tls(XmlElement e, String name) {
        if (!e.flag("tls", true)) {
            XmlElement.Property tls = e.property("tls");
            layer.problem(
                    tls == null ? e.at() : tls.at(),
                    e.name() + " tls is off: no protocol would be left, " + XmlRows.OBSOLETE);
        }
        if (e.name().equals("ssl")) {
            certificate(name, e.at(), "ssl");
        }
    }

    /** Lists of revoked certificates that were left out would let those in. */
    private void revoked(XmlElement e) {
        XmlElement.Property path = e.property("crl-path");
        if (path != null) {
            layer.revoked(
                    path.at(),
                    e.name() + " crl-path is a folder with lists of revoked certificates, which is not read: name a"
                            + " file with all of them in weir.yaml. Without it revoked certificates would pass");
        }
    }

    private void virtualServer(XmlElement e, String name, String hosts, String listeners, String state) {
        String key = "virtual-servers." + name;
        layer.section(key, e.at());
        list(e, hosts, key + ".hosts");
        list(e, listeners, key + ".listeners");
        XmlElement.Property off = e.property(state);
        if (off != null && !e.flag(state, true)) {
            layer.problem(
                    off.at(),
                    e.name() + " " + name + " is off: leave it out; its hosts are then answered by"
                            + " the virtual server default");
        }
    }

    private void list(XmlElement e, String property, String key) {
        XmlElement.Property p = e.property(property);
        List<String> words = e.values(property);
        if (p != null && !words.isEmpty()) {
            layer.node(key, ServerXml.list(words, p.at()), e.name() + " " + property);
        }
    }

    private void console(XmlElement e, String level, String console) {
        XmlElement.Property on = e.property(console);
        XmlElement.Property as = e.property(level);
        if (on != null && e.flag(console, false)) {
            String found = as == null
                    ? "info"
                    : XmlRows.LEVELS.getOrDefault(as.value().strip().toLowerCase(Locale.ROOT), "");
            if (!found.isEmpty()) {
                layer.put("server.log.stdout-level", on.at(), found, e.name() + " " + console);
            }
        }
    }

    /** The two spaces are one memory here; {@code CACHE} decides before {@code FILECACHE} whether there is a cache. */
    private void fileCache(XmlElement e) {
        long bytes = 0;
        Place at = null;
        for (String name : List.of("mediumfilespace", "smallfilespace")) {
            XmlElement.Property p = e.property(name);
            Long space = p == null ? null : Quantity.BYTES.number(p.value().strip());
            if (p != null && (space == null || space < 0)) {
                layer.problem(
                        p.at(), "FILECACHE " + name + ": expected a number of bytes, found \"" + p.value() + "\"");
            } else if (p != null && space != null) {
                bytes += space;
                at = at == null ? p.at() : at;
            }
        }
        if (at != null) {
            layer.number("cache.memory-budget", at, Quantity.BYTES, bytes, "FILECACHE", bytes);
        }
        XmlElement.Property enabled = e.property("enabled");
        if (enabled != null && Quantity.flag(enabled.value().strip()) != null) {
            layer.fallback("cache.enabled", enabled.at(), e.flag("enabled", true) ? "on" : "off");
        }
    }

    private void accessLog(XmlElement e) {
        XmlElement.Property name = e.property("name");
        if (name != null && !name.value().strip().equals("default")) {
            layer.problem(name.at(), "access-log " + name.value() + " is not supported: use flex-init");
        }
        XmlElement.Property format = e.property("format");
        layer.put(
                "proxy.access-log.format", e.at(), on(e) ? format == null ? "common" : "custom" : "off", "access-log");
        if (format != null) {
            layer.put("proxy.access-log.custom", format.at(), format.value().strip(), "access-log format");
        }
    }

    private static boolean on(XmlElement e) {
        return e.flag("enabled", true);
    }

    private void keepAlive(XmlElement e) {
        XmlElement.Property enabled = e.property("enabled");
        if (enabled != null && !on(e)) {
            layer.put("kernel.keep-alive.timeout", enabled.at(), "0s", "keep-alive enabled");
        }
    }

    private void bodyTimeout(XmlElement e) {
        XmlElement.Property p = e.property("request-body-timeout");
        if (p != null && !p.value().strip().equals("-1")) {
            Setting.number("request-body-timeout", Quantity.SECONDS, 0, 3600, "kernel.time-outs.body")
                    .apply(layer, e.name(), p.value().strip(), p.at(), k -> k);
        }
    }

    /** Files that elements name. */
    private void files(XmlElement e, Function<XmlElement.Property, String> text) {
        for (XmlElement.Property p : e.properties()) {
            switch (e.name() + " " + p.name()) {
                case "MIME file", "server mime-file" -> layer.add("proxy.mime-types", p.at(), beside(text.apply(p)));
                case "ACLFILE file", "server acl-file", "virtual-server acl-file" -> lists(e.name(), p, text.apply(p));
                case "SERVER objectfile", "VSCLASS objectfile", "VS objectfile", "virtual-server object-file" ->
                    program(e.name(), p, text.apply(p));
                case "SERVER rootobject",
                        "VSCLASS rootobject",
                        "VS rootobject",
                        "virtual-server default-object-name" -> {
                    if (!p.value().strip().equalsIgnoreCase("default")) {
                        layer.problem(
                                p.at(), e.name() + " " + p.name() + " must be default, found \"" + p.value() + "\"");
                    }
                }
                default -> {
                    // no file
                }
            }
        }
    }

    private void program(String element, XmlElement.Property p, String named) {
        if (!named.strip().replaceFirst(".*[/\\\\]", "").equals(objects.replaceFirst(".*[/\\\\]", ""))) {
            layer.problem(
                    p.at(),
                    element + " " + p.name() + ": " + XmlRows.ONE_PROGRAM + " (" + objects + "), found \"" + named
                            + "\"");
        }
    }

    /** Lists for resources would refuse requests: the start is refused. */
    private void lists(String element, XmlElement.Property p, String named) {
        String path = beside(named);
        try {
            Matcher m = RESOURCE_LIST.matcher(
                    COMMENT.matcher(TextFile.parse(path).text()).replaceAll(""));
            if (m.find()) {
                layer.problem(
                        p.at(),
                        element + " is not supported: " + path + " has a list for \"" + m.group(1)
                                + "\", and files of access control lists come with a later version");
            } else {
                layer.note(
                        p.at(),
                        element + " has no effect: the lists of " + path + " apply only where check-acl names"
                                + " them");
            }
        } catch (IllegalArgumentException e) {
            layer.problem(p.at(), element + ": " + path + ": " + e.getMessage());
        }
    }

    private String beside(String named) {
        return BesideFile.path(file, named);
    }
}
