package io.weir.server.cli;

import io.weir.server.cli.text.PrintableOutput;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir jms browse}: prints the messages of a queue and leaves them there. Lives for one call. */
@Command(
        name = "browse",
        description = "Prints the messages of a queue and leaves them there.",
        sortOptions = false,
        footerHeading = WeirCommand.EXAMPLE,
        footer = "  ./weir jms browse queue/demo")
final class JmsBrowseCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JmsOptions options = new JmsOptions();

    @Parameters(paramLabel = "QUEUE", converter = JmsName.Converter.class, description = "queue/NAME")
    private JmsName destination = JmsName.NONE;

    @Option(names = "--selector", paramLabel = "TEXT", description = "only messages that the selector matches")
    private @Nullable String selector;

    @Option(names = "--max", paramLabel = "N", defaultValue = "100", description = "default: ${DEFAULT-VALUE}")
    private int max;

    @Option(names = "--headers", description = "prints header and properties, too")
    private boolean headers;

    @Override
    public Integer call() throws Exception {
        if (destination.topic()) {
            throw new ParameterException(spec.commandLine(), "only queues are browsed: " + destination + " is a topic");
        }
        if (max < 0) {
            throw new ParameterException(spec.commandLine(), "--max is a number of messages, not " + max);
        }
        try (JMSContext context = options.open(JMSContext.AUTO_ACKNOWLEDGE)) {
            Queue queue = context.createQueue(destination.name());
            try (QueueBrowser browser = context.createBrowser(queue, selector)) {
                Enumeration<?> messages = browser.getEnumeration();
                for (int i = 0; i < max && messages.hasMoreElements(); i++) {
                    PrintableOutput.printContent(spec, JmsText.of((Message) messages.nextElement(), headers));
                }
            }
            spec.commandLine().getOut().flush();
            return 0;
        } catch (JMSRuntimeException e) {
            throw new CliFailure(String.valueOf(e.getMessage()), e);
        }
    }
}
