package io.weir.server.cli;

import io.weir.server.cli.text.PrintableOutput;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir jms receive}: consumes messages and prints their bodies. A message is acknowledged after it was printed.
 * Exit code 1 if fewer arrived than requested. Lives for one call.
 */
@Command(
        name = "receive",
        description = "Consumes messages and prints them.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir jms receive queue/demo --selector \"colour = 'red'\" --headers")
final class JmsReceiveCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JmsOptions options = new JmsOptions();

    @Parameters(
            paramLabel = "DESTINATION",
            converter = JmsName.Converter.class,
            description = "queue/NAME or topic/NAME")
    private JmsName destination = JmsName.NONE;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "how many, 0 for all that come (default: ${DEFAULT-VALUE})")
    private int count;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "how long to wait for each, 0 for ever (default: ${DEFAULT-VALUE})")
    private long timeout;

    @Option(names = "--selector", paramLabel = "TEXT", description = "only messages that the selector matches")
    private @Nullable String selector;

    @Option(names = "--durable", paramLabel = "NAME", description = "topics: a durable subscription with this name")
    private @Nullable String durable;

    @Option(names = "--client-id", paramLabel = "NAME", description = "the client identifier, for --durable")
    private @Nullable String clientId;

    @Option(names = "--headers", description = "prints header and properties, too")
    private boolean headers;

    @Override
    public Integer call() throws Exception {
        if (durable != null && !destination.topic()) {
            throw usage("--durable is for topics: " + destination + " is a queue");
        }
        if (durable != null && clientId == null) {
            throw usage("--durable needs --client-id: a durable subscription is of one client identifier");
        }
        if (count < 0 || timeout < 0) {
            throw usage(
                    count < 0
                            ? "--count is a number of messages, not " + count
                            : "--timeout is a number of seconds, not " + timeout);
        }
        try (JMSContext context = options.open(JMSContext.CLIENT_ACKNOWLEDGE)) {
            if (clientId != null) {
                context.setClientID(clientId);
            }
            Destination from = destination.of(context);
            JMSConsumer consumer = consumer(context, from);
            int received = 0;
            while (count == 0 || received < count) {
                Message m = timeout == 0 ? consumer.receive() : consumer.receive(timeout * 1000);
                if (m == null) {
                    break;
                }
                PrintableOutput.printContent(spec, JmsText.of(m, headers));
                context.acknowledge();
                received++;
            }
            if (received < count) {
                spec.commandLine().getErr().println("weir: no message came within " + timeout + " s");
                return 1;
            }
            return 0;
        } catch (JMSRuntimeException e) {
            throw new CliFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private JMSConsumer consumer(JMSContext context, Destination from) {
        return durable != null && from instanceof Topic topic
                ? context.createDurableConsumer(topic, durable, selector, false)
                : context.createConsumer(from, selector);
    }

    private ParameterException usage(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
