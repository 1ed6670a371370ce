package io.weir.broker;

import io.weir.broker.Handings.Fate;
import io.weir.broker.Handings.Handing;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirSession;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An application that consumes from queue q in one of the ways there are, and keeps books of it. Used by its test's thread,
 * or by its listener.
 */
final class Taker implements AutoCloseable {
    /** How it takes messages. */
    enum Style {
        RECEIVE,
        PREFETCH,
        LISTENER
    }

    /** After so many messages it acknowledges or commits. */
    private static final int WORK = 2;

    private final Handings books;
    private final int mode;
    private final Style style;
    private final Connection connection;
    private final Session session;
    private final MessageConsumer consumer;
    private final List<Handing> open = new ArrayList<>();
    private BooleanSupplier takesBack = () -> false;
    private @Nullable Message last;

    Taker(String url, int mode, Style style, Handings books, String... options) throws JMSException {
        this.books = books;
        this.mode = mode;
        this.style = style;
        List<String> all = new ArrayList<>(List.of("reconnect-policy=all", "messages-maximum=3"));
        all.add("synchronous-prefetch-mode=" + (style == Style.PREFETCH ? "enabled" : "disabled"));
        all.addAll(List.of(options));
        connection = new WeirConnectionFactory(url + "?" + String.join("&", all)).createConnection();
        session = connection.createSession(mode);
        consumer = session.createConsumer(session.createQueue("q"));
        if (style == Style.LISTENER) {
            consumer.setMessageListener(this::took);
        }
    }

    void start() throws JMSException {
        connection.start();
    }

    /** Says, each time that work is to be settled, whether it is taken back instead. */
    void takesBack(BooleanSupplier decision) {
        takesBack = decision;
    }

    /** Takes a message if it does so itself and there is one within a moment. */
    void receive(long millis) {
        if (style == Style.LISTENER) {
            return;
        }
        try {
            Message m = consumer.receive(millis);
            if (m == null) {
                settle();
            } else {
                took(m);
            }
        } catch (JMSException e) {
            // the connection is lost, and did not come back in time: the next one finds it
            last = null;
        }
    }

    private void took(Message m) {
        try {
            open.add(books.handed(((TextMessage) m).getText(), m.getJMSRedelivered()));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
        last = m;
        if (automatic()) {
            // what says that it was consumed may be lost
            end(Fate.UNKNOWN);
        } else if (open.size() >= WORK || style == Style.LISTENER) {
            settle();
        }
    }

    private boolean automatic() {
        return mode == Session.AUTO_ACKNOWLEDGE
                || mode == Session.DUPS_OK_ACKNOWLEDGE
                || mode == WeirSession.NO_ACKNOWLEDGE;
    }

    private void settle() {
        Message m = last;
        if (automatic() || open.isEmpty() || m == null) {
            return;
        }
        try {
            if (takesBack.getAsBoolean()) {
                takeBack();
                end(Fate.TAKEN_BACK);
            } else {
                finish(m);
                end(Fate.SETTLED);
            }
        } catch (TransactionRolledBackException e) {
            end(Fate.TAKEN_BACK);
        } catch (JMSException e) {
            end(Fate.UNKNOWN);
            anew();
        }
    }

    /** What was not acknowledged, and now can not be, is to come again. */
    private void anew() {
        try {
            if (mode == Session.CLIENT_ACKNOWLEDGE) {
                session.recover();
            }
        } catch (JMSException e) {
            // lost again: then it does by itself
            last = null;
        }
    }

    private void takeBack() throws JMSException {
        if (mode == Session.SESSION_TRANSACTED) {
            session.rollback();
        } else {
            session.recover();
        }
    }

    private void finish(Message m) throws JMSException {
        if (mode == Session.SESSION_TRANSACTED) {
            session.commit();
        } else {
            m.acknowledge();
        }
    }

    private void end(Fate fate) {
        books.ended(open, fate);
        open.clear();
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
