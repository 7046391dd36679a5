package dev.cqs.examples;

import dev.cqs.threads.Mutex;

/** The compared primitives: one of ours and the fair one of the JDK. */
enum Primitive {
    MUTEX("mutex", 1) {
        @Override
        Gate ours() {
            Mutex mutex = new Mutex();
            return Gate.of(mutex, mutex::getQueueLength);
        }

        @Override
        Gate peer() {
            var lock = new java.util.concurrent.locks.ReentrantLock(true);
            return Gate.of(lock, lock::getQueueLength);
        }
    },

    SEMAPHORE("semaphore", 2) {
        @Override
        Gate ours() {
            return Gate.of(new dev.cqs.threads.Semaphore(permits));
        }

        @Override
        Gate peer() {
            return Gate.of(new java.util.concurrent.Semaphore(permits, true));
        }
    };

    final String title;
    final int permits;

    Primitive(String title, int permits) {
        this.title = title;
        this.permits = permits;
    }

    abstract Gate ours();

    abstract Gate peer();
}
