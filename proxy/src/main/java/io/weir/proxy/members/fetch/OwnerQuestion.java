package io.weir.proxy.members.fetch;

import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.caching.Validators;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.context.OriginTimes;
import io.weir.proxy.context.ProxyContext;
import io.weir.proxy.members.CacheOwners;
import io.weir.proxy.members.MemberRequest;
import io.weir.proxy.members.Owner;
import io.weir.proxy.upstream.FetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * A client's request as the owner of its key is asked: as it was received, so that the owner decides all that this
 * member decided. Immutable, except for the head that it refers to.
 *
 * @param head as received; stays valid as long as the fetch
 * @param client what is told of the client
 * @param place determines the owner: {@link CacheOwners#place}
 * @param changed the URL, if what is stored for it may be out of date; else null
 * @param change the number of that change
 * @param storedOnly it is a HEAD or has a Range, which are answered from what is stored, and otherwise by the origin
 */
public record OwnerQuestion(
        ProxyContext proxy,
        RequestHead head,
        MemberRequest client,
        long place,
        @Nullable UriTarget changed,
        long change,
        OriginTimes times,
        boolean storedOnly) {
    CacheOwners owners() {
        return proxy.owners();
    }

    /** The first member to ask; null: the origin is to be asked. */
    public @Nullable Owner first(long nowNanos) {
        return owners().first(place, nowNanos);
    }

    @Nullable
    Owner after(Owner failing, long nowNanos) {
        return owners().after(failing, place, nowNanos);
    }

    /** The owner gives no answer that it vouches for. */
    void refused() {
        if (storedOnly) {
            owners().absent();
        } else {
            owners().refused();
        }
    }

    /** The owner has validated what was stored. */
    void validated() {
        if (changed != null) {
            owners().validated(changed, change);
        }
    }

    FetchRequest to(Owner owner, @Nullable Validators stored, boolean conditions) {
        return new FetchRequest(
                owner.key(),
                null,
                storedOnly ? head.methodId() : Method.GET,
                new MemberHead(this, stored, conditions),
                false,
                false,
                false,
                null,
                _ -> true,
                times);
    }
}
