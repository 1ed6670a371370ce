package shop;

import io.netty.util.Version;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Orders over HTTP. Stateless. */
@RestController
public class Pages {
    private final Orders orders;

    Pages(Orders orders) {
        this.orders = orders;
    }

    /** A send waits for the broker: not on the web server's event loop. */
    @PostMapping("/orders")
    Mono<String> order(@RequestParam("of") String of) {
        return Mono.fromCallable(() -> orders.order(of)).subscribeOn(Schedulers.boundedElastic());
    }

    @GetMapping("/orders")
    List<String> received() {
        return orders.received();
    }

    /** What this application runs on: Spring Boot's Netty, whatever the client of Weir has inside. */
    @GetMapping("/about")
    String about() {
        return "java " + Runtime.version().feature() + ", netty "
                + Version.identify().get("netty-common").artifactVersion() + "\n";
    }
}
