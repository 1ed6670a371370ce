package io.weir.server.processes;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * The stats-xml of several processes as one: an element {@code process} of each, and sums in the server's and the virtual
 * servers' elements. Confined to the call.
 */
final class StatsXmlSum {
    private static final String PROCESS = "process";
    private static final String PROFILE = "profile";
    private static final String PROFILE_BUCKET = "profile-bucket";

    private static final List<String> UNKNOWN =
            List.of("timeStarted", "countConfigurations", "sizeVirtual", "sizeResident", "fractionSystemMemoryUsage");

    private StatsXmlSum() {}

    /**
     * One document of several.
     *
     * @param silent the processes that did not answer, whose elements have no other content
     * @throws IOException if one of them is not stats-xml
     */
    static String of(List<String> documents, List<Long> silent, int processes) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            Document all = null;
            for (String text : documents) {
                Document one = factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
                if (all == null) {
                    all = one;
                } else {
                    add(child(all.getDocumentElement(), "server"), child(one.getDocumentElement(), "server"));
                }
            }
            if (all == null) {
                throw new IOException("no process is ready");
            }
            Element server = child(all.getDocumentElement(), "server");
            if (server != null) {
                server.setAttribute("maxProcs", Integer.toString(processes));
                for (long pid : silent) {
                    unknown(server, pid);
                }
            }
            return text(all);
        } catch (ParserConfigurationException | SAXException | TransformerException e) {
            throw new IOException("a process answered no stats-xml", e);
        }
    }

    private static void add(@Nullable Element into, @Nullable Element from) {
        if (into == null || from == null) {
            return;
        }
        sum(into, from);
        profiles(into, from);
        Element last = last(into, PROCESS);
        Node before = last == null ? null : last.getNextSibling();
        for (Element e : children(from)) {
            if (e.getTagName().equals(PROCESS)) {
                into.insertBefore(into.getOwnerDocument().importNode(e, true), before);
            } else if (e.getTagName().equals("virtual-server")) {
                Element same = same(into, e);
                if (same != null) {
                    deep(same, e);
                }
            }
        }
    }

    /**
     * Numbers the second document's profiles as in the first: while a change of the configuration spreads, processes
     * have different ones.
     */
    private static void profiles(Element into, Element from) {
        Map<String, String> ids = new HashMap<>();
        for (Element profile : children(into)) {
            if (profile.getTagName().equals(PROFILE)) {
                ids.put(profile.getAttribute("name"), profile.getAttribute("id"));
            }
        }
        Map<String, String> renumbered = new HashMap<>();
        for (Element profile : children(from)) {
            if (profile.getTagName().equals(PROFILE)) {
                String name = profile.getAttribute("name");
                String id = ids.computeIfAbsent(name, _ -> added(into, profile, ids.size()));
                renumbered.put(profile.getAttribute("id"), id);
            }
        }
        NodeList buckets = from.getElementsByTagName(PROFILE_BUCKET);
        for (int i = 0; i < buckets.getLength(); i++) {
            Element bucket = (Element) buckets.item(i);
            String old = bucket.getAttribute(PROFILE);
            bucket.setAttribute(PROFILE, renumbered.getOrDefault(old, old));
        }
    }

    private static String added(Element into, Element profile, int number) {
        Element copy = (Element) into.getOwnerDocument().importNode(profile, true);
        copy.setAttribute("id", "profile-" + number);
        Element last = last(into, PROFILE);
        into.insertBefore(copy, last == null ? child(into, PROCESS) : last.getNextSibling());
        return copy.getAttribute("id");
    }

    private static void unknown(Element server, long pid) {
        Element last = last(server, PROCESS);
        if (last == null) {
            // they are switched off
            return;
        }
        Element process = server.getOwnerDocument().createElement(PROCESS);
        process.setAttribute("pid", Long.toString(pid));
        process.setAttribute("mode", "unknown");
        UNKNOWN.forEach(name -> process.setAttribute(name, "0"));
        server.insertBefore(process, last.getNextSibling());
    }

    private static void deep(Element into, Element from) {
        sum(into, from);
        for (Element e : children(from)) {
            Element same = same(into, e);
            if (same != null) {
                deep(same, e);
            } else if (e.getTagName().equals(PROFILE_BUCKET)) {
                Element last = last(into, PROFILE_BUCKET);
                Node copy = into.getOwnerDocument().importNode(e, true);
                into.insertBefore(copy, last == null ? null : last.getNextSibling());
            }
        }
    }

    /** Adds counts, rates and times; of averages of times, and of peaks, takes the larger. */
    private static void sum(Element into, Element from) {
        for (int i = 0; i < from.getAttributes().getLength(); i++) {
            Attr a = (Attr) from.getAttributes().item(i);
            String name = a.getName();
            String mine = into.getAttribute(name);
            if (adds(name) && isNumber(mine) && isNumber(a.getValue())) {
                BigDecimal x = new BigDecimal(mine);
                BigDecimal y = new BigDecimal(a.getValue());
                into.setAttribute(name, x.add(y).toPlainString());
            } else if ((name.startsWith("max") || name.startsWith("responseTime"))
                    && isNumber(mine)
                    && isNumber(a.getValue())) {
                into.setAttribute(
                        name,
                        new BigDecimal(mine).max(new BigDecimal(a.getValue())).toPlainString());
            }
        }
    }

    private static boolean adds(String name) {
        return name.startsWith("count")
                || name.startsWith("rate")
                || name.startsWith("requests")
                || name.startsWith("errors")
                || name.equals("ticksDispatch")
                || name.equals("ticksFunction");
    }

    private static boolean isNumber(String text) {
        return text.matches("-?[0-9]{1,18}([.][0-9]{1,9})?");
    }

    private static @Nullable Element same(Element in, Element like) {
        for (Element e : children(in)) {
            if (e.getTagName().equals(like.getTagName())
                    && e.getAttribute("id").equals(like.getAttribute("id"))
                    && e.getAttribute("profile").equals(like.getAttribute("profile"))) {
                return e;
            }
        }
        return null;
    }

    private static @Nullable Element child(Element of, String name) {
        return children(of).stream()
                .filter(e -> e.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Element last(Element of, String name) {
        return children(of).stream()
                .filter(e -> e.getTagName().equals(name))
                .reduce((_, b) -> b)
                .orElse(null);
    }

    private static List<Element> children(Element of) {
        List<Element> all = new ArrayList<>();
        for (Node n = of.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element e) {
                all.add(e);
            }
        }
        return all;
    }

    private static String text(Document all) throws TransformerException {
        StringWriter out = new StringWriter(16 * 1024);
        Transformer t = TransformerFactory.newDefaultInstance().newTransformer();
        t.setOutputProperty(OutputKeys.DOCTYPE_SYSTEM, "proxystats.dtd");
        t.transform(new DOMSource(all), new StreamResult(out));
        return out.append('\n').toString();
    }
}
