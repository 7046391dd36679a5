package dev.cqs.sync;

/** Nobody's waiter under a token, with which a mutex rehearses; see {@link dev.cqs.internal.Rehearsal}. */
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
