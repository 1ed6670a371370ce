package io.weir.samples.scheduler;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Does what a timer's message asks for, once for each occasion. A timer fires at least once: when the server that fired died
 * before it knew that its message was taken, the next one sends it again. Which timer and which scheduled time a message
 * stands for are its properties, so that a repetition is recognised. Called by one session's thread.
 */
final class Reports implements MessageListener {
    /** Occasions remembered: more than can be repeated. A report that matters keeps this beside its result, in one commit. */
    private static final int REMEMBERED = 1000;

    private final Set<String> occasions = new LinkedHashSet<>();
    private final Consumer<String> report;

    Reports(Consumer<String> report) {
        this.report = report;
    }

    @Override
    public void onMessage(Message message) {
        try {
            String timer = message.getStringProperty("weirTimer");
            long scheduled = message.getLongProperty("weirScheduled");
            String fence = message.getStringProperty("weirFence");
            if (!occasions.add(timer + "@" + scheduled)) {
                report.accept("again, and left out: " + timer + " of " + Instant.ofEpochMilli(scheduled));
                return;
            }
            if (occasions.size() > REMEMBERED) {
                occasions.remove(occasions.iterator().next());
            }
            String what = message instanceof TextMessage text ? text.getText() : "";
            report.accept(what + " (" + timer + " of " + Instant.ofEpochMilli(scheduled) + ", fence " + fence + ")");
        } catch (JMSException e) {
            throw new IllegalStateException("a message of no timer", e);
        }
    }
}
