package io.weir.lab.cluster.service;

import io.weir.cluster.ServiceLease;
import io.weir.cluster.weblogic.SingletonService;
import java.util.Map;
import java.util.Objects;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** The same as {@link Placed}, of WebLogic's shape: it binds itself, and unbinds itself before it does anything else about its end. */
@SuppressWarnings("BanJNDI") // it is WebLogic's way
public final class PlacedByName implements SingletonService, Asked {
    private final String service;
    private volatile Diary.@Nullable Stay stay;

    public PlacedByName(Map<String, String> properties) {
        service = properties.getOrDefault("service", "");
    }

    private String path() {
        return "placed/" + service;
    }

    @Override
    public void activate() {
        ServiceLease lease = Placed.lease();
        Diary.Stay now = Diary.enter(service, "weblogic", lease);
        stay = now;
        try {
            new InitialContext().rebind(path(), this);
        } catch (NamingException e) {
            now.over(Diary.FAILED);
            throw new IllegalStateException(e);
        }
        now.step(Diary.ACTIVE);
    }

    @Override
    public void deactivate() {
        Diary.Stay now = Objects.requireNonNull(stay);
        now.step(Diary.CALLED);
        try {
            new InitialContext().unbind(path());
        } catch (NamingException e) {
            throw new IllegalStateException(e);
        } finally {
            now.over(Diary.ENDED);
        }
    }

    @Override
    public String who() {
        return service;
    }
}
