package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who sends one request comes before those who send the next without reading. */
class LaneTest {
    private final List<String> events = new ArrayList<>();
    private final Set<String> gone = new HashSet<>();
    private final Lane lane = new Lane(1, 2);

    private void enter(String name, boolean stays) {
        lane.enter(stays, () -> !gone.contains(name), () -> events.add(name), () -> events.add("no place for " + name));
    }

    @Test
    void singleRequestsComeFirstAndTakeThePlacesOfOthers() {
        enter("first", true);
        enter("stays", true);
        enter("stays longer", true);
        enter("single", false);
        assertThat(events).containsExactly("first", "no place for stays longer");
        lane.left();
        lane.left();
        lane.left();
        enter("next", true);
        assertThat(events).endsWith("single", "stays", "next");
    }

    @Test
    void whoStaysTakesNoPlace() {
        enter("first", false);
        enter("second", false);
        enter("third", false);
        enter("stays", true);
        enter("fourth", false);
        assertThat(events).containsExactly("first", "no place for stays", "no place for fourth");
    }

    @Test
    void whoIsGoneLeavesHisPlaceAndHasNoTurn() {
        enter("first", false);
        enter("second", false);
        enter("third", true);
        gone.addAll(List.of("second", "third"));
        enter("fourth", false);
        enter("fifth", true);
        gone.add("fourth");
        lane.left();
        assertThat(events).containsExactly("first", "fifth");
    }
}
