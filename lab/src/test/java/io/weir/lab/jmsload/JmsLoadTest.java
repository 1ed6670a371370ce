package io.weir.lab.jmsload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class JmsLoadTest {
    @Test
    void aTurnIsReadAsItWasWritten() {
        Turn turn = new Turn("paced", "F", "queue/q", 3, 2, 7, 1, true, false, true, 77, 12.5, 900);
        assertThat(Turn.parse(turn.line())).isEqualTo(turn);
    }

    @Test
    void aLineThatIsNoTurnIsRefused() {
        assertThatThrownBy(() -> Turn.parse("hello")).hasMessageContaining("hello");
    }

    @Test
    void whatWasMeasuredIsReadAsItWasWritten() {
        Measured measured = new Measured(10, 11, 2, 0.5, 0.25, 1, 2, 3, 4);
        assertThat(Measured.parse(measured.line())).isEqualTo(measured);
        assertThat(measured.perSecond()).isEqualTo(5);
    }

    @Test
    void figuresThatAreMissingAreNamed() {
        assertThatThrownBy(() -> Measured.parse("measured done=1")).hasMessageContaining("sent");
    }

    @Test
    void deviationIsRelativeToTheMean() {
        assertThat(Meter.deviation(new double[] {50, 150})).isCloseTo(0.5, within(1e-9));
        assertThat(Meter.deviation(new double[] {7, 7, 7})).isZero();
        assertThat(Meter.deviation(new double[] {0, 0})).isZero();
    }
}
