package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that notes the texts of what it got. Thread-safe. */
final class Arrivals implements MessageListener {
    private final List<String> texts = new CopyOnWriteArrayList<>();

    @Override
    public void onMessage(Message message) {
        try {
            add(message.getBody(String.class));
        } catch (JMSException e) {
            texts.add(e.toString());
        }
    }

    void add(String text) {
        texts.add(text);
    }

    List<String> texts() {
        return List.copyOf(texts);
    }

    /** Waits until so many are there. */
    void await(int count) {
        Await.until(count + " messages", () -> texts.size() >= count);
    }

    /** Waits for prefix0, prefix1, ... each once, in any order. */
    void awaitOnce(String prefix, int count) {
        await(count);
        assertThat(texts).containsExactlyInAnyOrderElementsOf(numbered(prefix, count));
    }

    /** Waits for prefix0, prefix1, ... and whatever else. */
    void awaitAtLeastOnce(String prefix, int count) {
        List<String> all = numbered(prefix, count);
        Await.until(count + " of " + prefix, () -> Set.copyOf(texts).containsAll(all));
    }

    static List<String> numbered(String prefix, int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(prefix + i);
        }
        return all;
    }
}
