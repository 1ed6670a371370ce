package io.weir.cluster.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cluster.deploy.Descriptor.Service;
import io.weir.cluster.kit.Jars;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorTest {
    private static Descriptor read(String xml) throws DeployFault {
        return Descriptor.read(xml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theSeedsElementIsRead() throws Exception {
        String xml = Jars.descriptor("mypackage.MySingletonServiceImpl", "Appscoped_Singleton_Service");
        assertThat(read(xml).services())
                .containsExactly(new Service("Appscoped_Singleton_Service", "mypackage.MySingletonServiceImpl"));
    }

    @Test
    void whatElseAnApplicationDeclaresIsLeftAloneAndNamespacesMayBeMissing() throws Exception {
        String xml = "<?xml version=\"1.0\"?><weblogic-application><ejb><start-mdbs-with-application>true"
                + "</start-mdbs-with-application></ejb><singleton-service><name> n </name><!-- c -->"
                + "<class-name>C</class-name></singleton-service></weblogic-application>";
        assertThat(read(xml).services()).containsExactly(new Service("n", "C"));
    }

    private static String with(String elements) {
        return Jars.descriptor("C", "n").replace("  </singleton-service>", elements + "</singleton-service>");
    }

    @Test
    void attemptsAndThePauseBetweenThemAreReadByWebLogicsNames() throws Exception {
        String both = "<additional-migration-attempts>%s</additional-migration-attempts>"
                + "<millis-to-sleep-between-attempts> %s </millis-to-sleep-between-attempts>";
        assertThat(read(with(both.formatted("5", "1000"))).services()).containsExactly(new Service("n", "C", 5, 1000));
        assertThat(read(with(both.formatted("0", "0"))).services()).containsExactly(new Service("n", "C", 0, 0));
        assertThat(read(with(both.formatted("10000", "86400000"))).services())
                .containsExactly(new Service("n", "C", 10_000, 86_400_000));
        assertThat(read(with("")).services()).containsExactly(new Service("n", "C", 2, 300_000));
    }

    @Test
    void numbersOutsideTheirBoundsAndOtherElementsAreRefused() {
        for (String wrong : List.of("-1", "10001", "", "many", "9999999999")) {
            String xml = with("<additional-migration-attempts>" + wrong + "</additional-migration-attempts>");
            assertThatThrownBy(() -> read(xml))
                    .isInstanceOf(DeployFault.class)
                    .hasMessageContaining("from 0 to 10000, not \"" + wrong + "\"");
        }
        for (String wrong : List.of("-1", "86400001", "1.5", "10s")) {
            String xml = with("<millis-to-sleep-between-attempts>" + wrong + "</millis-to-sleep-between-attempts>");
            assertThatThrownBy(() -> read(xml))
                    .isInstanceOf(DeployFault.class)
                    .hasMessageContaining("from 0 to 86400000, not \"" + wrong + "\"");
        }
        assertThatThrownBy(() -> read(with("<user-preferred-server>a</user-preferred-server>")))
                .isInstanceOf(DeployFault.class)
                .hasMessageContaining("not user-preferred-server");
    }

    @Test
    void documentTypesAndTheirEntitiesAreRefused() {
        String xml = "<!DOCTYPE weblogic-application [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>"
                + "<weblogic-application><singleton-service><name>&x;</name><class-name>C</class-name>"
                + "</singleton-service></weblogic-application>";
        assertThatThrownBy(() -> read(xml))
                .isInstanceOf(DeployFault.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("DOCTYPE");
    }

    @Test
    void brokenOnesSayWhatIsWrong() {
        assertThatThrownBy(() -> read("<weblogic-application>")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> read("<web-app/>")).hasMessageContaining("begins with web-app");
        assertThatThrownBy(() -> read("<weblogic-application/>")).hasMessageContaining("no singleton-service");
        assertThatThrownBy(() -> read("<weblogic-application><singleton-service><name>n</name></singleton-service>"
                        + "</weblogic-application>"))
                .hasMessageContaining("needs both");
        assertThatThrownBy(() -> read("<weblogic-application><singleton-service><nam>n</nam></singleton-service>"
                        + "</weblogic-application>"))
                .hasMessageContaining("not nam");
        assertThatThrownBy(() -> read(Jars.descriptor("C", "n".repeat(256)))).hasMessageContaining("longer than 255");
    }

    @Test
    void moreServicesThanTheBoundOrOneNameTwiceAreRefused() throws Exception {
        assertThat(read(services(Descriptor.MAX_SERVICES)).services()).hasSize(Descriptor.MAX_SERVICES);
        assertThatThrownBy(() -> read(services(Descriptor.MAX_SERVICES + 1)))
                .hasMessageContaining("the maximum is 100");
        String twice =
                services(1).replace("</weblogic-application>", "") + services(1).substring(22);
        assertThatThrownBy(() -> read(twice)).hasMessageContaining("twice");
    }

    private static String services(int n) {
        StringBuilder xml = new StringBuilder("<weblogic-application>");
        for (int i = 0; i < n; i++) {
            xml.append("<singleton-service><name>n")
                    .append(i)
                    .append("</name><class-name>C</class-name></singleton-service>");
        }
        return xml.append("</weblogic-application>").toString();
    }
}
