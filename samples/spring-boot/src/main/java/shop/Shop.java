package shop;

import jakarta.jms.ConnectionFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.connection.JmsTransactionManager;

/** The application. The starter of Weir connects it. Stateless. */
@SpringBootApplication
public class Shop {
    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    /** For methods that are transactional; what only sends and receives does not need it. */
    @Bean
    JmsTransactionManager transactions(ConnectionFactory connections) {
        return new JmsTransactionManager(connections);
    }
}
