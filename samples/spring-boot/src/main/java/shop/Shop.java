package shop;

import io.weir.jms.WeirConnectionFactory;
import jakarta.jms.ConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.connection.JmsTransactionManager;

/** The application, and what connects it to Weir: one bean with one URL. Stateless. */
@SpringBootApplication
public class Shop {
    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @Bean
    ConnectionFactory connections(@Value("${shop.broker}") String url) {
        return new WeirConnectionFactory(url);
    }

    /** For methods that are transactional; what only sends and receives does not need it. */
    @Bean
    JmsTransactionManager transactions(ConnectionFactory connections) {
        return new JmsTransactionManager(connections);
    }
}
