package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigNode.Mapping;
import io.weir.base.ConfigNode.Place;
import io.weir.base.ConfigNode.Scalar;
import org.junit.jupiter.api.Test;

final class ConfigNodeTest {
    private static final Place AT = Place.of("test");
    private final Mapping tree =
            Mapping.empty(AT).with("a.b.c", new Scalar(AT, "1")).with("a.d", new Scalar(AT, "2"));

    @Test
    void valueIsTakenAwayAndWithItTheSectionThatBecomesEmpty() {
        Mapping left = tree.without("a.b.c");
        assertThat(left.find("a.b")).isNull();
        assertThat(left.find("a.d")).isNotNull();
        assertThat(left.without("a.d").entries()).isEmpty();
        assertThat(left.without("a.d").keys()).isEmpty();
        assertThat(tree.find("a.b.c")).isNotNull();
    }

    @Test
    void sectionIsTakenAwayWhole() {
        assertThat(tree.without("a").entries()).isEmpty();
        assertThat(tree.without("a.b").find("a.d")).isNotNull();
    }

    @Test
    void whatIsNotThereChangesNothing() {
        assertThat(tree.without("x")).isEqualTo(tree);
        assertThat(tree.without("a.d.e")).isEqualTo(tree);
    }
}
