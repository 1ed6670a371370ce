package io.weir.server.monitor.text;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes elements, a line each, and attributes of all kinds. Confined to one report. */
public final class XmlOut {
    private final XMLStreamWriter out;

    public XmlOut(XMLStreamWriter out) {
        this.out = out;
    }

    public void attribute(String name, boolean flag) throws XMLStreamException {
        attribute(name, flag ? 1 : 0);
    }

    public void attribute(String name, long value) throws XMLStreamException {
        out.writeAttribute(name, Long.toString(value));
    }

    public void attribute(String name, String value) throws XMLStreamException {
        out.writeAttribute(name, XmlText.attribute(value));
    }

    public void start(String element) throws XMLStreamException {
        line();
        out.writeStartElement(element);
    }

    public void empty(String element) throws XMLStreamException {
        line();
        out.writeEmptyElement(element);
    }

    public void end() throws XMLStreamException {
        line();
        out.writeEndElement();
    }

    public void line() throws XMLStreamException {
        out.writeCharacters("\n");
    }
}
