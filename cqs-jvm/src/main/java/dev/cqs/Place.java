package dev.cqs;

/** A place in a {@link NumberedQueue} from which a cell can be found that is not before it. */
public abstract class Place {
    Place() {}
}
