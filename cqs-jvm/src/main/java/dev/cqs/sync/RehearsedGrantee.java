package dev.cqs.sync;

import dev.cqs.spi.Grantee;

/** Nobody's grantee, with which a mutex rehearses; see {@link dev.cqs.internal.Rehearsal}. */
final class RehearsedGrantee implements Grantee {
    @Override
    public Object token() {
        return "";
    }

    @Override
    public boolean holds() {
        return true;
    }
}
