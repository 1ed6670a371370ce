package io.weir.cluster.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.cluster.SingletonService;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceObjectTest {
    private final ClassLoader loader = ServiceObjectTest.class.getClassLoader();

    public static class Plain implements SingletonService {
        @Override
        public void activate(Fence fence) {}

        @Override
        public void deactivate() {}
    }

    public static final class WithProperties extends Plain {
        final Map<String, String> given;

        public WithProperties(Map<String, String> given) {
            this.given = given;
        }
    }

    public static final class OfWebLogicsShape implements io.weir.cluster.weblogic.SingletonService {
        int activated;

        @Override
        public void activate() {
            activated++;
        }

        @Override
        public void deactivate() {
            activated--;
        }
    }

    public static final class Neither {}

    public static final class Failing extends Plain {
        public Failing() {
            throw new IllegalStateException("no disk");
        }
    }

    public static final class NoConstructor extends Plain {
        public NoConstructor(int n) {}
    }

    private ServiceObject create(Class<?> type) throws ServiceFault {
        return ServiceObject.create(type.getName(), Map.of("a", "b"), loader);
    }

    @Test
    void aClassOfOursIsMadeAndServesItself() throws Exception {
        ServiceObject made = create(Plain.class);
        assertThat(made.instance()).isInstanceOf(Plain.class).isSameAs(made.service());
    }

    @Test
    void aConstructorThatTakesAMapGetsTheProperties() throws Exception {
        assertThat(((WithProperties) create(WithProperties.class).instance()).given)
                .containsEntry("a", "b");
    }

    @Test
    void aClassOfWebLogicsShapeIsAdapted() throws Exception {
        ServiceObject made = create(OfWebLogicsShape.class);
        made.service().activate(new Fence(1, 1));
        assertThat(((OfWebLogicsShape) made.instance()).activated).isEqualTo(1);
        made.service().deactivate();
        assertThat(((OfWebLogicsShape) made.instance()).activated).isZero();
    }

    @Test
    void whatCannotBeMadeSaysWhy() {
        assertThatThrownBy(() -> ServiceObject.create("no.such.Class", Map.of(), loader))
                .isInstanceOf(ServiceFault.class)
                .hasMessageContaining("no class no.such.Class");
        assertThatThrownBy(() -> create(Neither.class)).hasMessageContaining("implements neither");
        assertThatThrownBy(() -> create(Failing.class)).hasMessageContaining("no disk");
        assertThatThrownBy(() -> create(NoConstructor.class)).hasMessageContaining("no public constructor");
    }
}
