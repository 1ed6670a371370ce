package io.weir.jms.client.consumer;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.SessionLink;
import io.weir.jms.client.link.Call;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.ClientFrames.Browse;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.message.WeirDestination;
import io.weir.jms.message.WeirMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Browses a queue's messages without consuming them, a page at a time; concurrent changes may or may not be seen. Used
 * by its session's thread. Lives until it or its session is closed.
 */
public final class ClientBrowser implements QueueBrowser {
    private static final int PAGE = 100;

    private final SessionLink session;
    private final int windowBytes;
    private final Queue queue;
    private final WeirDestination from;
    private final @Nullable String selector;
    private boolean closed;

    private ClientBrowser(
            SessionLink session, int windowBytes, Queue queue, WeirDestination from, @Nullable String selector) {
        this.session = session;
        this.windowBytes = windowBytes;
        this.queue = queue;
        this.from = from;
        this.selector = selector;
    }

    /**
     * Creates a browser after the broker has accepted queue and selector.
     *
     * @param windowBytes maximum bytes of messages in a page
     */
    public static ClientBrowser open(
            SessionLink session, int windowBytes, Queue queue, WeirDestination from, @Nullable String selector)
            throws JMSException {
        ClientBrowser browser = new ClientBrowser(session, windowBytes, queue, from, selector);
        browser.page(0, 0);
        return browser;
    }

    private void checkOpen() throws JMSException {
        session.checkOpen();
        if (closed) {
            throw Refusals.closed("the browser");
        }
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector;
    }

    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        return new Pages(page(0, PAGE));
    }

    @Override
    public void close() {
        closed = true;
    }

    private Page page(long cursor, int most) throws JMSException {
        Attachment where = session.link();
        Page page = new Page(where);
        where.call(
                page,
                FrameType.BROWSE,
                (out, request) -> new Browse(request, from.wireName(), selector, cursor, most, windowBytes).write(out));
        return page;
    }

    /** The answer to one BROWSE. */
    private final class Page extends Call {
        private final Attachment attachment;
        private final MessageView view = new MessageView();
        private final List<WeirMessage> found = new ArrayList<>();
        private long next;

        Page(Attachment attachment) {
            this.attachment = attachment;
        }

        @Override
        public void browsed(DeliverFrame head, ByteBuf block) {
            WeirMessage m = WeirMessage.received(
                    view.wrap(block), from, head.redelivered(), head.deliveryCount(), 0, attachment);
            if (m.getJMSDeliveryTime() == 0) {
                m.setJMSDeliveryTime(m.getJMSTimestamp());
            }
            found.add(m);
        }

        @Override
        public void done(int count, long cursor) {
            next = cursor;
            finish();
        }
    }

    /** Iterates over the pages, requesting the next when one is used up. */
    @SuppressWarnings("JdkObsolete") // the interface requires an Enumeration
    private final class Pages implements Enumeration<Message> {
        private final ArrayDeque<WeirMessage> here;
        private long next;

        Pages(Page first) {
            here = new ArrayDeque<>(first.found);
            next = first.next;
        }

        @Override
        public boolean hasMoreElements() {
            while (here.isEmpty() && next != 0 && !closed) {
                Page page = Runtimes.get(() -> page(next, PAGE));
                here.addAll(page.found);
                next = page.next;
            }
            return !here.isEmpty();
        }

        @Override
        public Message nextElement() {
            if (!hasMoreElements()) {
                throw new NoSuchElementException("the browser is at the end of " + from);
            }
            return here.remove();
        }
    }
}
