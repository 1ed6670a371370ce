package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.cluster.service.Desk;
import io.weir.wire.invoke.InvocationFault;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers as an operator and a client see them: hot deployments by the shell, calls while the called one is killed. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeployAndCallTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void archivesAreDeployedOnAllMembersAndCallsSurviveTheDeathOfWhoIsCalled() throws Exception {
        try (Shops shops = new Shops();
                Works works = new Works(
                        folder, "  lease: {time-to-live: 3s}\n  initial-boot-delay: 60s\n", Works.shop(shops))) {
            works.fleet().startAll();
            works.whole();
            anArchiveIsDeployedAndAnew(works, shops);
            whatIsDeployedOutlivesARestartOfAll(works, shops);
            aCallIsMadeAcrossTheDeathOfItsOwner(works);
            String member = works.active("desk");
            assertThat(works.weir(member, "undeploy", "shop")).isEqualTo("shop undeployed\n");
            works.fleet()
                    .await(
                            "no shop",
                            () -> works.fleet()
                                            .get(member, "/cluster/deployments")
                                            .strip()
                                            .equals("[]")
                                    && !works.fleet()
                                            .get(member, "/cluster/singletons")
                                            .contains("\"shop\""));
        }
    }

    /** By two members' shells; no process is restarted, and who has the proxy already calls the new class. */
    private void anArchiveIsDeployedAndAnew(Works works, Shops shops) throws Exception {
        Fleet fleet = works.fleet();
        assertThat(works.weir("alpha", "deploy", Archive.of(folder, 1).toString()))
                .startsWith("shop deployed, version ");
        Shops.Open first = shops.await(a -> a.version() == 1);
        works.active("shop");
        Version shop = works.look(Version.class, "app/shop");
        assertThat(shop.version()).isEqualTo(1);
        assertThat(works.weir("beta", "redeploy", Archive.of(folder, 2).toString(), "--reason", "a better one"))
                .startsWith("shop redeployed, version ");
        assertThat(shops.await(a -> a.version() == 2).fence()).isGreaterThan(first.fence());
        assertThat(shop.version()).isEqualTo(2);
        assertThat(fleet.names())
                .as("nobody was restarted")
                .allMatch(name -> fleet.server(name).alive());
    }

    private static void whatIsDeployedOutlivesARestartOfAll(Works works, Shops shops) throws Exception {
        long before = shops.await(a -> a.version() == 2).fence();
        for (String name : works.fleet().names()) {
            works.fleet().server(name).stop();
        }
        for (String name : works.fleet().names()) {
            works.fleet().server(name).exit();
        }
        works.fleet().startAll();
        works.whole();
        works.active("shop");
        assertThat(shops.latest().version()).isEqualTo(2);
        assertThat(shops.latest().fence()).isGreaterThan(before);
    }

    /** One is tried elsewhere because it may be; the other is not, and its caller is told what is known of it. */
    private static void aCallIsMadeAcrossTheDeathOfItsOwner(Works works) throws Exception {
        String owner = works.active("desk");
        Desk desk = works.look(Desk.class, "app/desk");
        works.put("hold-once");
        works.put("hold-again");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> once = callers.submit((Callable<String>) () -> desk.book("once"));
            Future<String> again = callers.submit((Callable<String>) () -> desk.ask("again"));
            works.fleet()
                    .await(
                            "both are being executed",
                            () -> works.notes("booked").size()
                                            + works.notes("asked").size()
                                    == 2);
            works.kill(owner);
            works.take("hold-once");
            works.take("hold-again");
            assertThat(again.get(5, TimeUnit.MINUTES)).isNotEqualTo(owner).isEqualTo(works.active("desk"));
            assertThatThrownBy(() -> once.get(5, TimeUnit.MINUTES))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InvocationFault.class)
                    .cause()
                    .satisfies(e ->
                            assertThat(((InvocationFault) e).executed()).isEqualTo(InvocationFault.Executed.UNKNOWN));
        }
        assertThat(works.notes("booked")).hasSize(1).allMatch(l -> l.endsWith(owner));
        assertThat(works.notes("asked")).hasSize(2);
        assertThat(desk.book("later")).as("the same proxy goes on").isEqualTo(works.active("desk"));
        assertThat(works.notes("booked", "later")).hasSize(1);
    }
}
