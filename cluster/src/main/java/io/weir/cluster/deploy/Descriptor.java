package io.weir.cluster.deploy;

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
 * The deployment descriptor {@code META-INF/weblogic-application.xml}, of which only the {@code singleton-service} elements
 * are read; whatever else an application for WebLogic declares is left alone. Seed 004. Immutable.
 *
 * @param services in the descriptor's order; at least one
 */
record Descriptor(List<Service> services) {
    /** Where it is in an archive. */
    static final String PATH = "META-INF/weblogic-application.xml";
    /** Services that one may declare. */
    static final int MAX_SERVICES = 100;

    private static final int MAX_TEXT = 255;

    /** One element. */
    record Service(String name, String className) {}

    Descriptor {
        services = List.copyOf(services);
    }

    /** Reads one. External entities and document types are refused. */
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
            throw new DeployFault(PATH + " has " + services.size() + " singleton-service elements; at most "
                    + MAX_SERVICES + " may be");
        }
        if (services.stream().map(Service::name).distinct().count() < services.size()) {
            throw new DeployFault(PATH + " declares the same name twice");
        }
        return new Descriptor(services);
    }

    private static Service service(Element e) throws DeployFault {
        String name = "";
        String className = "";
        for (Element child : children(e)) {
            switch (child.getLocalName()) {
                case "name" -> name = text(child);
                case "class-name" -> className = text(child);
                default ->
                    throw new DeployFault(
                            PATH + ": a singleton-service has a class-name and a name, not " + child.getLocalName());
            }
        }
        if (name.isEmpty() || className.isEmpty()) {
            throw new DeployFault(PATH + ": a singleton-service needs both a class-name and a name");
        }
        return new Service(name, className);
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

    /** What the parser would print to the console is an answer instead. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(@Nullable SAXParseException warning) {
            // does not keep it from being understood
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
