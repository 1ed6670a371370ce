package io.weir.server.cli;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TextMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir jms send}: sends text messages, given as an argument or a line of the input each. Lives for one call. */
@Command(
        name = "send",
        description = "Sends a text message, or each line of the input.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir jms send queue/demo \"hello\" --property colour=red")
final class JmsSendCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JmsOptions options = new JmsOptions();

    @Parameters(
            index = "0",
            paramLabel = "DESTINATION",
            converter = JmsName.Converter.class,
            description = "queue/NAME or topic/NAME")
    private JmsName destination = JmsName.NONE;

    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "without it, each line of the input")
    private @Nullable String text;

    @Option(names = "--count", paramLabel = "N", defaultValue = "1", description = "number of times to send the text")
    private int count;

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "a property of each message, text; NAME:=VALUE for a number, true or false; may be repeated")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--priority", paramLabel = "0-9", defaultValue = "4", description = "default: ${DEFAULT-VALUE}")
    private int priority;

    @Option(names = "--ttl", paramLabel = "MS", defaultValue = "0", description = "milliseconds until it expires")
    private long ttl;

    @Option(
            names = "--delay",
            paramLabel = "MS",
            defaultValue = "0",
            description = "milliseconds until it is delivered")
    private long delay;

    @Option(names = "--type", paramLabel = "TEXT", description = "JMSType")
    private @Nullable String type;

    @Option(names = "--correlation-id", paramLabel = "TEXT", description = "JMSCorrelationID")
    private @Nullable String correlation;

    @Option(names = "--non-persistent", description = "need not survive a restart")
    private boolean nonPersistent;

    @Override
    public Integer call() throws Exception {
        checkNumbers();
        try (JMSContext context = options.open(JMSContext.AUTO_ACKNOWLEDGE)) {
            Destination to = destination.of(context);
            JMSProducer producer = producer(context);
            if (text != null) {
                for (int i = 0; i < count; i++) {
                    send(context, producer, to, text);
                }
            } else {
                sendLines(context, producer, to);
            }
            return 0;
        } catch (JMSRuntimeException e) {
            throw new CliFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private void checkNumbers() {
        String wrong = null;
        if (count < 0) {
            wrong = "--count is a number of messages, not " + count;
        } else if (priority < 0 || priority > 9) {
            wrong = "--priority is from 0 to 9, not " + priority;
        } else if (ttl < 0 || delay < 0) {
            wrong = "--ttl and --delay are milliseconds, not " + Math.min(ttl, delay);
        }
        if (properties.keySet().stream().anyMatch(name -> name.isEmpty() || name.equals(":"))) {
            wrong = "--property needs a name before the =, such as --property colour=red";
        }
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
    }

    private JMSProducer producer(JMSContext context) {
        JMSProducer producer = context.createProducer()
                .setPriority(priority)
                .setTimeToLive(ttl)
                .setDeliveryDelay(delay)
                .setDeliveryMode(nonPersistent ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT);
        if (type != null) {
            producer.setJMSType(type);
        }
        if (correlation != null) {
            producer.setJMSCorrelationID(correlation);
        }
        properties.forEach((name, value) -> property(producer, name, value));
        return producer;
    }

    /**
     * {@code k=1} is a text, {@code k:=1} a number: the parser leaves the colon in the name, where it cannot occur
     * otherwise.
     */
    private void property(JMSProducer producer, String name, String value) {
        if (name.endsWith(":")) {
            producer.setProperty(name.substring(0, name.length() - 1), typed(name, value));
        } else {
            producer.setProperty(name, value);
        }
    }

    private Object typed(String name, String value) {
        if (value.equals("true") || value.equals("false")) {
            return Boolean.valueOf(value);
        }
        try {
            if (value.matches("[+-]?[0-9]+")) {
                return Long.valueOf(value);
            }
            return Double.valueOf(value);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--property " + name + "=" + value + " is neither a number nor true or false",
                    e);
        }
    }

    private void sendLines(JMSContext context, JMSProducer producer, Destination to) throws IOException, JMSException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            send(context, producer, to, line);
        }
    }

    private void send(JMSContext context, JMSProducer producer, Destination to, String body) throws JMSException {
        TextMessage message = context.createTextMessage(body);
        producer.send(to, message);
        spec.commandLine().getOut().println(message.getJMSMessageID());
        spec.commandLine().getOut().flush();
    }
}
