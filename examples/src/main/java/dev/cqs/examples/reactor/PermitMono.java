package dev.cqs.examples.reactor;

import dev.cqs.Trampoline;
import dev.cqs.Waiter;
import dev.cqs.sync.Semaphore;
import dev.cqs.sync.WaitFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** The whole adapter: requests a permit when the subscriber does, and cancels the request with the subscription. */
final class PermitMono extends Mono<Permit> {
    private final Semaphore core;

    PermitMono(Semaphore core) {
        this.core = core;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Permit> subscriber) {
        subscriber.onSubscribe(new Request(core, subscriber));
    }

    private enum State {
        NEW,
        WAITING,
        ENDED,
        CANCELLED
    }

    /** The request of a subscriber, and the signals for it. */
    private static final class Request extends AtomicReference<State> implements Subscription, Runnable {
        /*
         * Two decisions, as for a future. The cell decides between a resume and leave(). A cancellation that loses there has
         * still set the state. The state decides between the signal to the subscriber and the cancellation: the first to move
         * it from WAITING wins, and a permit that arrives later is released.
         */

        private static final long serialVersionUID = 1L;

        private final transient Semaphore core;
        private final transient CoreSubscriber<? super Permit> subscriber;

        /** The enqueued waiter. It is written after the waiter was enqueued, and read by cancel(). */
        private transient volatile PermitWaiter waiter;

        /** What the waiter was resumed with. Plain: the thread that resumes writes and reads it. */
        private transient Object outcome;

        Request(Semaphore core, CoreSubscriber<? super Permit> subscriber) {
            super(State.NEW);
            this.core = core;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long n) {
            if (!Operators.validate(n) || !compareAndSet(State.NEW, State.WAITING)) {
                return;
            }
            try {
                PermitWaiter enqueued = core.acquire(this, (semaphore, request) -> new PermitWaiter(request));
                if (enqueued == null) {
                    resume(core);
                    return;
                }
                waiter = enqueued;
                if (get() == State.CANCELLED) { // set, then looked: cancel() may have come before it was set
                    enqueued.leave();
                }
            } catch (RuntimeException e) { // closed
                fail(e);
            }
        }

        @Override
        public void cancel() {
            if (compareAndSet(State.NEW, State.CANCELLED) || compareAndSet(State.WAITING, State.CANCELLED)) {
                PermitWaiter present = waiter;
                if (present != null) {
                    present.leave(); // false if it is being resumed: run() finds the state then, and releases
                }
            }
        }

        /**
         * The subscriber may release inside its signal, and so resume the next one. The trampoline keeps the stack bounded.
         */
        void resume(Object value) {
            outcome = value;
            Trampoline.run(this);
        }

        @Override
        public void run() {
            if (outcome instanceof WaitFailure failure) {
                fail(failure.exception());
            } else if (compareAndSet(State.WAITING, State.ENDED)) {
                subscriber.onNext(new Permit(core));
                subscriber.onComplete();
            } else {
                core.release();
            }
        }

        private void fail(RuntimeException exception) {
            if (compareAndSet(State.WAITING, State.ENDED)) {
                subscriber.onError(exception);
            } else {
                Operators.onErrorDropped(exception, subscriber.currentContext());
            }
        }
    }

    private static final class PermitWaiter extends Waiter {
        private final Request request;

        PermitWaiter(Request request) {
            this.request = request;
        }

        @Override
        protected boolean tryResume(Object value) {
            request.resume(value);
            return true;
        }

        boolean leave() {
            return cancel();
        }
    }
}
