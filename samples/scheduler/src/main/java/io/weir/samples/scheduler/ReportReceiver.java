package io.weir.samples.scheduler;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.util.concurrent.CountDownLatch;

/** The program that waits for the timer's messages: {@code ReportReceiver weir://host:port,host:port QUEUE}. */
public final class ReportReceiver {
    private ReportReceiver() {}

    /**
     * Prints a line for each report, until it is ended.
     *
     * @param args the servers' address, and the queue
     */
    public static void main(String[] args) throws InterruptedException {
        WeirConnectionFactory factory = new WeirConnectionFactory(args[0]);
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(args[1]))) {
            consumer.setMessageListener(new Reports(System.out::println));
            new CountDownLatch(1).await();
        }
    }
}
