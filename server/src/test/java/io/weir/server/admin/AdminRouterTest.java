package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdminRouterTest {
    private final List<String> done = new ArrayList<>();
    private final AdminRouter router = new AdminRouter()
            .change(
                    "POST",
                    "/delete",
                    r -> {
                        done.add(r.query() + (r.isTrue("check") ? " checked" : ""));
                        return AdminAnswer.text("done");
                    },
                    "from",
                    "selector",
                    "check?")
            .change("POST", "/reopen", _ -> AdminAnswer.text("reopened"));

    private AdminAnswer ask(String path, Map<String, String> query) throws Exception {
        return Routed.ask(router, "POST", path, query, "joe");
    }

    @Test
    void aChangeRefusesWhatItDoesNotKnow() throws Exception {
        AdminAnswer answer = ask("/delete", Map.of("selektor", "n=1"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .contains("'selektor'", "POST /delete does not know", "from, selector, check", "Nothing was changed");
        assertThat(ask("/reopen", Map.of("log", "a")).body()).contains("it knows none");
        assertThat(done).isEmpty();
        assertThat(ask("/delete", Map.of("selector", "n=1")).status()).isEqualTo(200);
        assertThat(done).containsExactly("{selector=n=1}");
    }

    @Test
    void whatIsTrueOrFalseIsNothingElse() throws Exception {
        assertThat(ask("/delete", Map.of("check", "yes")).status()).isEqualTo(400);
        assertThat(ask("/delete", Map.of("check", "yes")).body()).contains("check is true or false, not yes");
        assertThat(done).isEmpty();
        ask("/delete", Map.of("check", ""));
        ask("/delete", Map.of("check", "true"));
        ask("/delete", Map.of("check", "false"));
        assertThat(done).containsExactly("{check=} checked", "{check=true} checked", "{check=false}");
    }
}
