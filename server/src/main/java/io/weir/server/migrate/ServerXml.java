package io.weir.server.migrate;

import io.weir.base.ConfigNode.Place;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The {@code server.xml} beside an {@code obj.conf}: listeners, virtual servers and the file cache, in the forms of the
 * Proxy Server 4.0 (attributes) and of the Web Server 7.0 (elements). Used once.
 */
final class ServerXml {
    /** Elements around others, which say nothing themselves. */
    private static final String AROUND = "server|vsclass|vs|ls|http-listener|virtual-server|filecache|file-cache|cache"
            + "|sslparams|ssl|thread-pool|keep-alive|property|connection-group|description|host";

    private final Section root;
    private final Findings findings;
    private final Deque<Map<String, String>> open = new ArrayDeque<>();
    private final Deque<String> names = new ArrayDeque<>();

    ServerXml(Section root, Findings findings) {
        this.root = root;
        this.findings = findings;
    }

    /** Reads it; no entity and nothing outside of it is read. */
    void translate(String name, String text) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
            while (xml.hasNext()) {
                next(name, xml);
            }
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
            int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNumber();
            findings.problem(
                    new Place(name, Math.max(0, line), Math.max(0, column)),
                    "this is no well-formed XML: "
                            + String.valueOf(e.getMessage()).replaceFirst("(?s).*Message: ", ""));
        }
    }

    private void next(String name, XMLStreamReader xml) throws XMLStreamException {
        Place at = new Place(
                name,
                xml.getLocation().getLineNumber(),
                Math.max(0, xml.getLocation().getColumnNumber()));
        switch (xml.next()) {
            case XMLStreamConstants.START_ELEMENT -> {
                Map<String, String> values = new HashMap<>();
                for (int i = 0; i < xml.getAttributeCount(); i++) {
                    values.put(xml.getAttributeLocalName(i).toLowerCase(Locale.ROOT), xml.getAttributeValue(i));
                }
                open.push(values);
                names.push(xml.getLocalName().toLowerCase(Locale.ROOT));
            }
            case XMLStreamConstants.CHARACTERS -> {
                if (!open.isEmpty() && !xml.isWhiteSpace()) {
                    open.element().merge("", xml.getText().strip(), String::concat);
                }
            }
            case XMLStreamConstants.END_ELEMENT -> end(at);
            default -> {}
        }
    }

    private void end(Place at) {
        String element = names.pop();
        Map<String, String> values = open.pop();
        if (!open.isEmpty() && values.size() == 1 && values.containsKey("")) {
            open.element().put(element, values.getOrDefault("", ""));
            return;
        }
        switch (element) {
            case "ls", "http-listener" -> listener(at, values);
            case "vs", "virtual-server" -> virtualServer(at, values);
            case "filecache", "file-cache" -> cache(at, values);
            case "thread-pool" -> pool(at, values);
            case "keep-alive" -> keepAlive(at, values);
            case "sslparams", "ssl" -> {
                if (!open.isEmpty() && !"false".equals(values.get("enabled"))) {
                    open.element().put("ssl", "on");
                }
            }
            default -> {
                if (!element.matches(AROUND)) {
                    findings.left(
                            at, "<" + element + ">", "nothing in Weir corresponds to it, or it has another place");
                }
            }
        }
    }

    private static String plain(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
        return plain.isEmpty() ? "http" : plain;
    }

    private void listener(Place at, Map<String, String> values) {
        String id = plain(values.getOrDefault("id", values.getOrDefault("name", "http")));
        Section listener = root.section("listeners").section(id).from(at);
        String ip = values.getOrDefault("ip", "any");
        listener.put("address", ip.matches("[0-9A-Fa-f:.]+") ? ip : "0.0.0.0");
        listener.put("port", values.getOrDefault("port", "8080"));
        copy(values, "acceptorthreads", listener, "acceptors");
        copy(values, "acceptor-threads", listener, "acceptors");
        copy(values, "listen-queue-size", listener, "backlog");
        if ("on".equals(values.get("security")) || values.containsKey("ssl")) {
            findings.left(
                    at,
                    "TLS of listener " + id,
                    "export certificate and key from the NSS database and name them in tls.certificates; until then it"
                            + " listens on 127.0.0.1 only");
            listener.put("address", "127.0.0.1");
        }
    }

    private static void copy(Map<String, String> values, String from, Section into, String to) {
        String value = values.get(from);
        if (value != null && value.matches("[1-9][0-9]{0,5}")) {
            into.put(to, value);
        }
    }

    private void virtualServer(Place at, Map<String, String> values) {
        String hosts = values.getOrDefault("urlhosts", values.getOrDefault("host", ""));
        if (!hosts.isBlank() && !hosts.equals("*")) {
            findings.left(
                    at,
                    "hosts " + hosts,
                    "obj.conf has the same objects for each virtual server; name them in virtual-servers if they differ");
        }
    }

    private void cache(Place at, Map<String, String> values) {
        Section cache = root.section("cache").from(at);
        if ("off".equals(values.get("enabled")) || "false".equals(values.get("enabled"))) {
            cache.put("enabled", "off");
        }
        copy(values, "maxfiles", cache, "max-entries");
        copy(values, "max-entries", cache, "max-entries");
        String space = values.getOrDefault("max-heap-space", values.getOrDefault("mediumfilespace", ""));
        if (space.matches("[1-9][0-9]{5,12}")) {
            cache.put("memory-budget", Math.max(262_144, Long.parseLong(space)) + "B");
        }
    }

    private void pool(Place at, Map<String, String> values) {
        Section kernel = root.section("kernel");
        String max = values.get("max-threads");
        if (max != null && max.matches("[1-9][0-9]{0,4}")) {
            kernel.put("request-throttle", max, at);
        }
        copy(values, "queue-size", kernel.section("connection-queue"), "capacity");
        if (kernel.section("connection-queue").isEmpty()) {
            kernel.remove("connection-queue");
        }
    }

    private void keepAlive(Place at, Map<String, String> values) {
        Section keep = root.section("kernel.keep-alive").from(at);
        copy(values, "max-connections", keep, "max-connections");
        String timeout = values.get("timeout");
        if (timeout != null && timeout.matches("[0-9]{1,3}") && Integer.parseInt(timeout) <= 300) {
            keep.put("timeout", timeout + "s");
        }
    }
}
