package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a translation of {@code obj.conf} says beside its routes. */
final class ObjConfNotesTest extends MigrateFixture {
    @Test
    void aServiceThatNoRouteGivesIsToldAndAPoolIsWrittenOnce() throws IOException {
        Migration made = migrate(Language.OBJ_CONF, "obj.conf", """
                <Object name="default">
                NameTrans fn="assign-name" from="/.perf" name="perf"
                Service fn="deny-service"
                </Object>
                <Object name="perf">
                Service fn="service-dump"
                </Object>
                <Object ppath="http://.*">
                Service fn="proxy-retrieve" method="*"
                </Object>
                """);
        assertThat(made.notes())
                .anyMatch(n -> n.startsWith("obj.conf:6: Service fn=service-dump: no route answers so"));
        Migration pool = migrate(Language.OBJ_CONF, "obj.conf", """
                <Object name="default">
                <If $urlhost eq "b.example">
                NameTrans fn="map" from="/" name="rp" to="http:/"
                </If>
                <Else>
                NameTrans fn="map" from="/" name="rp" to="http:/"
                </Else>
                </Object>
                <Object name="rp">
                Route fn="set-origin-server" server="http://127.0.0.1:1" server="http://127.0.0.1:2" sticky-cookie="J"
                Service fn="proxy-retrieve" method="*"
                </Object>
                """);
        assertThat(pool.text().split("127.0.0.1:2", -1)).as(pool.text()).hasSize(2);
    }
}
