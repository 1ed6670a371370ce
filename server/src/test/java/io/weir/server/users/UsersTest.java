package io.weir.server.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsersTest {
    @TempDir
    private Path dir = Path.of("");

    @Test
    void firstStartMakesAPrivateTokenAndLaterOnesKeepIt() throws IOException {
        AdminToken first = AdminToken.openOrCreate(dir);
        AdminToken second = AdminToken.openOrCreate(dir);
        assertThat(first.created()).isTrue();
        assertThat(second.created()).isFalse();
        assertThat(second.text()).isEqualTo(first.text()).hasSize(64);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve(AdminToken.FILE))))
                .isEqualTo("rw-------");
        assertThat(second.matches(first.text())).isTrue();
        assertThat(second.matches(first.text().substring(1))).isFalse();
        assertThat(second.matches("")).isFalse();
    }

    @Test
    void tokenThatOthersMayReadIsRefused() throws IOException {
        AdminToken.openOrCreate(dir);
        Files.setPosixFilePermissions(dir.resolve(AdminToken.FILE), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> AdminToken.openOrCreate(dir)).hasMessageContaining("chmod 600");
    }

    @Test
    void emptyTokenFileIsRefused() throws IOException {
        PrivateFiles.write(dir.resolve(AdminToken.FILE), "\n");
        assertThatThrownBy(() -> AdminToken.openOrCreate(dir)).hasMessageContaining("no usable token");
    }

    @Test
    void userIsCheckedByPassword() throws IOException {
        FileRealm realm = new FileRealm(dir, 10);
        realm.set("anna", "secret".toCharArray(), List.of("admin", "ops"));
        assertThat(new FileRealm(dir, 10).check("anna", "secret".toCharArray()))
                .isEqualTo(new FileRealm.User("anna", List.of("admin", "ops")));
        assertThat(realm.check("anna", "Secret".toCharArray())).isNull();
        assertThat(realm.check("anna", new char[0])).isNull();
        assertThat(realm.check("bert", "secret".toCharArray())).isNull();
    }

    @Test
    void fileIsPrivateAndHoldsNoPassword() throws IOException {
        new FileRealm(dir, 10).set("anna", "secret".toCharArray(), List.of());
        Path file = dir.resolve(FileRealm.FILE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).doesNotContain("secret").contains("anna::pbkdf2-sha512$");
    }

    @Test
    void newPasswordKeepsGroupsAndIsSeenByARunningServer() throws IOException {
        FileRealm server = new FileRealm(dir, 10);
        FileRealm tool = new FileRealm(dir, 10);
        tool.set("anna", "one".toCharArray(), List.of("ops"));
        assertThat(server.check("anna", "one".toCharArray())).isNotNull();
        tool.set("anna", "twotwo".toCharArray(), List.of());
        tool.set("bert", "x".toCharArray(), List.of());
        assertThat(server.check("anna", "one".toCharArray())).isNull();
        assertThat(server.check("anna", "twotwo".toCharArray())).isEqualTo(new FileRealm.User("anna", List.of("ops")));
    }

    @Test
    void changesInOneMomentAreAllSeen() throws IOException {
        FileRealm server = new FileRealm(dir, 1);
        FileRealm tool = new FileRealm(dir, 1);
        for (int i = 0; i < 50; i++) {
            tool.set("anna", ("word " + i).toCharArray(), List.of("ops"));
            tool.set("bert", ("word " + i).toCharArray(), List.of("ops"));
            assertThat(server.check("anna", ("word " + i).toCharArray()))
                    .as("after %d", i)
                    .isNotNull();
        }
    }

    @Test
    void userIsRemoved() throws IOException {
        FileRealm realm = new FileRealm(dir, 10);
        realm.set("anna", "x".toCharArray(), List.of());
        assertThat(realm.remove("bert")).isFalse();
        assertThat(realm.remove("anna")).isTrue();
        assertThat(realm.users()).isEmpty();
    }

    @Test
    void namesThatTheFileCannotHoldAreRefused() {
        FileRealm realm = new FileRealm(dir, 10);
        assertThatThrownBy(() -> realm.set("a:b", "x".toCharArray(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> realm.set("a", "x".toCharArray(), List.of("g,h")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> realm.set("a", new char[0], List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(dir.resolve(FileRealm.FILE)).doesNotExist();
    }

    @Test
    void damagedFileIsToldWithItsLine() throws IOException {
        Files.writeString(dir.resolve(FileRealm.FILE), "# users\nanna\n");
        assertThatThrownBy(() -> new FileRealm(dir, 10).users())
                .hasMessageContaining("users:2: expected name:groups:hash");
    }

    @Test
    void hashOfAnotherFormMatchesNothing() {
        assertThat(Passwords.matches("x".toCharArray(), "x")).isFalse();
        assertThat(Passwords.matches("x".toCharArray(), "pbkdf2-sha512$999999999999$00$00"))
                .isFalse();
        assertThat(Passwords.matches("x".toCharArray(), "pbkdf2-sha512$1$zz$00"))
                .isFalse();
        assertThat(Passwords.matches("x".toCharArray(), Passwords.unmatchable(10)))
                .isFalse();
    }
}
