package dev.cqs.amc.conformance.bugs;

import dev.cqs.amc.Verdict;
import dev.cqs.amc.conformance.locks.LockClient;
import dev.cqs.amc.conformance.published.CqsMutex;
import java.util.List;

/** A lock with one access that is too weak. The bugs of the classic locks are in {@code conformance.locks}. */
final class LockBugs {

    private LockBugs() {}

    static List<Bug> bugs() {
        return List.of(Bug.everywhere(
                "a queue of cells that resumes without release",
                OpaqueResume.class,
                Verdict.DATA_RACE,
                SoundCqs.class));
    }

    static class SoundCqs extends LockClient.TwoOnce {
        SoundCqs() {
            super(new CqsMutex(2, LockClient::number));
        }
    }

    static class OpaqueResume extends LockClient.TwoOnce {
        OpaqueResume() {
            super(new CqsMutex(2, LockClient::number) {
                @Override
                protected void resume(Waiter waiter) {
                    waiter.slot.weakCompareAndSetPlain(0, 1);
                }
            });
        }
    }
}
