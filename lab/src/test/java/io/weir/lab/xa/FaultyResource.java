package io.weir.lab.xa;

import java.util.function.Consumer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource that tells of its calls, before and after each. Confined to the transaction manager's thread. */
final class FaultyResource implements XAResource {
    private final XAResource inner;
    private final String name;
    private final Consumer<String> at;

    FaultyResource(XAResource inner, String name, Consumer<String> at) {
        this.inner = inner;
        this.name = name;
        this.at = at;
    }

    private void at(String call) {
        at.accept(name + "." + call);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        inner.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        inner.end(xid, flags);
        at("end.after");
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        at("prepare.before");
        int vote = inner.prepare(xid);
        at("prepare.after");
        return vote;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        at("commit.before");
        inner.commit(xid, onePhase);
        at("commit.after");
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        inner.rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        inner.forget(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
        return inner.recover(flag);
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return inner.isSameRM(other instanceof FaultyResource f ? f.inner : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return inner.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return inner.setTransactionTimeout(seconds);
    }
}
