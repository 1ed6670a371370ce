package io.weir.jms.selector;

import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.Values;
import org.jspecify.annotations.Nullable;

/**
 * A message block for selectors, read in place: {@link #set} it and pass it to {@link Selector#matches(MessageRow)} of
 * any number of selectors. Reusable; confined to one thread at a time.
 */
public final class MessageRow extends Row {
    private static final String PERSISTENT = "PERSISTENT";
    private static final String NON_PERSISTENT = "NON_PERSISTENT";
    /** The text loaded is {@link #text}, or the message id, or at the index. */
    private static final int TEXT = -1;

    private static final int MESSAGE_ID = -2;

    private @Nullable MessageView view;
    private int deliveryCount;
    private int at = TEXT;
    private String text = "";

    /**
     * Sets the message.
     *
     * @param deliveryCount JMSXDeliveryCount of the delivery that would follow
     */
    public MessageRow set(MessageView view, int deliveryCount) {
        this.view = view;
        this.deliveryCount = deliveryCount;
        return this;
    }

    private MessageView view() {
        MessageView v = view;
        if (v == null) {
            throw new IllegalStateException("set a message first");
        }
        return v;
    }

    @Override
    long load(Identifier identifier) {
        MessageView v = view();
        return switch (identifier.source) {
            case PROPERTY -> property(v, identifier.find(v));
            case DELIVERY_MODE -> constant(v.persistent() ? PERSISTENT : NON_PERSISTENT);
            case PRIORITY -> exact(v.priority());
            case MESSAGE_ID -> v.hasId() ? textAt(MESSAGE_ID) : nothing();
            case TIMESTAMP -> exact(v.timestamp());
            case CORRELATION -> v.correlationAt() < 0 ? nothing() : textAt(v.correlationAt());
            case TYPE -> v.typeAt() < 0 ? nothing() : textAt(v.typeAt());
            case DELIVERY_COUNT -> exact(deliveryCount);
        };
    }

    private long property(MessageView v, int value) {
        if (value < 0) {
            return nothing();
        }
        return switch (v.valueType(value)) {
            case Values.BOOLEAN -> bool(v.integer(value) != 0);
            case Values.BYTE, Values.SHORT, Values.INT, Values.LONG -> exact(v.integer(value));
            case Values.FLOAT, Values.DOUBLE -> approximate(v.real(value));
            case Values.STRING -> textAt(value + 1);
            default -> nothing();
        };
    }

    private long textAt(int index) {
        at = index;
        kind = STRING;
        return 0;
    }

    private long constant(String value) {
        text = value;
        return textAt(TEXT);
    }

    @Override
    void load(Literal literal) {
        constant(literal.text);
    }

    @Override
    String text() {
        return switch (at) {
            case TEXT -> text;
            case MESSAGE_ID -> String.valueOf(view().messageId());
            default -> view().textAt(at);
        };
    }

    @Override
    boolean textIs(Literal literal) {
        return switch (at) {
            case TEXT -> text.equals(literal.text);
            case MESSAGE_ID ->
                literal.messageId
                        && view().idConnection() == literal.idConnection
                        && view().idSequence() == literal.idSequence;
            default -> view().textEquals(at, literal.utf8);
        };
    }
}
