package io.weir.broker.queue;

import io.weir.jms.frames.MessageView;

/** Text of a message's header for logs and the command line. Stateless. */
final class MessageText {
    private MessageText() {}

    static String header(Message m) {
        MessageView v = new MessageView().wrap(m.block());
        StringBuilder b = new StringBuilder();
        b.append("JMSTimestamp=").append(v.timestamp());
        b.append(" JMSExpiration=").append(v.expiration());
        b.append(" JMSPriority=").append(v.priority());
        b.append(" JMSDeliveryMode=").append(v.persistent() ? "PERSISTENT" : "NON_PERSISTENT");
        if (v.type() != null) {
            b.append(" JMSType=").append(v.type());
        }
        if (v.correlation() != null) {
            b.append(" JMSCorrelationID=").append(v.correlation());
        }
        return b.append(" bytes=").append(m.size()).toString();
    }
}
