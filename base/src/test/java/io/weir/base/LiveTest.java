package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveTest {
    private record Whole(String routes, String servers) {}

    private final Live<Whole> whole = new Live<>(new Whole("r1", "s1"));
    private final List<String> seen = new ArrayList<>();

    @Test
    void observerSeesNoOtherPartAsItWas() {
        Live<String> routes = whole.part(Whole::routes);
        Live<String> servers = whole.part(Whole::servers);
        routes.observe(r -> seen.add(r + " " + servers.get()));
        servers.observe(s -> seen.add(routes.get() + " " + s));
        whole.set(new Whole("r2", "s2"));
        assertThat(seen).containsExactly("r1 s1", "r1 s1", "r2 s2", "r2 s2");
    }

    @Test
    void observersOfPartsThatStayAreNotTold() {
        whole.part(Whole::routes).part(String::length).observe(n -> seen.add("length " + n));
        whole.part(Whole::servers).observe(seen::add);
        whole.set(new Whole("r2", "s1"));
        whole.set(new Whole("long", "s1"));
        assertThat(seen).containsExactly("length 2", "s1", "length 4");
    }

    @Test
    void observerThatFailsKeepsNothingFromTheOthers() {
        whole.part(Whole::routes).observe(r -> {
            if (r.equals("r2")) {
                throw new IllegalStateException("first");
            }
        });
        whole.part(Whole::servers).observe(seen::add);
        assertThatThrownBy(() -> whole.set(new Whole("r2", "s2"))).hasMessage("first");
        assertThat(seen).containsExactly("s1", "s2");
    }
}
