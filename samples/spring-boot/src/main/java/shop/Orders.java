package shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sends orders, and keeps those that its listener received. Shared by the application's threads. */
@Service
public class Orders {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final JmsTemplate template;

    Orders(JmsTemplate template) {
        this.template = template;
    }

    /** An order of nothing fails after it was sent: its transaction is rolled back, and nobody receives it. */
    @Transactional
    public String order(String what) {
        template.convertAndSend("demo", "order of " + what);
        if (what.equals("nothing")) {
            throw new IllegalArgumentException("an order of nothing");
        }
        return "ordered " + what + "\n";
    }

    @JmsListener(destination = "demo")
    public void receive(String order) {
        received.add(order);
    }

    public List<String> received() {
        return received;
    }
}
