package io.weir.server.users;

import io.weir.base.Log;
import io.weir.server.admin.AdminUsers;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.nio.file.Path;

/** The users of the file realm who belong to the group {@code admin}. Immutable; may block. */
public final class Administrators implements AdminUsers {
    private final FileRealm realm;
    private final Log log;

    /** The administrators of a data directory. */
    public Administrators(Path dataDir, Log log) {
        this.realm = new FileRealm(dataDir);
        this.log = log;
    }

    @Override
    public boolean isAdmin(String user, String password) {
        try {
            FileRealm.User found = realm.check(user, password.toCharArray());
            return found != null && found.groups().contains("admin");
        } catch (IOException e) {
            log.log(ServerMessages.REALM_UNREADABLE, e);
            return false;
        }
    }
}
