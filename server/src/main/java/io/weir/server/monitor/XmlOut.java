package io.weir.server.monitor;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes elements, a line each, and attributes of all kinds. Confined to one report. */
final class XmlOut {
    private final XMLStreamWriter out;

    XmlOut(XMLStreamWriter out) {
        this.out = out;
    }

    void attribute(String name, boolean flag) throws XMLStreamException {
        attribute(name, flag ? 1 : 0);
    }

    void attribute(String name, long value) throws XMLStreamException {
        out.writeAttribute(name, Long.toString(value));
    }

    void attribute(String name, String value) throws XMLStreamException {
        out.writeAttribute(name, XmlText.legal(value));
    }

    void start(String element) throws XMLStreamException {
        line();
        out.writeStartElement(element);
    }

    void empty(String element) throws XMLStreamException {
        line();
        out.writeEmptyElement(element);
    }

    void end() throws XMLStreamException {
        line();
        out.writeEndElement();
    }

    void line() throws XMLStreamException {
        out.writeCharacters("\n");
    }
}
