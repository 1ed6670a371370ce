package io.weir.server.config.sun;

import io.weir.base.ConfigNode.Place;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code server.xml}. Nothing outside the file is opened: declarations of its document type are skipped, so it has
 * no entities but those of XML itself. Size, depth and number of elements are bounded. Used once.
 */
final class XmlReading {
    private static final int MAX_LENGTH = 4 << 20;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_ELEMENTS = 20_000;
    private static final Pattern MESSAGE = Pattern.compile("(?s).*Message: ");

    private final String name;
    private final String text;
    private final List<Integer> lines = new ArrayList<>();
    private int elements;

    /** @param name of the file, for places */
    XmlReading(String name, String text) {
        this.name = name;
        this.text = text;
        lines.add(0);
        for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
            lines.add(i + 1);
        }
    }

    /** The root; null: the file is wrong, which is reported. */
    @Nullable
    XmlElement read(Layer layer) {
        if (text.length() > MAX_LENGTH) {
            layer.problem(
                    new Place(name, 1, 1), "the file has more than " + MAX_LENGTH + " characters, the most allowed");
            return null;
        }
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(text));
            try {
                while (reader.next() != XMLStreamConstants.START_ELEMENT) {
                    // the prolog has nothing that is of use
                }
                XmlElement root = element(reader, 0);
                while (reader.hasNext()) {
                    reader.next();
                }
                return root;
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            layer.problem(place(e.getLocation()), "this is not well-formed XML: " + reason(e));
            return null;
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing outside the file is read: " + systemId);
        });
        return factory;
    }

    private static String reason(XMLStreamException e) {
        String all = String.valueOf(e.getMessage());
        return MESSAGE.matcher(all).replaceFirst("").strip();
    }

    private XmlElement element(XMLStreamReader reader, int depth) throws XMLStreamException {
        String tag = reader.getLocalName();
        int end = offset(reader.getLocation());
        int start = Math.max(0, text.lastIndexOf("<" + tag, Math.max(0, end - 1)));
        Place at = place(start);
        if (depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
            throw new XMLStreamException(
                    "more than " + MAX_DEPTH + " levels or " + MAX_ELEMENTS + " elements", reader.getLocation());
        }
        List<XmlElement.Property> properties = new ArrayList<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String attribute = reader.getAttributeLocalName(i);
            properties.add(
                    new XmlElement.Property(attribute, reader.getAttributeValue(i), valueOf(attribute, start, end)));
        }
        List<XmlElement> children = new ArrayList<>();
        StringBuilder content = new StringBuilder();
        while (reader.next() != XMLStreamConstants.END_ELEMENT) {
            if (reader.getEventType() == XMLStreamConstants.START_ELEMENT) {
                children.add(element(reader, depth + 1));
            } else if (reader.hasText() && reader.getEventType() != XMLStreamConstants.COMMENT) {
                content.append(reader.getText());
            }
        }
        return made(tag, properties, children, content.toString().strip(), at);
    }

    /** A child that is a text becomes a property: it is kept as one whose only property has no name. */
    private static XmlElement made(
            String tag, List<XmlElement.Property> attributes, List<XmlElement> all, String content, Place at) {
        List<XmlElement.Property> properties = new ArrayList<>(attributes);
        List<XmlElement> children = new ArrayList<>();
        for (XmlElement child : all) {
            XmlElement.Property only = child.property("");
            if (only != null
                    && child.properties().size() == 1
                    && child.children().isEmpty()) {
                properties.add(new XmlElement.Property(child.name(), only.value(), child.at()));
            } else {
                children.add(child);
            }
        }
        if (!content.isEmpty()) {
            properties.add(new XmlElement.Property("", content, at));
        }
        return new XmlElement(tag, properties, children, at);
    }

    private Place valueOf(String attribute, int start, int end) {
        Matcher m = Pattern.compile("\\s" + Pattern.quote(attribute) + "\\s*=\\s*[\"']")
                .matcher(text)
                .region(start, Math.min(end, text.length()));
        return place(m.find() ? m.end() : start);
    }

    private int offset(Location at) {
        int line = Math.clamp(at.getLineNumber(), 1, lines.size());
        return Math.min(text.length(), lines.get(line - 1) + Math.max(0, at.getColumnNumber() - 1));
    }

    private Place place(@Nullable Location at) {
        return at == null ? Place.of(name) : place(offset(at));
    }

    private Place place(int offset) {
        int low = 0;
        int high = lines.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (lines.get(middle) <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Place(name, low + 1, offset - lines.get(low) + 1);
    }
}
