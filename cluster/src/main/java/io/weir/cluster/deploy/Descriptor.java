package io.weir.cluster.deploy;

import io.weir.cluster.state.singletons.SingletonSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * The deployment descriptor {@code META-INF/weblogic-application.xml}, of which only the {@code singleton-service}
 * elements are read; other elements of a WebLogic application are ignored. Seed 004. Immutable.
 *
 * @param services in the descriptor's order; at least one
 */
record Descriptor(List<Service> services) {
    /** Path in the archive. */
    static final String PATH = "META-INF/weblogic-application.xml";
    /** Maximum number of services. */
    static final int MAX_SERVICES = 100;

    private static final int MAX_TEXT = 255;

    /** Maximum of {@code singletons.*.additional-migration-attempts}. */
    private static final int MAX_ATTEMPTS = 10_000;
    /** Maximum of {@code singletons.*.sleep-between-attempts}: a day. */
    private static final int MAX_PAUSE_MILLIS = 86_400_000;

    /**
     * A {@code singleton-service} element.
     *
     * @param additionalAttempts further rounds over all candidates
     * @param pauseMillis pause between two rounds
     */
    record Service(String name, String className, int additionalAttempts, long pauseMillis) {
        Service(String name, String className) {
            this(name, className, SingletonSpec.ATTEMPTS, SingletonSpec.PAUSE_MILLIS);
        }
    }

    Descriptor {
        services = List.copyOf(services);
    }

    /** Parses a descriptor. External entities and document types are refused. */
    static Descriptor read(byte[] xml) throws DeployFault {
        List<Service> services = new ArrayList<>();
        for (Element e : children(parse(xml))) {
            if (e.getLocalName().equals("singleton-service")) {
                services.add(service(e));
            }
        }
        if (services.isEmpty()) {
            throw new DeployFault(PATH + " has no singleton-service element");
        }
        if (services.size() > MAX_SERVICES) {
            throw new DeployFault(
                    PATH + " has " + services.size() + " singleton-service elements; the maximum is " + MAX_SERVICES);
        }
        if (services.stream().map(Service::name).distinct().count() < services.size()) {
            throw new DeployFault(PATH + " declares the same name twice");
        }
        return new Descriptor(services);
    }

    private static Service service(Element e) throws DeployFault {
        String name = "";
        String className = "";
        int attempts = SingletonSpec.ATTEMPTS;
        long pause = SingletonSpec.PAUSE_MILLIS;
        for (Element child : children(e)) {
            switch (child.getLocalName()) {
                case "name" -> name = text(child);
                case "class-name" -> className = text(child);
                case "additional-migration-attempts" -> attempts = number(child, 0, MAX_ATTEMPTS);
                case "millis-to-sleep-between-attempts" -> pause = number(child, 0, MAX_PAUSE_MILLIS);
                default ->
                    throw new DeployFault(PATH + ": a singleton-service has class-name, name,"
                            + " additional-migration-attempts and millis-to-sleep-between-attempts, not "
                            + child.getLocalName());
            }
        }
        if (name.isEmpty() || className.isEmpty()) {
            throw new DeployFault(PATH + ": a singleton-service needs both a class-name and a name");
        }
        return new Service(name, className, attempts, pause);
    }

    private static int number(Element e, int min, int max) throws DeployFault {
        String text = text(e);
        try {
            int n = Integer.parseInt(text);
            if (n >= min && n <= max) {
                return n;
            }
        } catch (NumberFormatException wrong) {
            throw new DeployFault(range(e, text, min, max), wrong);
        }
        throw new DeployFault(range(e, text, min, max));
    }

    private static String range(Element e, String text, int min, int max) {
        return PATH + ": " + e.getLocalName() + " must be an integer from " + min + " to " + max + ", not \"" + text
                + "\"";
    }

    private static String text(Element e) throws DeployFault {
        String text = e.getTextContent().strip();
        if (text.length() > MAX_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new DeployFault(PATH + ": " + e.getLocalName() + " is longer than " + MAX_TEXT
                    + " characters, or has a control character");
        }
        return text;
    }

    private static List<Element> children(Element of) {
        List<Element> elements = new ArrayList<>();
        for (Node n = of.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element e) {
                elements.add(e);
            }
        }
        return elements;
    }

    private static Element parse(byte[] xml) throws DeployFault {
        try {
            DocumentBuilder builder = factory().newDocumentBuilder();
            builder.setErrorHandler(new Strict());
            Element root = builder.parse(new ByteArrayInputStream(xml)).getDocumentElement();
            if (!root.getLocalName().equals("weblogic-application")) {
                throw new DeployFault(PATH + " begins with " + root.getLocalName() + ", not weblogic-application");
            }
            return root;
        } catch (SAXParseException e) {
            throw new DeployFault(PATH + ", line " + e.getLineNumber() + ": " + e.getMessage(), e);
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new DeployFault(PATH + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static DocumentBuilderFactory factory() throws ParserConfigurationException {
        DocumentBuilderFactory f = DocumentBuilderFactory.newDefaultNSInstance();
        f.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        f.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        f.setFeature("http://xml.org/sax/features/external-general-entities", false);
        f.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        f.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        f.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
        f.setXIncludeAware(false);
        f.setExpandEntityReferences(false);
        return f;
    }

    /** Reports errors as exceptions; the parser's default prints them to the console. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(@Nullable SAXParseException warning) {
            // does not prevent parsing
        }

        @Override
        public void error(SAXParseException error) throws SAXException {
            throw error;
        }

        @Override
        public void fatalError(SAXParseException error) throws SAXException {
            throw error;
        }
    }
}
