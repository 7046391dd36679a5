package dev.cqs.sync;

/** A waiter under a token without an owner, with which a mutex rehearses; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedTokenWaiter implements TokenWaiter {
    @Override
    public Object token() {
        return "";
    }

    @Override
    public boolean holds() {
        return true;
    }
}
