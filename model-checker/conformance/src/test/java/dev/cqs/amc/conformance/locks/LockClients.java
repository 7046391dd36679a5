package dev.cqs.amc.conformance.locks;

import dev.cqs.locks.ArrayLock;
import dev.cqs.locks.CasLock;
import dev.cqs.locks.ClhLock;
import dev.cqs.locks.CnaLock;
import dev.cqs.locks.CohortLock;
import dev.cqs.locks.HclhLock;
import dev.cqs.locks.Hemlock;
import dev.cqs.locks.McsLock;
import dev.cqs.locks.MuslMutex;
import dev.cqs.locks.QueuedSpinLock;
import dev.cqs.locks.RecursiveLock;
import dev.cqs.locks.SequenceLock;
import dev.cqs.locks.SlimMutex;
import dev.cqs.locks.SpinReadWriteLock;
import dev.cqs.locks.TicketLock;
import dev.cqs.locks.TristateMutex;
import dev.cqs.locks.TtasLock;
import dev.cqs.locks.TwaLock;

/**
 * The clients of each lock: with two threads, with three, and for NUMA-aware locks with two threads in each of two
 * neighbourhoods.
 */
final class LockClients {

    private LockClients() {}

    static final class CasTwo extends LockClient.Two {
        CasTwo() {
            super(new CasLock());
        }
    }

    static final class CasThree extends LockClient.Three {
        CasThree() {
            super(new CasLock());
        }
    }

    static final class TtasTwo extends LockClient.Two {
        TtasTwo() {
            super(new TtasLock());
        }
    }

    static final class TtasThree extends LockClient.Three {
        TtasThree() {
            super(new TtasLock());
        }
    }

    static final class TicketTwo extends LockClient.Two {
        TicketTwo() {
            super(new TicketLock());
        }
    }

    static final class TicketThree extends LockClient.Three {
        TicketThree() {
            super(new TicketLock());
        }
    }

    static final class ArrayTwo extends LockClient.Two {
        ArrayTwo() {
            super(new ArrayLock(2));
        }
    }

    static final class ArrayThree extends LockClient.Three {
        ArrayThree() {
            super(new ArrayLock(3));
        }
    }

    static final class McsTwo extends LockClient.Two {
        McsTwo() {
            super(new McsLock());
        }
    }

    static final class McsThree extends LockClient.Three {
        McsThree() {
            super(new McsLock());
        }
    }

    static final class ClhTwo extends LockClient.Two {
        ClhTwo() {
            super(new ClhLock());
        }
    }

    static final class ClhThree extends LockClient.Three {
        ClhThree() {
            super(new ClhLock());
        }
    }

    static final class HemTwo extends LockClient.Two {
        HemTwo() {
            super(new Hemlock());
        }
    }

    static final class HemThree extends LockClient.Three {
        HemThree() {
            super(new Hemlock());
        }
    }

    static final class TwaTwo extends LockClient.Two {
        TwaTwo() {
            super(new TwaLock());
        }
    }

    static final class TwaThree extends LockClient.Three {
        TwaThree() {
            super(new TwaLock());
        }
    }

    static final class CohortTwo extends LockClient.Two {
        CohortTwo() {
            super(new CohortLock(2, 1, LockClient::neighbourhood));
        }
    }

    static final class CohortThree extends LockClient.Three {
        CohortThree() {
            super(new CohortLock(2, 1, LockClient::neighbourhood));
        }
    }

    static final class HclhTwo extends LockClient.Two {
        HclhTwo() {
            super(new HclhLock(2, LockClient::neighbourhood));
        }
    }

    static final class HclhThree extends LockClient.Three {
        HclhThree() {
            super(new HclhLock(2, LockClient::neighbourhood));
        }
    }

    static final class CnaTwo extends LockClient.Two {
        CnaTwo() {
            super(new CnaLock(1, LockClient::neighbourhood));
        }
    }

    static final class CnaThree extends LockClient.Three {
        CnaThree() {
            super(new CnaLock(1, LockClient::neighbourhood));
        }
    }

    static final class RecursiveTwo extends LockClient.Two {
        RecursiveTwo() {
            super(new RecursiveLock(new CasLock()));
        }
    }

    static final class RecursiveThree extends LockClient.Three {
        RecursiveThree() {
            super(new RecursiveLock(new CasLock()));
        }
    }

    static final class SequenceTwo extends LockClient.Two {
        SequenceTwo() {
            super(new SequenceLock());
        }
    }

    static final class SequenceThree extends LockClient.Three {
        SequenceThree() {
            super(new SequenceLock());
        }
    }

    static final class WriteTwo extends LockClient.Two {
        WriteTwo() {
            super(new SpinReadWriteLock().writeLock());
        }
    }

    static final class WriteThree extends LockClient.Three {
        WriteThree() {
            super(new SpinReadWriteLock().writeLock());
        }
    }

    static final class SemaphoreTwo extends LockClient.Two {
        SemaphoreTwo() {
            super(new PermitLock());
        }
    }

    static final class SemaphoreThree extends LockClient.Three {
        SemaphoreThree() {
            super(new PermitLock());
        }
    }

    static final class MuslTwo extends LockClient.Two {
        MuslTwo() {
            super(new MuslMutex());
        }
    }

    static final class MuslThree extends LockClient.ThreeOnce {
        MuslThree() {
            super(new MuslMutex());
        }
    }

    static final class TristateTwo extends LockClient.Two {
        TristateTwo() {
            super(new TristateMutex());
        }
    }

    static final class TristateThree extends LockClient.ThreeOnce {
        TristateThree() {
            super(new TristateMutex());
        }
    }

    static final class SlimTwo extends LockClient.Two {
        SlimTwo() {
            super(new SlimMutex());
        }
    }

    static final class SlimThree extends LockClient.ThreeOnce {
        SlimThree() {
            super(new SlimMutex());
        }
    }

    static final class QueuedTwo extends LockClient.Two {
        QueuedTwo() {
            super(new QueuedSpinLock(2, LockClient::number));
        }
    }

    static final class QueuedThree extends LockClient.Three {
        QueuedThree() {
            super(new QueuedSpinLock(3, LockClient::number));
        }
    }

    static final class CnaFour extends LockClient.FourOnce {
        CnaFour() {
            super(new CnaLock(1, LockClient::neighbourhood));
        }
    }

    static final class CohortFour extends LockClient.FourOnce {
        CohortFour() {
            super(new CohortLock(2, 1, LockClient::neighbourhood));
        }
    }

    static final class HclhFour extends LockClient.FourOnce {
        HclhFour() {
            super(new HclhLock(2, LockClient::neighbourhood));
        }
    }
}
