package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RatisLogTest {
    @TempDir
    Path folder = Path.of("");

    private static void said(String what, long since) {
        System.out.println(what + ": " + (SystemClock.INSTANCE.nanos() - since) / 1_000_000 + " ms");
    }

    @Test
    void threeMembersTakeCommandsFromEach() throws Exception {
        long t = SystemClock.INSTANCE.nanos();
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            said("leader", t);
            t = SystemClock.INSTANCE.nanos();
            for (String name : List.of("alpha", "beta", "gamma")) {
                members.submit(name, "from " + name);
                assertThat(members.ledger(name).entries()).as("applied here").contains("from " + name);
            }
            said("3 submits", t);
            t = SystemClock.INSTANCE.nanos();
            for (String name : List.of("alpha", "beta", "gamma")) {
                Members.get(members.log(name).barrier());
                assertThat(members.ledger(name).entries()).containsExactly("from alpha", "from beta", "from gamma");
            }
            said("3 barriers", t);
            assertThat(members.log("alpha").status().leader()).isEqualTo(leader);
            assertThat(members.log("beta").status().leader()).isEqualTo(leader);
            System.out.println(members.log(leader).status());
            t = SystemClock.INSTANCE.nanos();
            members.stop(leader);
            said("close", t);
            System.out.println(Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .sorted()
                    .toList());
            t = SystemClock.INSTANCE.nanos();
            members.submit(members.logs.keySet().iterator().next(), "after");
            said("after leader's close", t);
            t = SystemClock.INSTANCE.nanos();
        }
        said("close all", t);
    }
}
