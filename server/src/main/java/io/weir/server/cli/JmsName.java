package io.weir.server.cli;

import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A destination in the shell's notation: {@code queue/NAME} or {@code topic/NAME}. Immutable. */
record JmsName(boolean topic, String name) {
    /** Before the command line is read. */
    static final JmsName NONE = new JmsName(false, "");

    static JmsName parse(String text) {
        int slash = text.indexOf('/');
        String kind = slash < 0 ? "" : text.substring(0, slash);
        String name = text.substring(slash + 1);
        if (name.isEmpty() || !(kind.equals("queue") || kind.equals("topic"))) {
            throw new TypeConversionException(text + " names no destination: write queue/NAME or topic/NAME");
        }
        return new JmsName(kind.equals("topic"), name);
    }

    Destination of(JMSContext context) {
        return topic ? context.createTopic(name) : context.createQueue(name);
    }

    @Override
    public String toString() {
        return (topic ? "topic/" : "queue/") + name;
    }

    /** For the command line. */
    static final class Converter implements ITypeConverter<JmsName> {
        @Override
        public JmsName convert(String text) {
            return parse(text);
        }
    }
}
