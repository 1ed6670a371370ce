package io.weir.lab.messaging;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.NamingException;
import org.objectweb.jtests.jms.admin.Admin;

/**
 * What the tests of joram administer with: they make one for each test, all of them share one server with what they look
 * up configured; a queue is emptied instead of deleted. Made by {@code provider.properties}.
 */
public final class JoramAdmin implements Admin {
    /** The server of all tests, started by the first. */
    private static final class Shared {
        private static final Path HOME = home();
        static final MessagingServer SERVER = MessagingServer.start(
                HOME,
                "messaging.connection-factories.testCF.jndi-name=testCF",
                "messaging.connection-factories.testQCF.jndi-name=testQCF",
                "messaging.connection-factories.testTCF.jndi-name=testTCF",
                "messaging.queues.testDestination.jndi-name=testDestination",
                "messaging.queues.anotherQueue.jndi-name=anotherQueue",
                "messaging.queues.testJoramQueue.jndi-name=testJoramQueue",
                "messaging.topics.testJoramTopic.jndi-name=testJoramTopic");

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(Shared::end));
        }

        private static Path home() {
            try {
                return Files.createTempDirectory("weir-joram");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void end() {
            SERVER.close();
            try (Stream<Path> files = Files.walk(HOME)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public String getName() {
        return "weir";
    }

    @Override
    public void startServer() {
        Shared.SERVER.url();
    }

    @Override
    public void stopServer() {
        // the virtual machine's end stops it
    }

    @Override
    public void start() {
        // nothing of this object's own
    }

    @Override
    public void stop() {
        // nothing of this object's own
    }

    @Override
    public Context createContext() throws NamingException {
        return Shared.SERVER.naming("deserialization-allow-list=java.util.Vector,java.lang.*");
    }

    @Override
    public void createConnectionFactory(String name) {
        // configured
    }

    @Override
    public void createQueueConnectionFactory(String name) {
        // configured
    }

    @Override
    public void createTopicConnectionFactory(String name) {
        // configured
    }

    @Override
    public void createQueue(String name) {
        // configured
    }

    @Override
    public void createTopic(String name) {
        // configured
    }

    /** Takes what the test left there. */
    @Override
    public void deleteQueue(String name) {
        try (JMSContext context = Shared.SERVER.factory().createContext();
                JMSConsumer left = context.createConsumer(context.createQueue(name))) {
            while (left.receiveNoWait() != null) {
                // the next
            }
        }
    }

    @Override
    public void deleteTopic(String name) {
        // without subscriptions it holds nothing
    }

    @Override
    public void deleteConnectionFactory(String name) {
        // configured
    }

    @Override
    public void deleteQueueConnectionFactory(String name) {
        // configured
    }

    @Override
    public void deleteTopicConnectionFactory(String name) {
        // configured
    }
}
