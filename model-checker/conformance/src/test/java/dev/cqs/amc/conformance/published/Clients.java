package dev.cqs.amc.conformance.published;

import dev.cqs.amc.conformance.locks.LockClient;
import dev.cqs.locks.ArrayLock;
import dev.cqs.locks.CasLock;
import dev.cqs.locks.ClhLock;
import dev.cqs.locks.Hemlock;
import dev.cqs.locks.McsLock;
import dev.cqs.locks.TicketLock;
import dev.cqs.locks.TtasLock;
import dev.cqs.locks.TwaLock;

/**
 * Clients of the locks: each thread locks once. The protected data is plain, so that a missing order is a data race.
 */
final class Clients {

    private Clients() {}

    static final class TicketTwo extends LockClient.TwoOnce {
        TicketTwo() {
            super(new TicketLock());
        }
    }

    static final class TicketThree extends LockClient.ThreeOnce {
        TicketThree() {
            super(new TicketLock());
        }
    }

    static final class TicketFour extends LockClient.FourOnce {
        TicketFour() {
            super(new TicketLock());
        }
    }

    static final class TtasTwo extends LockClient.TwoOnce {
        TtasTwo() {
            super(new TtasLock());
        }
    }

    static final class TtasThree extends LockClient.ThreeOnce {
        TtasThree() {
            super(new TtasLock());
        }
    }

    static final class CasTtasTwo extends LockClient.TwoOnce {
        CasTtasTwo() {
            super(new CasTtasLock());
        }
    }

    static final class CasTtasThree extends LockClient.ThreeOnce {
        CasTtasThree() {
            super(new CasTtasLock());
        }
    }

    static final class TwaTwo extends LockClient.TwoOnce {
        TwaTwo() {
            super(new TwaLock());
        }
    }

    static final class TwaThree extends LockClient.ThreeOnce {
        TwaThree() {
            super(new TwaLock());
        }
    }

    static final class CasTwo extends LockClient.TwoOnce {
        CasTwo() {
            super(new CasLock());
        }
    }

    static final class CasThree extends LockClient.ThreeOnce {
        CasThree() {
            super(new CasLock());
        }
    }

    static final class CasFour extends LockClient.FourOnce {
        CasFour() {
            super(new CasLock());
        }
    }

    static final class McsTwo extends LockClient.TwoOnce {
        McsTwo() {
            super(new McsLock());
        }
    }

    static final class McsThree extends LockClient.ThreeOnce {
        McsThree() {
            super(new McsLock());
        }
    }

    static final class McsFour extends LockClient.FourOnce {
        McsFour() {
            super(new McsLock());
        }
    }

    static final class ClhTwo extends LockClient.TwoOnce {
        ClhTwo() {
            super(new ClhLock());
        }
    }

    static final class ClhThree extends LockClient.ThreeOnce {
        ClhThree() {
            super(new ClhLock());
        }
    }

    static final class ClhFour extends LockClient.FourOnce {
        ClhFour() {
            super(new ClhLock());
        }
    }

    static final class ArrayTwo extends LockClient.TwoOnce {
        ArrayTwo() {
            super(new ArrayLock(2));
        }
    }

    static final class ArrayThree extends LockClient.ThreeOnce {
        ArrayThree() {
            super(new ArrayLock(3));
        }
    }

    static final class ArrayFour extends LockClient.FourOnce {
        ArrayFour() {
            super(new ArrayLock(4));
        }
    }

    static final class HemTwo extends LockClient.TwoOnce {
        HemTwo() {
            super(new Hemlock());
        }
    }

    static final class HemThree extends LockClient.ThreeOnce {
        HemThree() {
            super(new Hemlock());
        }
    }

    static final class HemFour extends LockClient.FourOnce {
        HemFour() {
            super(new Hemlock());
        }
    }

    static final class CqsTwo extends LockClient.TwoOnce {
        CqsTwo() {
            super(new CqsMutex(2, LockClient::number));
        }
    }

    static final class CqsThree extends LockClient.ThreeOnce {
        CqsThree() {
            super(new CqsMutex(3, LockClient::number));
        }
    }

    static final class CqsFour extends LockClient.FourOnce {
        CqsFour() {
            super(new CqsMutex(4, LockClient::number));
        }
    }
}
