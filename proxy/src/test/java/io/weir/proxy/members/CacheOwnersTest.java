package io.weir.proxy.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Stats;
import io.weir.http.semantics.UriTarget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who owns a key. */
class CacheOwnersTest {
    private static final int KEYS = 3_000;

    private static CacheOwners of(String self, String... members) {
        CacheOwners owners = new CacheOwners(new Stats());
        owners.members(self, owners(members));
        return owners;
    }

    private static List<Owner> owners(String... members) {
        return Stream.of(members)
                .map(m -> new Owner(m, true, "10.0.0." + m.length(), 7811))
                .toList();
    }

    private static byte[] key(int i) {
        return ("http://www.example.com:80/pages/" + i).getBytes(StandardCharsets.US_ASCII);
    }

    private static Map<Integer, String> all(CacheOwners owners) {
        Map<Integer, String> of = new HashMap<>();
        IntStream.range(0, KEYS).forEach(i -> of.put(i, owners.nameOfOwner(key(i))));
        return of;
    }

    @Test
    void allMembersAgreeAndEachHasItsShare() {
        Map<Integer, String> here = all(of("a", "a", "bb", "ccc"));
        assertThat(here).isEqualTo(all(of("ccc", "ccc", "a", "bb")));
        for (String m : List.of("a", "bb", "ccc")) {
            assertThat(here.values().stream().filter(m::equals).count())
                    .as(m)
                    .isBetween(KEYS / 3L - 150, KEYS / 3L + 150);
        }
    }

    @Test
    void whenOneGoesOnlyItsKeysMove() {
        Map<Integer, String> before = all(of("a", "a", "bb", "ccc"));
        Map<Integer, String> after = all(of("a", "a", "ccc"));
        before.forEach((i, owner) -> {
            if (owner.equals("bb")) {
                assertThat(after.get(i)).isIn("a", "ccc");
            } else {
                assertThat(after.get(i)).isEqualTo(owner);
            }
        });
    }

    @Test
    void virtualServersAndForwardingDoNotChangeTheOwnerButTheKey() {
        byte[] plain = key(1);
        byte[] other =
                (new String(plain, StandardCharsets.US_ASCII) + "\u0001shop").getBytes(StandardCharsets.US_ASCII);
        assertThat(CacheOwners.place(other)).isEqualTo(CacheOwners.place(plain));
        assertThat(CacheOwners.hash(other)).isNotEqualTo(CacheOwners.hash(plain));
    }

    @Test
    void whoFailedRestsAndTheNextStandsInForIt() {
        CacheOwners owners = of("a", "a", "bb");
        byte[] key = IntStream.range(0, KEYS)
                .mapToObj(CacheOwnersTest::key)
                .filter(k -> owners.nameOfOwner(k).equals("bb"))
                .findFirst()
                .orElseThrow();
        long place = CacheOwners.place(key);
        Owner bb = Objects.requireNonNull(owners.first(place, 0));
        assertThat(owners.mine(key)).isFalse();
        assertThat(owners.after(bb, place, 0)).isNull();
        bb.failed(0);
        assertThat(owners.first(place, 999_999_999)).isNull();
        assertThat(owners.mine(key)).isTrue();
        owners.members("a", owners("a", "bb"));
        assertThat(owners.mine(key)).as("what is known of it is kept").isTrue();
        assertThat(owners.first(place, 1_000_000_000)).isSameAs(bb);
        assertThat(owners.mine(key)).as("until it answers").isTrue();
        bb.answered();
        assertThat(owners.mine(key)).isFalse();
    }

    @Test
    void whoIsAskedForTheKeyOfAnotherStandsInForItWithoutGivingItUp() {
        CacheOwners owners = of("a", "a", "bb", "ccc");
        byte[] key = IntStream.range(0, KEYS)
                .mapToObj(CacheOwnersTest::key)
                .filter(k -> owners.nameOfOwner(k).equals("bb"))
                .filter(k -> of("a", "a", "ccc").nameOfOwner(k).equals("a"))
                .findFirst()
                .orElseThrow();
        long place = CacheOwners.place(key);
        assertThat(owners.mine(key)).isFalse();
        owners.asked(key);
        assertThat(owners.mine(key)).isTrue();
        Owner bb = Objects.requireNonNull(owners.first(place, 0));
        assertThat(bb.name()).isEqualTo("bb");
        bb.answered();
        assertThat(owners.mine(key)).isFalse();
        byte[] own = IntStream.range(0, KEYS)
                .mapToObj(CacheOwnersTest::key)
                .filter(k -> owners.nameOfOwner(k).equals("a"))
                .findFirst()
                .orElseThrow();
        owners.asked(own);
        assertThat(owners.mine(key)).as("no other is suspected").isFalse();
    }

    @Test
    void withoutOthersAllKeysAreOwn() {
        for (CacheOwners owners : List.of(of("a"), of("a", "a"), of("a", "bb", "ccc"))) {
            assertThat(owners.active()).isFalse();
            assertThat(owners.mine(key(1))).isTrue();
            assertThat(owners.nameOfOwner(key(1))).isEmpty();
            assertThat(owners.first(CacheOwners.place(key(1)), 0)).isNull();
        }
    }

    @Test
    void changesAreBoundedAndALaterOneOutlivesTheValidationOfAnEarlierOne() {
        CacheOwners owners = of("a", "a", "bb");
        UriTarget url = url(0);
        owners.changed(url);
        long first = owners.changeOf(url);
        owners.changed(url);
        owners.validated(url, first);
        assertThat(owners.changeOf(url)).isNotZero();
        owners.validated(url, owners.changeOf(url));
        assertThat(owners.anyChanged()).isFalse();
        IntStream.range(0, 10_001).forEach(i -> owners.changed(url(i)));
        assertThat(owners.changeOf(url(0))).isZero();
        assertThat(owners.changeOf(url(1))).isNotZero();
    }

    private static UriTarget url(int i) {
        return Objects.requireNonNull(UriTarget.parse("http://www.example.com/" + i));
    }
}
