package io.weir.proxy.program.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.proxy.function.ParameterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Declarations that no configuration could meet. */
final class ParameterSpecTest {
    @Test
    void aWordNeedsWords() {
        assertThatThrownBy(() -> ParameterSpec.required("mode", ParameterSpec.Type.WORD, "what to do"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parameter \"mode\" is a WORD without words: declare it with ParameterSpec.word");
        assertThat(ParameterSpec.word("mode", "a", List.of("a", "b"), "what to do")
                        .words())
                .containsExactly("a", "b");
    }

    @Test
    void othersHaveNone() {
        assertThatThrownBy(() -> new ParameterSpec(
                        "mode", ParameterSpec.Type.TEXT, null, false, false, List.of("a"), "what to do"))
                .hasMessageContaining("has words, but is no WORD");
    }
}
